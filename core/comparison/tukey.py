"""Tukey's honestly significant differences of all pairs of systems, by permutation and by theory.

References
----------
Carterette (2012), ACM Transactions on Information Systems 30(1), doi:10.1145/2094072.2094076.
Sakai (2018), Laboratory Experiments in Information Retrieval, chapter 4,
doi:10.1007/978-981-13-1199-4.
"""

import numpy as np

from core.agreement.intervals import Floats
from core.comparison.permutation import (
    LIMITS,
    Progress,
    Tested,
    critical_value,
    run_blocks,
    tolerance,
)
from core.comparison.studentised_range import find_range, studentised_range


def randomised_tukey(
    values: Floats,
    difference: Floats,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Tested:
    """Return p of each difference: how often chance alone spreads the best and worst as far.

    The scores of each topic are permuted over all systems; p is the share of permutations,
    the observed one among them, whose largest difference of means is at least as large.

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores.
    difference : array, shape (n_pairs,)
        Of the means of two systems.
    samples : int
        Random permutations.
    rng, progress, threads
        See ``run_blocks``.

    Returns
    -------
    Tested
        p in [1/(samples + 1), 1]; limits as far on both sides as chance spreads best and worst in
        5 % of the permutations.
    """
    cells = _Cells(values)
    blocks = run_blocks(cells.largest_difference, values.size, samples, rng, progress, threads)
    largest = np.sort(np.concatenate(list(blocks)))
    least = np.abs(difference) - tolerance(values)
    p = (1 + samples - np.searchsorted(largest, least)) / (samples + 1)
    return _with_limits(values, difference, p, critical_value(largest))


def _with_limits(values: Floats, difference: Floats, p: Floats, wide: float) -> Tested:
    """Return p with limits that are as wide for all pairs: NaN where no residual is left."""
    half = wide + tolerance(values) if residual_deviation(values) > 0 else np.nan
    return Tested(p, difference - half, difference + half)


class _Cells:
    """The scores laid out for permuting: a random key's low bits say which score it carries."""

    def __init__(self, values: Floats) -> None:
        # Away from the topics' means nothing is lost, and sums round less.
        self.scores = (values - values.mean(axis=1, keepdims=True)).ravel()
        self.shape = values.shape
        bits = int(values.size - 1).bit_length()
        self.low = np.uint64((1 << bits) - 1)
        self.position = np.arange(values.size, dtype=np.uint64).reshape(len(values), 1, -1)

    def largest_difference(self, samples: int, rng: np.random.Generator) -> Floats:
        """Return the largest difference of means after each of some permutations."""
        topics, systems = self.shape
        keys = rng.integers(0, 1 << 64, size=(topics, samples, systems), dtype=np.uint64)
        keys &= ~self.low
        keys |= self.position
        keys.sort(axis=2)
        keys &= self.low
        sums = self.scores.take(keys.view(np.int64)).sum(axis=0)
        spread: Floats = np.ptp(sums, axis=1) / topics
        return spread


def parametric_tukey(values: Floats, difference: Floats) -> Tested:
    """Return p and limits of each difference by a two-way analysis of variance, no replication.

    Parameters
    ----------
    values, difference
        See ``randomised_tukey``.

    Returns
    -------
    Tested
        p in [0, 1]; where no residual is left, 0, and 1 for equal means.
    """
    topics, systems = values.shape
    error = residual_deviation(values) / np.sqrt(topics)
    apart = np.where(np.abs(difference) > tolerance(values), np.abs(difference), 0)
    q = np.divide(apart, error, out=np.where(apart > 0, np.inf, 0.0), where=error > 0)
    freedom = (topics - 1) * (systems - 1)
    p = studentised_range(q, systems, freedom)
    return _with_limits(values, difference, p, find_range(LIMITS, systems, freedom) * error)


def residual_deviation(values: Floats) -> float:
    """Return the standard deviation left after topics and systems: 0 where it is but rounding."""
    topics, systems = values.shape
    left = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    deviation = float(np.sqrt((left**2).sum() / ((topics - 1) * (systems - 1))))
    return deviation if deviation > tolerance(values) else 0.0
