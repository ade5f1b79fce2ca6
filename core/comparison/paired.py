"""Tests of two systems at a time on the same topics, and corrections for how many there are."""

from collections.abc import Iterator

import numpy as np

from core.agreement.intervals import Floats, draw_topics
from core.comparison.permutation import (
    TOLERANCE,
    Progress,
    Tested,
    exchanges,
    keep_largest,
    rank_of_limit,
    run_blocks,
    run_exchanges,
    tolerance,
)


def paired_t(values: Floats, limits: float = np.nan) -> Tested:
    """Return p and limits of Student's paired t test of every two systems, two-sided.

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores.
    limits : float
        Limits leave out what has a p below this; NaN for no limits.

    Returns
    -------
    Tested
        p in [0, 1]; where two systems differ by the same on every topic, 0, and 1 where they do not
        differ at all. Limits are NaN there.
    """
    from scipy.special import stdtr, stdtrit

    topics = len(values)
    apart, deviation = _differences(values)
    t = np.divide(
        apart * np.sqrt(topics),
        deviation,
        out=np.where(apart > tolerance(values), np.inf, 0.0),
        where=deviation > 0,
    )
    wide = stdtrit(topics - 1, 1 - limits / 2) / np.sqrt(topics)
    return Tested(2 * stdtr(topics - 1, -t), *limits_around(values, wide))


def limits_around(values: Floats, wide: Floats | float) -> tuple[Floats, Floats]:
    """Return limits so many standard deviations of its differences from the mean of each pair.

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores.
    wide : float or array, shape (n_pairs,)
        At least 0; may be infinite.

    Returns
    -------
    low, high : array, shape (n_pairs,)
        NaN where two systems differ by the same on every topic, as nothing tells how far they
        would differ on another.
    """
    apart, deviation = means_apart(values), paired_deviation(values)
    varies = deviation > 0
    half = np.where(varies, wide * np.where(varies, deviation, 1), np.nan)
    return apart - half, apart + half


