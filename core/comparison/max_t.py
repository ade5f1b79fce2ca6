"""The max-t test of all pairs of systems: studentised, randomised, in one step or step-down.

References
----------
Westfall and Young (1993), Resampling-Based Multiple Testing, Wiley.
Romano and Wolf (2005), Journal of the American Statistical Association 100(469),
doi:10.1198/016214504000000539.
"""

import numpy as np

from core.agreement.intervals import Floats
from core.comparison.paired import paired_deviation, squared_cosine
from core.comparison.permutation import (
    Progress,
    Tested,
    critical_value,
    exchanges,
    run_exchanges,
    tolerance,
)

_ROUNDING = 1e-9


def max_t(
    values: Floats,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Tested:
    """Return p and limits of the difference of every two systems, for all pairs at once.

    The signs of all differences on a random half of the topics are exchanged. The statistic of a
    pair is the absolute t of its own differences, so that a pair that varies much does not hide
    one that varies little. A pair's p is the share of exchanges, the observed scores among them,
    whose largest t of all pairs is at least as large (one step). Its limits are those of Student's
    t, with the largest t that is reached in 5 % of the exchanges for its quantile.

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores.
    samples : int
        Random exchanges (B); all 2^(n_topics − 1) are made where they are no more than B + 1.
    rng, progress, threads
        See ``run_exchanges``.

    Returns
    -------
    Tested
        p in [1/(B + 1), 1]. It controls the chance of any false difference among all pairs where
        the differences between equal systems are spread alike on both sides of 0, whatever their
        variances and correlations.
    """
    pairs = _Pairs(values)
    topics = len(values)

    def find_largest(signs: Floats) -> Floats:
        found: Floats = pairs.exchange(signs).max(axis=0)
        return found

    blocks = run_exchanges(find_largest, topics, pairs.cells, samples, rng, progress, threads)
    largest = np.sort(np.concatenate([np.empty(0), *blocks]))
    reached = 1 + len(largest) - np.searchsorted(largest, pairs.observed * (1 - _ROUNDING))
    critical = critical_value(largest)
    # In standard deviations of the differences: t/√n, by the relation of t and the cosine.
    wide = (
        np.sqrt((topics - 1) / topics * critical / (topics - critical))
        if critical < topics
        else np.inf
    )
    apart, deviation = pairs.means, paired_deviation(values)
    half = np.where(
        deviation > 0, wide * (1 + _ROUNDING) * np.where(deviation > 0, deviation, 1), np.nan
    )
    return Tested(reached / exchanges(topics, samples), apart - half, apart + half)


def step_down_max_t(
    values: Floats,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Tested:
    """Return p as `max_t` does, but that clearer pairs are set aside for what is less clear.

    The largest t of an exchange is that over those pairs only whose observed t is no larger, as
    clearer ones have been rejected before. It finds more than one step does, with the same control
    of errors; but no limits belong to it.

    Parameters
    ----------
    values, samples, rng, progress, threads
        As for `max_t`.

    Returns
    -------
    Tested
        p in [1/(B + 1), 1], limits NaN.
    """
    pairs = _Pairs(values)
    topics, order = len(values), np.argsort(pairs.observed, kind="stable")
    # From the least clear pair on, each is compared with the largest of those up to itself.
    pairs.take(order)
    least = (pairs.observed * (1 - _ROUNDING))[:, np.newaxis]

    def count(signs: Floats) -> Floats:
        t = pairs.exchange(signs)
        np.maximum.accumulate(t, axis=0, out=t)
        reached: Floats = np.count_nonzero(t >= least, axis=1).astype(np.float64)
        return reached

    blocks = run_exchanges(count, topics, pairs.cells, samples, rng, progress, threads)
    reached = 1 + sum(blocks, start=np.zeros(len(order)))
    p = np.empty(len(order))
    # No pair is clearer than one with a larger t.
    p[order] = np.maximum.accumulate(reached[::-1])[::-1] / exchanges(topics, samples)
    none = np.full(len(order), np.nan)
    return Tested(p, none, none)


class _Pairs:
    """The differences of every two systems, and their squared cosines under exchanges."""

    def __init__(self, values: Floats) -> None:
        topics, systems = values.shape
        self._centred = (values - values.mean(axis=1, keepdims=True)).T.copy()
        self._first, self._second = np.triu_indices(systems, k=1)
        apart = self._centred[self._first] - self._centred[self._second]
        squares = (apart**2).sum(axis=1)
        varies = squares > topics * tolerance(values) ** 2
        self.means = apart.mean(axis=1)
        self.observed = squared_cosine(apart.sum(axis=1), squares, varies)
        self._scale = np.where(varies, 1 / np.where(varies, squares, 1), 0)[:, np.newaxis]
        self.cells = max(topics, len(self._first) // 2)

    def take(self, order: "np.ndarray[tuple[int], np.dtype[np.intp]]") -> None:
        """Put the pairs in an order."""
        self._first, self._second = self._first[order], self._second[order]
        self.observed, self._scale = self.observed[order], self._scale[order]

    def exchange(self, signs: Floats) -> Floats:
        """Return the squared cosine of each pair, shape (n_pairs, n_exchanges)."""
        sums = self._centred @ signs
        t: Floats = sums[self._first]
        t -= sums[self._second]
        np.square(t, out=t)
        t *= self._scale
        return t
