"""The max-t test of all pairs of systems: studentised, randomised, in one step or step-down.

References
----------
Westfall and Young (1993), Resampling-Based Multiple Testing, Wiley.
Romano and Wolf (2005), Journal of the American Statistical Association 100(469),
doi:10.1198/016214504000000539.
Smyth (2004), Statistical Applications in Genetics and Molecular Biology 3(1),
doi:10.2202/1544-6115.1027: variances moderated by those of all.
"""

import numpy as np

from core.agreement.intervals import Floats
from core.comparison.paired import means_apart, paired_deviation, squared_cosine
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


PRIOR = 12
"""So many degrees of freedom the mean variance of all pairs counts beside each pair's own."""


def moderated_max_t(
    values: Floats,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Tested:
    """Return p and limits as `max_t` does, but that each pair's variance is drawn to their mean.

    Of very many pairs on few topics, some have differences that happen to vary little where the
    topics that are far off were not drawn; their own standard deviation is then too small, and the
    largest t too large. So the variance of a pair is the mean of its own, by its n − 1 degrees of
    freedom, and that of all pairs, by ``PRIOR``: in the observed scores as in each exchange.

    Signs are exchanged twice: of the differences, as `max_t` does, and of what is left of them
    about their means. Differences that are large make those of the first kind alike, so that the
    largest of them tells too little of how far chance goes. The larger p, and so the wider limits,
    count.

    Parameters
    ----------
    values, samples, rng, progress, threads
        As for `max_t`. At least three systems; of two, the mean is their own.

    Returns
    -------
    Tested
        p in [1/(B + 1), 1]. It controls errors as `max_t` does. It finds less of a pair that varies
        much less than the others.
    """
    topics = len(values)
    given, left = _ModeratedPairs(values), _ModeratedPairs(values - values.mean(axis=0))

    def find_largest(signs: Floats) -> Floats:
        return np.stack([one.exchange(signs).max(axis=0) for one in (given, left)])

    blocks = run_exchanges(find_largest, topics, given.cells, samples, rng, progress, threads)
    largest = np.sort(np.concatenate([np.empty((2, 0)), *blocks], axis=1))
    apart, deviation = means_apart(values), paired_deviation(values)
    observed = np.where(np.abs(apart) > tolerance(values), given.observe(), 0)
    below = [np.searchsorted(one, observed * (1 - _ROUNDING)) for one in largest]
    reached = 1 + largest.shape[1] - np.min(below, axis=0)
    critical = max(map(critical_value, largest))
    # By the relation of the share to the mean in moderated standard deviations.
    wide = np.sqrt(critical / (1 - critical)) if critical < 1 else np.inf
    spread = np.where(deviation > 0, given.spread, 1)
    half = np.where(deviation > 0, wide * (1 + _ROUNDING) * spread, np.nan)
    return Tested(reached / exchanges(topics, samples), apart - half, apart + half)


class _ModeratedPairs:
    """The differences of every two systems, with variances drawn together, under exchanges."""

    def __init__(self, values: Floats) -> None:
        self._topics, self._systems = values.shape
        self._centred = (values - values.mean(axis=1, keepdims=True)).T.copy()
        self._first, self._second = np.triu_indices(self._systems, k=1)
        apart = self._centred[self._first] - self._centred[self._second]
        self._squares = (apart**2).sum(axis=1)[:, np.newaxis]
        self._least = self._topics * tolerance(values) ** 2
        self.cells = max(self._topics, len(self._first))
        own = ((apart - apart.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        self.spread = np.sqrt((own + self._weight * own.mean()) / self._topics)

    @property
    def _weight(self) -> float:
        return PRIOR / float(self._topics - 1)

    def observe(self) -> Floats:
        """Return the shares of the scores as they are, shape (n_pairs,)."""
        found: Floats = self.exchange(np.ones((self._topics, 1)))[:, 0]
        return found

    def exchange(self, signs: Floats) -> Floats:
        """Return how much of moderated squares the mean makes, shape (n_pairs, n_exchanges).

        It is in [0, 1] and rises with the absolute moderated t.
        """
        sums = self._centred @ signs
        # Over all pairs, the squared differences of sums are those of each from their mean, 0.
        pairs = len(self._first)
        means = self._systems * (sums**2).sum(axis=0) / (self._topics * pairs)
        pooled = np.maximum(self._squares.mean() - means, 0)
        whole = self._squares + self._weight * pooled
        share: Floats = sums[self._first]
        share -= sums[self._second]
        np.square(share, out=share)
        varies = whole > self._least
        share /= self._topics * np.where(varies, whole, 1)
        share[~varies] = 0
        return share


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
