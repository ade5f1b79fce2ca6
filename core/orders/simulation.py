"""Judging a pool again whose judgements are all known, in another order."""

from collections.abc import Callable

import numpy as np

from core.errors import BadInput
from core.orders.base import Order
from core.orders.candidates import Candidates, Floats, Integers, Mask

Progress = Callable[[float], None]
"""Is told what share is done; may raise to stop."""


def simulate_order(
    candidates: Candidates,
    relevance: Floats,
    order: Order,
    *,
    seed: int = 1,
    batch: int = 1,
    most: int | None = None,
    progress: Progress | None = None,
) -> Integers:
    """Return the items in the order in which they would have been judged.

    Parameters
    ----------
    candidates : Candidates
        The pool.
    relevance : array of float, shape (n_items,)
        What each label would have said, in [0, 1].
    order : Order
        Which items are judged first.
    seed : int, default 1
        Of what the order draws.
    batch : int, default 1
        How many items of a topic are chosen at a time; their labels are known before the next.
    most : int, optional
        How many items are judged; all, without it.
    progress : callable, optional
        Is told what share is done.

    Returns
    -------
    array of int, shape (n_judged,)
        Positions among the candidates; fewer than ``most`` where the order ends with a sample.

    Raises
    ------
    BadInput
        The relevance of an item is not between 0 and 1.
    """
    if not ((relevance >= 0) & (relevance <= 1)).all():
        raise BadInput("relevance is a share of labels, from 0 to 1, for every item of the pool")
    wanted = len(candidates) if most is None else min(most, len(candidates))
    chooser = order.begin(candidates, seed=seed)
    judged = np.empty(wanted, dtype=np.int64)
    done, known = 0, 0
    while done < wanted:
        choice = chooser.choose(min(batch, wanted - done))
        if choice is None:
            return judged[:done]
        chooser.learn(choice.item, relevance[choice.item])
        judged[done : done + len(choice.item)] = choice.item
        done += len(choice.item)
        if progress and done - known >= _TELL:
            progress(done / wanted)
            known = done
    return judged


_TELL = 500
"""After how many items progress is told."""


def judged_at(candidates: Candidates, order: Integers, share: float) -> Mask:
    """Return which items are judged once a share of the pool is, shape (n_items,).

    Parameters
    ----------
    candidates : Candidates
        The pool.
    order : array of int
        Items in the order in which they are judged, as `simulate_order` returns them.
    share : float
        In (0, 1], of all items; to the nearest whole number of them, at least one.
    """
    judged = np.zeros(len(candidates), dtype=np.bool_)
    judged[order[: count_share(candidates, share)]] = True
    return judged


def count_share(candidates: Candidates, share: float) -> int:
    """Return how many items a share of the pool is, at least one."""
    return max(round(share * len(candidates)), 1)
