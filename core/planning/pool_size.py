"""How many documents of a topic are judged: the size of a pool by its depth."""

from collections.abc import Sequence

import numpy as np

from core.agreement.intervals import Floats
from core.errors import BadInput
from core.orders.candidates import Candidates


def measure_pools(candidates: Candidates, depths: Sequence[int]) -> Floats:
    """Return the mean number of documents of a topic in pools of these depths.

    Parameters
    ----------
    candidates : Candidates
        The pool of the runs, at least as deep as the greatest of the depths.
    depths : sequence of int
        How far down each run is taken, from 1.

    Returns
    -------
    array, shape (n_depths,)
        Over the topics of the runs.

    Raises
    ------
    BadInput
        There are no runs.
    """
    if not len(candidates):
        raise BadInput("there are no runs to pool; say how much runs overlap instead")
    best = candidates.best_rank
    held = np.array([np.count_nonzero(best <= depth) for depth in depths])
    return held / len(candidates.topics)


def assume_pools(systems: int, overlap: float, depths: Sequence[int]) -> Floats:
    """Return the number of documents of a topic in pools, from how much runs overlap.

    Parameters
    ----------
    systems : int
        How many runs are pooled, from 1.
    overlap : float
        What part of a further run's documents is in the pool already, from 0 (none) to 1 (all).
    depths : sequence of int
        How far down each run is taken, from 1.

    Returns
    -------
    array, shape (n_depths,)
        k (1 + (s − 1)(1 − overlap)).

    Raises
    ------
    BadInput
        A number is out of its range.
    """
    if systems < 1:
        raise BadInput("one run is pooled, or more", field="systems")
    if not 0 <= overlap <= 1:
        raise BadInput("the overlap of runs is from 0 to 1", field="overlap")
    return np.asarray(depths, dtype=np.float64) * (1 + (systems - 1) * (1 - overlap))
