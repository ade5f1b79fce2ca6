"""Tests of two systems at a time on the same topics, and corrections for how many there are."""

import numpy as np

from core.agreement.intervals import Floats, draw_topics
from core.comparison.permutation import (
    TOLERANCE,
    Progress,
    exchanges,
    run_blocks,
    run_exchanges,
    tolerance,
)


def paired_t(values: Floats) -> Floats:
    """Return p of Student's paired t test of every two systems, two-sided.

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores.

    Returns
    -------
    array, shape (n_pairs,)
        In [0, 1]; where two systems differ by the same on every topic, 0, and 1 where they do not
        differ at all.
    """
    from scipy.special import stdtr

    topics = len(values)
    apart, deviation = _differences(values)
    t = np.divide(
        apart * np.sqrt(topics),
        deviation,
        out=np.where(apart > tolerance(values), np.inf, 0.0),
        where=deviation > 0,
    )
    p: Floats = 2 * stdtr(topics - 1, -t)
    return p


def paired_randomisation(
    values: Floats,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Floats:
    """Return p of the paired randomisation test of every two systems, two-sided.

    The scores of the two systems are swapped on a random half of the topics; p is the share of
    such exchanges, the observed scores among them, with means at least as far apart.

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores.
    samples : int
        Random exchanges (B), the same ones for every two systems; all 2^(n_topics − 1) are made
        where they are no more than B + 1.
    rng, progress, threads
        See ``run_exchanges``.

    Returns
    -------
    array, shape (n_pairs,)
        In [1/(B + 1), 1].

    References
    ----------
    Smucker, Allan and Carterette (2007), CIKM, doi:10.1145/1321440.1321528.
    """
    topics, systems = values.shape
    centred = (values - values.mean(axis=1, keepdims=True)).T.copy()
    first, second = np.triu_indices(systems, k=1)
    least = topics * (_differences(values)[0] - tolerance(values))[:, np.newaxis]

    def count(signs: Floats) -> Floats:
        sums = centred @ signs
        counts: Floats = (np.abs(sums[first] - sums[second]) >= least).sum(axis=1)
        return counts

    # Products this small stay in their thread; larger ones make numpy's own threads wait.
    cells = max(topics + len(first), values.size // 4)
    blocks = run_exchanges(count, topics, cells, samples, rng, progress, threads)
    return (1 + sum(blocks, start=np.zeros(len(first)))) / exchanges(topics, samples)


def paired_bootstrap(
    values: Floats,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Floats:
    """Return p of the paired bootstrap test of every two systems, two-sided.

    Topics are drawn with replacement from differences whose mean is moved to 0; p is the share of
    draws, the observed scores among them, whose absolute t is at least as large.

    Parameters
    ----------
    values, rng, progress, threads
        As for `paired_randomisation`.
    samples : int
        Random draws of topics (B), the same ones for every two systems.

    Returns
    -------
    array, shape (n_pairs,)
        In [1/(B + 1), 1].

    References
    ----------
    Sakai (2006), SIGIR, doi:10.1145/1148170.1148261.
    Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 16.4.
    """
    topics, systems = values.shape
    first, second = np.triu_indices(systems, k=1)
    apart = values[:, first] - values[:, second]
    means, deviation = _differences(values)
    varies = deviation > 0
    apart = np.where(varies, apart - apart.mean(axis=0), 0)
    observed = np.where(varies, means / np.where(varies, deviation, 1), np.inf)
    observed[means <= tolerance(values)] = 0
    # t² is monotone in the share of the mean in the mean square, which needs no division by 0.
    least = _share_of_mean(observed, topics)[:, np.newaxis] * (1 - TOLERANCE)
    squares = apart.T**2

    def count(size: int, rng: np.random.Generator) -> Floats:
        drawn = draw_topics(topics, size, rng).T / topics
        mean_squares = squares @ drawn
        reached = (apart.T @ drawn) ** 2 >= least * mean_squares
        counts: Floats = (reached & ((mean_squares > 0) | (least <= 0))).sum(axis=1)
        return counts

    cells = max(topics, len(first))
    blocks = run_blocks(count, cells, samples, rng, progress, threads)
    return (1 + sum(blocks, start=np.zeros(len(first)))) / (samples + 1)


def _share_of_mean(effect: Floats, topics: int) -> Floats:
    """Return mean² over the mean square of differences, from the mean in standard deviations."""
    squared = np.square(effect)
    left = (topics - 1) / topics
    known = np.isfinite(squared)
    return np.where(known, squared / np.where(known, squared + left, 1), 1.0)


def squared_cosine(sums: Floats, squares: Floats, varies: Floats) -> Floats:
    """Return how much of the differences is their mean, which rises with the absolute t.

    Parameters
    ----------
    sums, squares : array, shape (n_pairs,)
        Of the differences over topics, and of their squares.
    varies : array of bool, shape (n_pairs,)
        Where they are more than rounding.

    Returns
    -------
    array, shape (n_pairs,)
        sums² / squares, in [0, n_topics]; 0 where there is nothing but rounding. With n topics,
        t² = (n − 1) c / (n − c).
    """
    return np.where(varies, sums**2 / np.where(varies, squares, 1), 0)


def bonferroni_interval(values: Floats, pairs: int) -> tuple[Floats, Floats]:
    """Limits of the difference of every two means, by Student's t and Bonferroni.

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores; topics are what is sampled.
    pairs : int
        For how many differences the limits hold at once with a chance of 95 %; 1 for each alone.

    Returns
    -------
    low, high : array, shape (n_pairs,)
        NaN where two systems differ by the same on every topic, as nothing tells how far they
        would differ on another.
    """
    from scipy.special import stdtrit

    topics = len(values)
    first, second = np.triu_indices(values.shape[1], k=1)
    means = values.mean(axis=0)
    apart, deviation = means[first] - means[second], paired_deviation(values)
    wide = stdtrit(topics - 1, 1 - 0.025 / pairs) * deviation / np.sqrt(topics)
    half = np.where(deviation > 0, wide, np.nan)
    return apart - half, apart + half


def paired_deviation(values: Floats) -> Floats:
    """Return the standard deviation of every two systems' differences, shape (n_pairs,).

    It is 0 where it is nothing but rounding.
    """
    return _differences(values)[1]


def correct(p: Floats, correction: str) -> Floats:
    """Return p as it is after a correction for the number of tests, in the same order.

    Parameters
    ----------
    p : array, shape (n_tests,)
        From single tests.
    correction : {'holm', 'bonferroni', 'none'}
        Both corrections bound the chance of any false rejection; Holm's rejects more.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6(2).
    """
    if correction == "none":
        return p
    if correction == "bonferroni":
        return np.minimum(p * len(p), 1)
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1)
    return corrected


def _differences(values: Floats) -> tuple[Floats, Floats]:
    """Return how far apart every two systems are, and the standard deviation of that."""
    first, second = np.triu_indices(values.shape[1], k=1)
    centred = values - values.mean(axis=1, keepdims=True)
    apart = centred[:, first] - centred[:, second]
    deviation = apart.std(axis=0, ddof=1)
    return np.abs(apart.mean(axis=0)), np.where(deviation > tolerance(values), deviation, 0)