def paired_randomisation(
    values: Floats,
    limits: float,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Tested:
    """Return p and limits of the paired randomisation test of every two systems, two-sided.

    The scores of the two systems are swapped on a random half of the topics; p is the share of
    such exchanges, the observed scores among them, with means at least as far apart. The limits
    hold what the test would not find if it were taken off all differences: an exchange brings means
    further apart than a difference that lies between the mean of the topics that are swapped and
    that of the others.

    Parameters
    ----------
    values, limits
        As for `paired_t`.
    samples : int
        Random exchanges (B), the same ones for every two systems; all 2^(n_topics − 1) are made
        where they are no more than B + 1.
    rng, progress, threads
        See ``run_exchanges``.

    Returns
    -------
    Tested
        p in [1/(B + 1), 1].

    References
    ----------
    Smucker, Allan and Carterette (2007), CIKM, doi:10.1145/1321440.1321528.
    """
    topics, systems = values.shape
    centred = (values - values.mean(axis=1, keepdims=True)).T.copy()
    first, second = np.triu_indices(systems, k=1)
    least = topics * (_differences(values)[0] - tolerance(values))[:, np.newaxis]
    apart = topics * means_apart(values)[:, np.newaxis]
    made = exchanges(topics, samples)
    rank = 0 if np.isnan(limits) else rank_of_limit(made, limits)
    reached = np.ones(len(first))

    def exchange(signs: Floats) -> tuple[Floats, Floats]:
        """Return how many reach the observed distance, and how far off each allows a difference."""
        sums = centred @ signs
        far = sums[first] - sums[second]
        counts: Floats = (np.abs(far) >= least).sum(axis=1)
        if not rank:
            return counts, far[:0]
        stay = signs.sum(axis=0)
        is_part = np.abs(stay) < topics
        swapped = (apart - far) / np.where(is_part, topics - stay, 1)
        others = (apart + far) / np.where(is_part, topics + stay, 1)
        ends = np.concatenate([-np.minimum(swapped, others), np.maximum(swapped, others)])
        return counts, np.where(is_part, ends, np.inf)

    def count() -> Iterator[Floats]:
        blocks = run_exchanges(exchange, topics, cells, samples, rng, progress, threads)
        for counts, ends in blocks:
            reached[:] += counts
            yield ends

    # Products this small stay in their thread; larger ones make numpy's own threads wait.
    cells = max(topics + len(first), values.size // 4)
    ends = keep_largest(count(), max(rank, 1), 2 * len(first) if rank else 0)[:, 0]
    if not rank:
        ends = np.full(2 * len(first), limits * np.inf)
    ends = np.where(np.tile(paired_deviation(values) > 0, 2), ends + tolerance(values), np.nan)
    return Tested(reached / made, -ends[: len(first)], ends[len(first) :])


def paired_bootstrap(
    values: Floats,
    limits: float,
    samples: int,
    rng: np.random.Generator,
    progress: Progress,
    threads: int = 1,
) -> Tested:
    """Return p and limits of the paired bootstrap test of every two systems, two-sided.

    Topics are drawn with replacement from differences whose mean is moved to 0; p is the share of
    draws, the observed scores among them, whose absolute t is at least as large. Limits are those
    of Student's t with the t that few enough draws reach for its quantile (bootstrap-t).

    Parameters
    ----------
    values, limits, rng, progress, threads
        As for `paired_randomisation`.
    samples : int
        Random draws of topics (B), the same ones for every two systems.

    Returns
    -------
    Tested
        p in [1/(B + 1), 1].

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

    rank = 0 if np.isnan(limits) else rank_of_limit(samples + 1, limits)
    reached = np.ones(len(first))

    def draw(size: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Return how many draws reach the observed share of the mean, and the shares."""
        drawn = draw_topics(topics, size, rng).T / topics
        mean_squares = squares @ drawn
        squared = (apart.T @ drawn) ** 2
        counts: Floats = (
            (squared >= least * mean_squares) & ((mean_squares > 0) | (least <= 0))
        ).sum(axis=1)
        some = mean_squares > 0
        shares = np.where(some, squared / np.where(some, mean_squares, 1), 0)
        return counts, shares if rank else shares[:0]

    def count() -> Iterator[Floats]:
        blocks = run_blocks(draw, max(topics, len(first)), samples, rng, progress, threads)
        for counts, shares in blocks:
            reached[:] += counts
            yield shares

    share = keep_largest(count(), max(rank, 1), len(first) if rank else 0)[:, 0]
    if not rank:
        share = np.full(len(first), np.nan if np.isnan(limits) else 1.0)
    # A draw of nothing but one difference has no spread: its t is infinite.
    rest = np.where(share < 1, 1 - share, 1)
    wide = np.where(
        share < 1,
        np.sqrt(share / rest * (topics - 1) / topics),
        np.where(np.isnan(share), np.nan, np.inf),
    )
    wide *= 1 + TOLERANCE
    return Tested(reached / (samples + 1), *limits_around(values, wide))


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


def paired_deviation(values: Floats) -> Floats:
    """Return the standard deviation of every two systems' differences, shape (n_pairs,).

    It is 0 where it is nothing but rounding.
    """
    return _differences(values)[1]


SKEWED = 1.7
"""Differences this skewed are rare by chance: one in twenty samples of 10 to 50 topics is, of
Laplace's distribution, which is symmetric and has heavy tails."""


def are_skewed(values: Floats) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Tell of which two systems the differences lie so much on one side that tests err more often.

    Parameters
    ----------
    values : array, shape (n_topics, n_systems)
        Scores.

    Returns
    -------
    array of bool, shape (n_pairs,)
        Where the skewness (third central moment by the cubed standard deviation, both over n) is
        above ``SKEWED`` in size; fewer than six topics cannot be so skewed. What none of the topics
        shows is not seen: gains on one topic in ten are missed by 35 % of samples of ten topics,
        and by 11 % of 21.
    """
    first, second = np.triu_indices(values.shape[1], k=1)
    centred = values - values.mean(axis=1, keepdims=True)
    apart = centred[:, first] - centred[:, second]
    apart -= apart.mean(axis=0)
    deviation = apart.std(axis=0)
    varies = deviation > tolerance(values)
    skewness = (apart**3).mean(axis=0) / np.where(varies, deviation, 1) ** 3
    found: np.ndarray[tuple[int], np.dtype[np.bool_]] = varies & (np.abs(skewness) > SKEWED)
    return found


def means_apart(values: Floats) -> Floats:
    """Return the difference of every two means, shape (n_pairs,)."""
    first, second = np.triu_indices(values.shape[1], k=1)
    centred = values - values.mean(axis=1, keepdims=True)
    apart: Floats = (centred[:, first] - centred[:, second]).mean(axis=0)
    return apart


def _differences(values: Floats) -> tuple[Floats, Floats]:
    """Return how far apart every two systems are, and the standard deviation of that."""
    first, second = np.triu_indices(values.shape[1], k=1)
    centred = values - values.mean(axis=1, keepdims=True)
    apart = centred[:, first] - centred[:, second]
    deviation = apart.std(axis=0, ddof=1)
    return np.abs(apart.mean(axis=0)), np.where(deviation > tolerance(values), deviation, 0)
