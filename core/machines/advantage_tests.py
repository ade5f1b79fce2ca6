"""Tests of whether a person is better than a machine by some margin, for many people at once."""

import numpy as np
import numpy.typing as npt

from core.agreement.intervals import Floats, divide, jackknife_deviation, tail_freedom

FEW_ITEMS = 30
"""Below so many items the authors of the alternative annotator test rank the differences."""

_FEW_RANKED = 13
"""Up to so many items sums of ranks are counted out; SciPy does the same where there are ties."""

_ROUNDING = 1e-12


def p_over_items(outcomes: Floats, epsilon: float) -> Floats:
    """Return one-sided p values of the hypothesis that the mean difference is ``epsilon`` or more.

    Parameters
    ----------
    outcomes : array, shape (3, n_people)
        Items with a difference of 1, 0 and −1; each person has some.
    epsilon : float
        In [0, 1).

    Returns
    -------
    array, shape (n_people,)
        By Student's t from 30 items on, infinite where all differences are the same; else by
        Wilcoxon's signed ranks of the differences less ``epsilon``, of which 0 is left out: exactly
        up to 13 items, above by the normal approximation corrected for ties, as SciPy has it. 1
        where all of these are 0.

    References
    ----------
    Wilcoxon (1945), Biometrics Bulletin 1(6), doi:10.2307/3001968.
    """
    p = _student(outcomes, epsilon)
    few = np.flatnonzero(outcomes.sum(axis=0) < FEW_ITEMS)
    if len(few):
        alike, position = np.unique(outcomes[:, few], axis=1, return_inverse=True)
        ranked = np.array([_wilcoxon(own, epsilon) for own in alike.T])
        p[few] = ranked[np.ravel(position)]
    return p


def _student(outcomes: Floats, epsilon: float) -> Floats:
    from scipy.special import stdtr

    ahead, _, behind = outcomes
    n = outcomes.sum(axis=0)
    mean = (ahead - behind) / n
    variance = np.maximum(divide(ahead + behind - n * mean**2, n - 1), 0)
    error = np.sqrt(variance / n)
    t = np.where(mean < epsilon, -np.inf, np.inf)
    np.divide(mean - epsilon, error, out=t, where=error > _ROUNDING)
    p: Floats = stdtr(np.maximum(n - 1, 1), t)
    return p


def _wilcoxon(outcomes: Floats, epsilon: float) -> float:
    """Return the p of the signed ranks of one person's differences; these have three values."""
    from scipy.special import ndtr

    shifted = np.array([1.0, 0.0, -1.0]) - epsilon
    n = outcomes[shifted != 0].sum()
    if not n:
        return 1.0
    size = np.where(shifted != 0, outcomes, 0)
    far = np.abs(shifted)
    below, same = (size @ compare(far[:, np.newaxis], far) for compare in (np.less, np.equal))
    rank = below + (same + 1) / 2
    found = (size * rank)[shifted > 0].sum()
    if outcomes.sum() <= _FEW_RANKED:
        return _rank_sum_chance(size, rank, found)
    tied = (size * (same**2 - 1)).sum() / 2
    error = np.sqrt((n * (n + 1) * (2 * n + 1) - tied) / 24)
    return float(ndtr((found - n * (n + 1) / 4) / error))


def _rank_sum_chance(size: Floats, rank: Floats, found: float) -> float:
    """Return how often a sum of ranks, each with chance one half, is ``found`` or less.

    There are ``size`` of each ``rank``, so that the sum is one of three binomial variables.
    """
    from scipy.special import comb

    ranges = [np.arange(number + 1) for number in size]
    drawn = np.stack([np.ravel(part) for part in np.meshgrid(*ranges)])
    chance = (comb(size[:, np.newaxis], drawn) / 2.0 ** size[:, np.newaxis]).prod(axis=0)
    return float(min(chance[rank @ drawn <= found].sum(), 1.0))


def p_over_topics(outcomes: Floats, epsilon: float) -> Floats:
    """Return the p values of the same hypothesis, with topics as what is sampled.

    Parameters
    ----------
    outcomes : array, shape (3, n_topics, n_people)
        Items of each topic with a difference of 1, 0 and −1.
    epsilon : float
        In [0, 1).

    Returns
    -------
    array, shape (n_people,)
        By Student's t: the mean over items less ``epsilon``, over the jackknife's standard error,
        with the degrees of freedom of `tail_freedom`. Where all topics have the same mean m, the
        chance to have missed every topic that would make it ``epsilon``, ((1 − ε)/(1 − m))^topics,
        at most 1. NaN for fewer than two topics.
    """
    from scipy.special import stdtr

    sums, items = outcomes[0] - outcomes[2], outcomes.sum(axis=0)
    person, topic = np.nonzero(items.T)
    starts = np.flatnonzero(np.diff(person, prepend=-1))
    mean = sums.sum(axis=0) / items.sum(axis=0)
    without = divide(
        sums.sum(axis=0)[person] - sums[topic, person],
        items.sum(axis=0)[person] - items[topic, person],
    )
    topics = np.count_nonzero(items, axis=0)
    error = jackknife_deviation(without, starts)
    t = np.full(len(mean), -np.inf)
    np.divide(mean - epsilon, error, out=t, where=error > _ROUNDING)
    unseen = np.minimum(divide(np.full_like(mean, 1 - epsilon), 1 - mean), 1)
    alike = np.where(mean < epsilon, np.nan_to_num(unseen, nan=1.0) ** topics, 1.0)
    p = np.where(error > _ROUNDING, stdtr(tail_freedom(without, starts), t), alike)
    return np.where(topics > 1, p, np.nan)


def adjust_false_discovery(p: Floats) -> Floats:
    """Return p values as they are after Benjamini and Yekutieli's procedure, in the same order.

    What is at most q afterwards may be rejected: of all that is, the expected share that is true is
    q at most, however the tests depend on each other.

    Parameters
    ----------
    p : array, shape (n_tests,)

    References
    ----------
    Benjamini and Yekutieli (2001), The Annals of Statistics 29(4), doi:10.1214/aos/1013699998.

    Examples
    --------
    >>> adjust_false_discovery(np.array([0.01, 0.04])).tolist()
    [0.03, 0.06]
    """
    order = np.argsort(-p, kind="stable")
    rank = np.arange(len(p), 0, -1)
    harmonic = (1 / np.maximum(rank, 1)).sum()
    stepped = np.minimum.accumulate(p[order] * (len(p) * harmonic / rank))
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(stepped, 1)
    return adjusted


def is_rejected(p: Floats, rate: float) -> npt.NDArray[np.bool_]:
    """Return which hypotheses are rejected at a false discovery rate; what is NaN is not."""
    return np.asarray(adjust_false_discovery(np.where(np.isnan(p), 1.0, p)) <= rate)
