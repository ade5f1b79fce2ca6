"""Intervals: Wilson's, by derivatives, by leaving topics out, and by drawing them again."""

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from core.agreement.ratings import Codes

Floats = npt.NDArray[np.float64]

_UPPER = 0.975
Z95 = NormalDist().inv_cdf(_UPPER)

_ROUNDING = 1e-12
"""What is no larger is rounding."""

_UNSEEN_PART = 0.04
"""The part of a unit at an end of the range that has not been seen, as `mean_interval` takes it."""

_MOST_UNSEEN = 0.44
"""What of the squared deviations that have been seen it may add at most: for topics alike."""

_MORE_CASES = 0.25
"""What log odds are computed with on either side: without it limits near an end are too wide."""


LOG_ODDS = "t on log odds"
"""What the limits of `mean_interval` are called."""


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient, NaN where the denominator is not above 0."""
    quotient = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient


def wilson_interval(successes: Floats, trials: Floats) -> tuple[Floats, Floats]:
    """95 % score limits of a proportion.

    Parameters
    ----------
    successes, trials : array, shape (...)

    Returns
    -------
    low, high : array, shape (...)
        In [0, 1]; NaN without trials.

    References
    ----------
    Wilson (1927), Journal of the American Statistical Association 22(158),
    doi:10.1080/01621459.1927.10502953.
    """
    failures = trials - successes
    centre = divide(successes + Z95**2 / 2, trials + Z95**2)
    half = Z95 * np.sqrt(divide(successes * failures, trials) + Z95**2 / 4) / (trials + Z95**2)
    return np.maximum(centre - half, 0), np.minimum(centre + half, 1)


def exact_interval(successes: Floats, trials: Floats) -> tuple[Floats, Floats]:
    """95 % exact limits of a proportion: no limit is beyond it in more than 2.5 % of studies.

    They leave out one half just where the exact two-sided p of a sign test is below .05.

    Parameters
    ----------
    successes, trials : array, shape (...)

    Returns
    -------
    low, high : array, shape (...)
        In [0, 1]; NaN without trials.

    References
    ----------
    Clopper and Pearson (1934), Biometrika 26(4), doi:10.1093/biomet/26.4.404.
    """
    from scipy.special import betaincinv

    failures = trials - successes
    low = np.where(successes > 0, betaincinv(successes, failures + 1, 1 - _UPPER), 0.0)
    high = np.where(failures > 0, betaincinv(successes + 1, failures, _UPPER), 1.0)
    known = trials > 0
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def delta_interval(
    counts: Floats,
    weights: Floats,
    margins: tuple[Floats, Floats],
    parts: tuple[Floats, Floats],
) -> tuple[Floats, Floats]:
    """95 % limits of a weighted coefficient, from its derivative by the share of each cell.

    Parameters
    ----------
    counts : array, shape (..., L, L)
        Items by the level of the first and of the second assessor.
    weights : array, shape (L, L)
        How far two levels agree; symmetric.
    margins : pair of arrays, shape (..., L)
        The items by level that chance agreement is computed from: the first assessor's and the
        second's.
    parts : pair of arrays, shape (...)
        Agreement beyond chance, reached and possible, in items.

    Returns
    -------
    low, high : array, shape (...)
        NaN where the coefficient is.
    """
    value, possible = divide(*parts), parts[1]
    items = counts.sum(axis=(-2, -1))[..., np.newaxis]
    by_row = divide(margins[1] @ weights, items)[..., :, np.newaxis]
    by_column = divide(margins[0] @ weights, items)[..., np.newaxis, :]
    slope = weights - (by_row + by_column) * (1 - value)[..., np.newaxis, np.newaxis]
    total, squares = ((counts * part).sum(axis=(-2, -1)) for part in (slope, slope**2))
    spread = np.maximum(squares - divide(total**2, items[..., 0]), 0)
    error = divide(np.sqrt(spread), possible)
    return value - Z95 * error, value + Z95 * error


def jackknife_interval(
    value: Floats,
    without: Floats,
    starts: Codes,
    least: float | Floats = -1.0,
    freedom: Floats | None = None,
) -> tuple[Floats, Floats]:
    """95 % limits from the values that are left when each unit is left out in turn.

    The units, topics say, are what is sampled: whatever differs between them widens the interval.
    Student's t with one degree of freedom less than there are units keeps it honest with few. The
    limits are symmetric on the scale of log odds, ln((v − least)/(1 − v)): near its ends a value
    can only err towards the middle. There v is taken a little nearer to the middle, as if of the
    cases that would vary as much a quarter more had come out on either side.

    Parameters
    ----------
    value : array, shape (n_groups,)
        The estimate of each group of units, from ``least`` to 1.
    without : array, shape (n_units,)
        The estimate without each unit; the units of a group lie together.
    starts : array of int, shape (n_groups,)
        Where each group begins in ``without``.
    least : float or array, shape (n_groups,), default -1
        The least value there is; the greatest is 1.
    freedom : array, shape (n_groups,), optional
        Other degrees of freedom for Student's t.

    Returns
    -------
    low, high : array, shape (n_groups,)
        Where all units give the same, each limit is as far off as the share of units that could
        give its end of the range and have not been seen to (Clopper and Pearson). NaN for fewer
        than two units, and where the estimate is undefined without one of them. Where one unit
        alone speaks against an end of the range, that end is the limit.

    References
    ----------
    Efron and Stein (1981), The Annals of Statistics 9(3), doi:10.1214/aos/1176345462.
    Clopper and Pearson (1934), Biometrika 26(4), doi:10.1093/biomet/26.4.404.
    """
    units = np.diff(starts, append=len(without)).astype(np.float64)
    deviation = jackknife_deviation(without, starts)
    low, high = deviation_interval(value, deviation, units, least, freedom)
    if len(starts):
        known = ~np.isnan(low)
        one_below = known & (np.minimum.reduceat(without, starts) - least <= _ROUNDING)
        one_above = known & (1 - np.maximum.reduceat(without, starts) <= _ROUNDING)
        low, high = np.where(one_below, least, low), np.where(one_above, 1.0, high)
    return low, high


def topic_interval(
    value: Floats,
    without: Floats,
    starts: Codes,
    least: float,
    freedom: Floats,
    bound: float | None = None,
) -> tuple[Floats, Floats]:
    """95 % limits of a coefficient or share over topics, which may have unequally many items.

    Where large topics agree otherwise than small ones the value is biased: the limits reach from
    the lower of two intervals to the upper, around the value and around the value less the
    jackknife's estimate of its bias, which is taken as half of the way to an end of the range at
    most.

    Parameters
    ----------
    value, without, starts, least
        As for `jackknife_interval`; the units are topics.
    freedom : array, shape (n_groups,)
        Degrees of freedom for Student's t: of `topic_freedom`, or of `tail_freedom`.
    bound : float, optional
        As for `reach_down`; limits end there.

    Returns
    -------
    low, high : array, shape (n_groups,)
        As `jackknife_interval` returns them.

    References
    ----------
    Quenouille (1956), Biometrika 43(3/4), doi:10.1093/biomet/43.3-4.353. That both intervals are
    joined is our own; what they cover is simulated in ``tests/calibration``.
    """
    if not len(starts):
        return np.empty(0), np.empty(0)
    bound = least if bound is None else bound
    begin = reach_down(np.fmin(value, np.fmin.reduceat(without, starts)), least, bound)
    middle = np.clip(less_bias(value, without, starts), (value + begin) / 2, (value + 1) / 2)
    lows, highs = zip(
        *(jackknife_interval(one, without, starts, begin, freedom) for one in (value, middle)),
        strict=True,
    )
    return np.minimum(np.maximum(np.minimum(*lows), bound), value), np.maximum(*highs)


def reach_down(lowest: Floats, least: float, bound: float) -> Floats:
    """Return from where log odds are taken: from the bound for values below the usual least one.

    Parameters
    ----------
    lowest : array, shape (...)
        The lowest of the values that limits come from.
    least, bound : float
        The usual least value, and what values on these levels are never below.
    """
    begin: Floats = np.where(lowest < least, bound, least)
    return begin


def topic_freedom(items: Floats, starts: Codes) -> Floats:
    """Return degrees of freedom by how unequally much topics count.

    Parameters
    ----------
    items : array, shape (n_units,)
        How much each topic counts.
    starts
        As for `jackknife_interval`.

    Returns
    -------
    array, shape (n_groups,)
        One less than the number of equal topics that would count as much, (Σ s)² / Σ s² − 1 for
        sizes s; at least 2, or one less than there are topics if these are fewer.

    References
    ----------
    Kish (1965), Survey Sampling, Wiley, section 8.2.
    """
    topics = np.diff(starts, append=len(items)).astype(np.float64)
    whole, squares = (np.add.reduceat(one, starts) for one in (items, items**2))
    most = np.maximum(topics - 1, 1)
    return np.clip(divide(whole**2, squares) - 1, np.minimum(2, most), most)


def less_bias(value: Floats, without: Floats, starts: Codes) -> Floats:
    """Return values less the bias that leaving out units estimates: n v − (n − 1) v̄."""
    units = np.diff(starts, append=len(without))
    corrected: Floats = units * value - (units - 1) * np.add.reduceat(without, starts) / units
    return corrected


def deviation_interval(
    value: Floats,
    deviation: Floats,
    units: Floats,
    least: float | Floats = -1.0,
    freedom: Floats | None = None,
) -> tuple[Floats, Floats]:
    """95 % limits from the standard error that leaving units out has given.

    Parameters
    ----------
    value, least, freedom
        As for `jackknife_interval`.
    deviation : array, shape (...)
        The standard error; 0 where leaving any unit out changes nothing.
    units : array, shape (...)
        How many units there are.

    Returns
    -------
    low, high : array, shape (...)
        As `jackknife_interval` returns them.
    """
    from scipy.special import expit, stdtrit

    odds, error = _log_odds(value, deviation, least)
    own = np.maximum(units - 1, 1) if freedom is None else freedom
    half = stdtrit(own, _UPPER) * error
    ends = (least + (1 - least) * expit(odds + side * half) for side in (-1, 1))
    low, high = (
        end(limit, value) for end, limit in zip((np.minimum, np.maximum), ends, strict=True)
    )
    alike = (units > 1) & (deviation <= _ROUNDING)
    least_seen, most_seen = unseen_interval(value, units, least, 1.0)
    return np.where(alike, least_seen, low), np.where(alike, most_seen, high)


def _log_odds(value: Floats, deviation: Floats, least: float | Floats) -> tuple[Floats, Floats]:
    """Return values on the scale of log odds with their standard errors, NaN where these are 0."""
    error = np.where(deviation > _ROUNDING, deviation, np.nan) / (1 - least)
    share = (value - least) / (1 - least)
    cases = share * (1 - share) / error**2
    middle = divide(share * cases + _MORE_CASES, cases + 2 * _MORE_CASES)
    slope = divide(np.ones_like(middle), middle * (1 - middle))
    return np.log(divide(middle, 1 - middle)), error * slope


def share_p(hits: Floats, cases: Floats) -> Floats:
    """Two-sided p that shares between −1 and 1 are 0: below .05 where `share_interval` excludes it.

    Parameters
    ----------
    hits, cases
        As for `share_interval`.

    Returns
    -------
    array, shape (n_shares,)
        NaN where there are no limits. By Student's t on the scale of log odds; where all topics
        give the same, by Clopper and Pearson's limits.
    """
    from scipy.special import stdtr

    value, without, starts, freedom, found = _leave_topics_out(hits, cases, -1.0)
    odds, error = _log_odds(value, jackknife_deviation(without, starts), -1.0)
    units = np.diff(starts, append=len(without))
    p = 2 * stdtr(freedom, -np.abs(odds) / error)
    alike = jackknife_deviation(without, starts) <= _ROUNDING
    p = np.where(alike, np.minimum(2 / (1 + np.abs(value)) ** units, 1), p)
    all_p = np.full(cases.shape[1], np.nan)
    all_p[found] = np.where(units > 1, p, np.nan)
    return all_p


def mean_interval(
    value: Floats,
    error: Floats,
    units: Floats,
    unseen_part: float = _UNSEEN_PART,
    freedom: Floats | None = None,
) -> tuple[Floats, Floats]:
    """95 % limits of means of scores between 0 and 1, whose distribution may have a long tail.

    Few units rarely show what is far off and rare. So each limit is that of `deviation_interval`
    with a small part of a unit more, which has the score at its end of the range; or as much of
    the way there as adds 44 % to the squared deviations from the mean.

    Parameters
    ----------
    value, error : array, shape (...)
        Each mean and its standard error; 0 where all units are alike.
    units : array, shape (...)
        How many units there are.
    unseen_part : float, default 0.04
        The part of a unit.
    freedom : array, shape (...), optional
        Other degrees of freedom for Student's t than one less than units.

    Returns
    -------
    low, high : array, shape (...)
        In [0, 1]; NaN for fewer than two units. As `unseen_interval` where all units are alike.
    """
    limits = []
    others = np.maximum(units - 1, 1)
    seen = np.sqrt(_MOST_UNSEEN / unseen_part * others * units) * error
    for end in (np.maximum(value - seen, 0), np.minimum(value + seen, 1)):
        mean = (units * value + unseen_part * end) / (units + unseen_part)
        apart = units * (value - mean) ** 2 + unseen_part * (end - mean) ** 2
        spread = np.sqrt(error**2 + divide(apart, others * units))
        spread = np.where(units > 1, spread, np.nan)
        limits.append(deviation_interval(mean, spread, units, 0.0, freedom))
    alike = (units > 1) & (error <= _ROUNDING)
    least, most = unseen_interval(value, units, 0.0, 1.0)
    low, high = np.minimum(limits[0][0], value), np.maximum(limits[1][1], value)
    return np.where(alike, least, low), np.where(alike, most, high)


def unseen_interval(
    value: Floats, units: Floats, least: float | Floats, most: float
) -> tuple[Floats, Floats]:
    """Return 95 % limits of what is the same for all units: some could differ, and are not seen.

    Parameters
    ----------
    value, units : array, shape (...)
        What all units give, and how many there are.
    least, most : float
        The ends of the range.

    Returns
    -------
    low, high : array, shape (...)
        As far towards each end as the share of units that could give it (Clopper and Pearson).
    """
    unseen = 1 - (1 - _UPPER) ** (1 / np.maximum(units, 1))
    return value - (value - least) * unseen, value + (most - value) * unseen


def jackknife_deviation(without: Floats, starts: Codes) -> Floats:
    """Return the standard error of each group by its values without each unit.

    Parameters
    ----------
    without, starts
        As for `jackknife_interval`.

    Returns
    -------
    array, shape (n_groups,)
        0 for one unit.
    """
    if not len(starts):
        return np.empty(0)
    units = np.diff(starts, append=len(without))
    mean = np.add.reduceat(without, starts) / units
    squares = np.add.reduceat((without - np.repeat(mean, units)) ** 2, starts)
    deviation: Floats = np.sqrt((units - 1) / units * squares)
    return deviation


def tail_freedom(without: Floats, starts: Codes) -> Floats:
    """Return the degrees of freedom of a standard error that a few units may make up.

    Parameters
    ----------
    without, starts
        As for `jackknife_interval`.

    Returns
    -------
    array, shape (n_groups,)
        3 (Σ d²)² / Σ d⁴ for deviations d from the mean, which is the number of units where these
        are normal; at least 1, and at most the number of units less one.
    """
    if not len(starts):
        return np.empty(0)
    units = np.diff(starts, append=len(without))
    mean = np.add.reduceat(without, starts) / units
    squares = (without - np.repeat(mean, units)) ** 2
    most = np.maximum(units - 1.0, 1)
    fourth = np.add.reduceat(squares**2, starts)
    known = 3 * divide(np.add.reduceat(squares, starts) ** 2, fourth)
    return np.clip(np.where(np.isnan(known), most, known), 1, most)


def share_interval(hits: Floats, cases: Floats, least: float = 0.0) -> tuple[Floats, Floats, Codes]:
    """95 % limits of shares whose cases come topic by topic, by `jackknife_interval`.

    What is rare may occur in few topics, and then the standard error rests on these: Student's t
    has the degrees of freedom of `tail_freedom`, or those of `topic_freedom` if these are less, for
    shares one more: there a topic's size is a matter of chance, too.

    Parameters
    ----------
    hits, cases : array, shape (n_topics, n_shares)
        Of each topic, or their weights; a share is the sum of hits over that of cases.
    least : float, default 0
        The least value there is; means of what lies between −1 and 1 have −1.

    Returns
    -------
    low, high : array, shape (n_shares,)
        From ``least`` to 1; NaN where `jackknife_interval` has none.
    topics : array of int, shape (n_shares,)
        How many topics have cases: they are what is sampled.
    """
    value, without, starts, freedom, found = _leave_topics_out(hits, cases, least)
    limits = np.full((2, cases.shape[1]), np.nan)
    limits[:, found] = jackknife_interval(value, without, starts, least, freedom)
    return limits[0], limits[1], np.count_nonzero(cases, axis=0)


def _leave_topics_out(
    hits: Floats, cases: Floats, least: float
) -> tuple[Floats, Floats, Codes, Floats, Codes]:
    """Return shares, those without each topic and where each begins, freedom, and which they are.

    Of those only that have cases.
    """
    share, topic = np.nonzero(cases.T)
    all_hits, all_cases = hits.sum(axis=0), cases.sum(axis=0)
    left = all_cases[share] - cases[topic, share]
    without = divide(all_hits[share] - hits[topic, share], left)
    starts = np.flatnonzero(np.diff(share, prepend=-1))
    found = share[starts]
    by_size = topic_freedom(cases[topic, share], starts) + (least == 0)
    freedom = np.minimum(tail_freedom(without, starts), by_size)
    return divide(all_hits[found], all_cases[found]), without, starts, freedom, found


def draw_topics(topics: int, samples: int, rng: np.random.Generator) -> Floats:
    """Draw topics with replacement, as many as there are.

    Returns
    -------
    array, shape (samples, topics)
        How often each topic is in each sample; rows sum to ``topics``. The product with sums by
        topic gives the sums of every sample.
    """
    drawn = rng.integers(topics, size=(samples, topics))
    cells = drawn + np.arange(samples)[:, np.newaxis] * topics
    counts = np.bincount(cells.ravel(), minlength=samples * topics)
    return counts.reshape(samples, topics).astype(np.float64)


def percentile_interval(values: Floats) -> tuple[Floats, Floats]:
    """Return the 2.5th and 97.5th percentile over the last axis, undefined samples left out.

    Parameters
    ----------
    values : array, shape (..., samples)

    Returns
    -------
    low, high : array, shape (...)
        Linear interpolation between order statistics; NaN where no sample is defined.
    """
    ordered = np.sort(values, axis=-1)
    last = np.maximum(np.sum(~np.isnan(values), axis=-1, keepdims=True) - 1, 0)
    limits = []
    for share in (0.025, 0.975):
        at = last * share
        below = np.floor(at).astype(np.int64)
        under = np.take_along_axis(ordered, below, axis=-1)
        over = np.take_along_axis(ordered, np.minimum(below + 1, last), axis=-1)
        limits.append((under + (over - under) * (at - below))[..., 0])
    return limits[0], limits[1]
