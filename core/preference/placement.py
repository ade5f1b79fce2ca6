"""Which of two items stands on the left: at random, and balanced."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from core.errors import BadInput


def assign_sides(pairs: pd.DataFrame, judges: ArrayLike, rng: np.random.Generator) -> pd.DataFrame:
    """Put one item of each pair on the left for each of its judges.

    For a pair with an even number of judges each item stands on the left for exactly half of
    them. With an odd number one of the two has one more, and that one is balanced as well: over
    all pairs to within one, and over the topics in which the same two items meet to within one.

    Parameters
    ----------
    pairs : DataFrame
        ``topic_id, first, second``.
    judges : array_like of str, shape (n_pairs, k) or (k,)
        Who judges each pair; one list is for every pair.
    rng : Generator
        Decides for whom which item stands where.

    Returns
    -------
    DataFrame
        ``topic_id, first, second, assessor_id, occasion`` (0) and ``left``, a row for each pair
        and judge, pair by pair.

    Raises
    ------
    BadInput
        Judges do not match the pairs, or one judges a pair twice.
    """
    people = np.asarray(judges, dtype=object)
    if people.ndim == 1:
        people = np.tile(people, (len(pairs), 1))
    if people.ndim != 2 or len(people) != len(pairs) or not people.size:
        raise BadInput("every pair needs the same number of judges, one or more", field="judges")
    if any(len(set(row)) < len(row) for row in people):
        raise BadInput("somebody judges a pair twice; a repeat is another occasion", field="judges")
    count = people.shape[1]
    firsts = count // 2 + (_favour_first(pairs, rng) if count % 2 else 0)
    place = np.argsort(rng.random(people.shape), axis=1).argsort(axis=1)
    is_first = (place < np.broadcast_to(firsts, len(pairs))[:, np.newaxis]).ravel()
    named = pairs[["topic_id", "first", "second"]].reset_index(drop=True)
    rows = named.loc[named.index.repeat(count)].reset_index(drop=True)
    left = rows["first"].where(is_first, rows["second"])
    return rows.assign(assessor_id=people.ravel().astype(str), occasion=0, left=left)


def _favour_first(pairs: pd.DataFrame, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return 1 for the pairs whose first stands on the left once more, 0 for the others."""
    met = pairs.groupby(["first", "second"], sort=False).ngroup().to_numpy()
    group = rng.permutation(len(pairs))[met]
    order = np.lexsort((rng.random(len(pairs)), group))
    favoured = np.empty(len(pairs), dtype=np.int64)
    favoured[order] = (np.arange(len(pairs)) + rng.integers(2)) % 2
    return favoured


def swap_sides(assignment: pd.DataFrame) -> pd.DataFrame:
    """Return the same pairs for the same judges as a repeat, each item on the other side.

    Parameters
    ----------
    assignment : DataFrame
        As ``assign_sides`` returns it, or some of its rows.
    """
    left = assignment["second"].where(
        assignment["left"] == assignment["first"], assignment["first"]
    )
    return assignment.assign(left=left, occasion=assignment["occasion"] + 1)
