"""Mean scores from few topics that people judged and many that a machine judged.

The machine's mean over many topics varies little but is biased; the topics that people judged, too,
show its bias. The estimate is λ mean(f') + mean(Y − λ f): Y and f are people's and the machine's
scores on the topics that people judged, f' the machine's on the others. With any fixed λ it is
unbiased, whatever the machine does; λ = 0 takes no notice of the machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.agreement.intervals import Z95, Floats
from core.machines.judged_scores import LEAST_HUMAN, JudgedScores
from core.machines.mean_limits import Limits

_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class Means:
    """Estimates with 95 % limits, each an array of shape (n_columns,); NaN where there are none."""

    value: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class MeanEstimates:
    """Three estimates of the same means.

    Parameters
    ----------
    classical : Means
        From the topics that people judged alone.
    powered : Means
        Prediction-powered: from both.
    machine_only : Means
        From the machine's labels of all topics; its limits take no notice of the machine's bias.
    power : array, shape (n_columns,)
        λ of the prediction-powered estimate.
    """

    classical: Means
    powered: Means
    machine_only: Means
    power: Floats


def estimate_means(scores: JudgedScores, limits: Limits, *, finite: bool = False) -> MeanEstimates:
    """Estimate means with limits that hold from few topics that people judged.

    λ is the mean of the slopes that `hold_out_slopes` learns without each topic in turn, times the
    share of topics that only the machine judged. The variance of the estimate is that of Y − λ f,
    each topic with the λ learnt without it, over the number of such topics, and λ² times that of
    the machine's scores over the number of topics that it alone judged. Degrees of freedom of
    Student's t are Welch's, of both parts. λ is 0, and the estimate the classical one, for fewer
    than four topics that people judged and for scores of people that do not vary.

    Parameters
    ----------
    scores : JudgedScores
        Of several systems, as many as there are: they share one λ.
    limits : callable
        `bound_means` or `bound_differences`.
    finite : bool, default False
        Whether the topics are all there are, rather than a sample: the means are then those over
        these very topics. The machine's alone have no limits then: only its bias is wrong with it.

    Notes
    -----
    The estimate is that of Angelopoulos, Duchi and Zrnic (2023), the rule for λ and its variance
    Dissent's. ``tests/core/machines/test_estimate_coverage.py`` has the coverage in simulated
    studies of 5, 10 and 25 topics that people judged among 82.

    References
    ----------
    Angelopoulos, Duchi and Zrnic (2023), arXiv:2311.01453.
    Welch (1947), Biometrika 34(1-2), doi:10.1093/biomet/34.1-2.28.

    Examples
    --------
    >>> from core.machines.mean_limits import bound_means
    >>> people = np.array([[.1], [.5], [.4], [.8], [.3]])
    >>> scores = JudgedScores(people, people + .1, np.linspace(0, 1, 50)[:, np.newaxis])
    >>> found = estimate_means(scores, bound_means(1))
    >>> found.power.round(3).tolist(), found.powered.value.round(3).tolist()
    ([0.909], [0.402])
    """
    slopes, share = spread_slopes(scores), scores.unknown_share
    power, human, every = share * slopes.mean(axis=0), scores.human, scores.every
    value = human.mean(axis=0) - power * (scores.paired.mean(axis=0) - scores.machine.mean(axis=0))
    error, freedom = find_error(scores, slopes, finite=finite)
    classical = _deviate(human, 1) * (np.sqrt(share) if finite else 1.0)
    alone = np.full(len(power), np.nan) if finite else _deviate(every, 1)
    return MeanEstimates(
        _limit(human.mean(axis=0), classical, len(human), limits),
        Means(value, *limits(value, error, len(human), freedom)),
        _limit(every.mean(axis=0), alone, len(every), limits),
        power,
    )


def spread_slopes(scores: JudgedScores) -> Floats:
    """Return the slope that each score is corrected by, shape (n_human, n_columns).

    They are those of `hold_out_slopes`, and 0 in columns where people's scores do not vary.
    """
    varies = np.ptp(scores.human, axis=0) > 0
    slopes: Floats = hold_out_slopes(scores)[:, np.newaxis] * varies
    return slopes


def find_error(
    scores: JudgedScores, slopes: Floats, n_human: int | None = None, *, finite: bool = False
) -> tuple[Floats, Floats]:
    """Return the standard error of each prediction-powered estimate, and its degrees of freedom.

    Parameters
    ----------
    scores : JudgedScores
    slopes : array, shape (n_human, n_columns)
        As `spread_slopes` returns them.
    n_human : int, optional
        As if people had judged so many of the topics, below all of them.
    finite : bool, default False
        As for `estimate_means`.

    Returns
    -------
    error, freedom : array, shape (n_columns,)
    """
    topics = scores.n_human + scores.n_machine
    judged = n_human or scores.n_human
    share = (topics - judged) / topics
    if finite:
        corrected = scores.human - slopes * (scores.paired - scores.every.mean(axis=0))
        error = _deviate(corrected, 1, judged) * np.sqrt(share)
        return error, np.full(error.shape, judged - 1.0)
    powers = share * slopes
    corrected = scores.human - powers * (scores.paired - scores.machine.mean(axis=0))
    by_people = _deviate(corrected, 1, judged) ** 2
    by_machine = (powers.mean(axis=0) * _deviate(scores.every, 1, topics - judged)) ** 2
    parts = by_people**2 / (judged - 1) + by_machine**2 / (topics - 1)
    both = by_people + by_machine
    freedom = np.divide(both**2, parts, out=np.full(both.shape, judged - 1.0), where=parts > 0)
    return np.sqrt(both), freedom


def estimate_normally(scores: JudgedScores) -> MeanEstimates:
    """Estimate means as the package ppi-python does (``ppi_mean_ci``, ``classical_mean_ci``).

    Each column has its own λ, limits are those of the normal distribution, and variances divide by
    the number of topics: few topics that people judged have limits that are too narrow.

    References
    ----------
    Angelopoulos, Duchi and Zrnic (2023), PPI++: Efficient Prediction-Powered Inference,
    arXiv:2311.01453. Angelopoulos et al. (2023), Science 382(6671), doi:10.1126/science.adi6000.

    Examples
    --------
    >>> people, machine = np.array([[.1], [.5]]), np.array([[.2], [.4]])
    >>> found = estimate_normally(JudgedScores(people, machine, np.array([[.3], [.6], [.9]])))
    >>> found.power.round(3).tolist(), found.powered.value.round(3).tolist()
    ([0.156], [0.347])
    """
    power, human, every = tune_power(scores), scores.human, scores.every
    rectified = human - power * scores.paired
    imputed = power * scores.machine
    error = np.hypot(_deviate(imputed, 0), _deviate(rectified, 0))
    return MeanEstimates(
        _limit(human.mean(axis=0), _deviate(human, 0), len(human), _bound_normally),
        _limit(imputed.mean(axis=0) + rectified.mean(axis=0), error, len(human), _bound_normally),
        _limit(every.mean(axis=0), _deviate(every, 0), len(every), _bound_normally),
        power,
    )


def tune_power(scores: JudgedScores) -> Floats:
    """Return the λ of each column with the least estimated variance, cut to [0, 1].

    Returns
    -------
    array, shape (n_columns,)
        0 where the machine's scores do not vary.

    References
    ----------
    Angelopoulos, Duchi and Zrnic (2023), arXiv:2311.01453, section 6.
    """
    people, machine = (one - one.mean(axis=0) for one in (scores.human, scores.paired))
    shared = (people * machine).mean(axis=0)
    spread = scores.every.var(axis=0, ddof=1) * (1 + scores.n_human / scores.n_machine)
    best = np.divide(shared, spread, out=np.zeros_like(shared), where=spread > 0)
    power: Floats = np.clip(best, 0, 1)
    return power


def _limit(value: Floats, error: Floats, topics: int, limits: Limits) -> Means:
    return Means(value, *limits(value, error, topics, np.full(value.shape, topics - 1.0)))


def _bound_normally(
    value: Floats, error: Floats, topics: int, freedom: Floats
) -> tuple[Floats, Floats]:
    return value - Z95 * error, value + Z95 * error


def _deviate(values: Floats, ddof: int, topics: int | None = None) -> Floats:
    """Return the standard error of each column's mean, over as many topics as given."""
    error: Floats = values.std(axis=0, ddof=ddof) / np.sqrt(topics or len(values))
    return error


LEAST_TOPICS = 3
"""From so many topics on, a slope has a residual to tell its error by."""

_PENALTY = 2.0
"""The slope counts by 1 − 2/F: at F = 2 and below nothing has been shown."""

_LEAST_LEFT = 0.05
"""What leverage leaves of a residual, at least."""


def pool_slope(human: Floats, machine: Floats) -> float:
    """Return one slope of people's on the machine's scores for all systems, shrunk towards 0.

    It is the slope that makes the intervals of all systems narrowest on average, to first order:
    each system's scores count by 1 over the standard deviation of its human scores. It is then
    multiplied by 1 − 2/F, or 0 where that or the slope is below 0. F is the slope squared over its
    variance with topics as clusters, as systems share the topics.

    Parameters
    ----------
    human, machine : array, shape (n_topics, n_columns)
        Scores by both on the same topics.

    Returns
    -------
    float
        At least 0; 0 for fewer than three topics, and where either's scores do not vary.

    Notes
    -----
    The weights and the factor are Dissent's. Shrinking by the positive part of 1 − c/F follows
    James and Stein; the variance takes residuals as the jackknife does (HC3), by clusters.

    References
    ----------
    James and Stein (1961), Proceedings of the Fourth Berkeley Symposium 1.
    MacKinnon and White (1985), Journal of Econometrics 29(3), doi:10.1016/0304-4076(85)90158-7.
    """
    people, own = _centre(human), _centre(machine)
    weight = np.sqrt((people**2).sum(axis=0))
    weight = np.divide(1, weight, out=np.zeros_like(weight), where=weight > 0)
    leverage = (own**2 * weight).sum(axis=1)
    total = float(leverage.sum())
    if len(human) < LEAST_TOPICS or total <= 0:
        return 0.0
    slope = float((people * own * weight).sum()) / total
    residual = (own * (people - slope * own) * weight).sum(axis=1)
    left = np.maximum(1 - leverage / total - 1 / len(human), _LEAST_LEFT)
    variance = float(((residual / left) ** 2).sum()) / total**2
    return max(slope, 0.0) * max(1 - _PENALTY * variance / slope**2, 0.0) if slope else 0.0


def hold_out_slopes(scores: JudgedScores) -> Floats:
    """Return the pooled slope without each topic that people judged, shape (n_human,).

    A topic's own scores have no part in its slope, so that what is corrected by it varies as an
    estimate does on topics it has not seen.

    References
    ----------
    Zrnic and Candès (2024), Proceedings of the National Academy of Sciences 121(15),
    doi:10.1073/pnas.2322083121: cross-prediction, of which this is the case of one topic a fold.
    """
    kept = ~np.eye(scores.n_human, dtype=np.bool_)
    return np.array([pool_slope(scores.human[one], scores.paired[one]) for one in kept])


def _centre(values: Floats) -> Floats:
    """Return values less their mean over topics; what is nothing but rounding is 0."""
    centred: Floats = values - values.mean(axis=0)
    still = np.ptp(values, axis=0) <= _ROUNDING * np.abs(values).max(initial=1.0)
    return np.where(still, 0.0, centred)


_POINTS = 20
"""How many numbers of topics a curve has, about."""


def expect_widths(
    scores: JudgedScores,
    limits: Limits,
    numbers: Sequence[int] | None = None,
    *,
    finite: bool = False,
) -> pd.DataFrame:
    """Return the mean width of intervals if people had judged other numbers of the topics.

    Variances, and what the machine's scores tell of people's, are taken as these topics show them.
    Both curves are one up to three topics, which teach no λ; with more than there are now it would
    be known better than is reckoned here.

    Parameters
    ----------
    scores, limits, finite
        As for `core.machines.prediction_powered.estimate_means`.
    numbers : sequence of int, optional
        How many topics people judge, from 2 to all but one; about twenty numbers, and the present
        one, without it.

    Returns
    -------
    DataFrame
        ``n_human, n_machine, classical, powered``: mean widths over the columns; NaN where no
        column has limits.
    """
    present, slopes = estimate_means(scores, limits, finite=finite), spread_slopes(scores)
    topics, spread = scores.n_human + scores.n_machine, scores.human.var(axis=0, ddof=1)
    rows = []
    for judged in choose_numbers(scores) if numbers is None else numbers:
        left = (topics - judged) / topics if finite else 1.0
        error, freedom = np.sqrt(spread / judged * left), np.full(len(spread), judged - 1.0)
        classical = limits(present.classical.value, error, judged, freedom)
        powered = classical
        if judged > LEAST_TOPICS:
            error, freedom = find_error(scores, slopes, judged, finite=finite)
            powered = limits(present.powered.value, error, judged, freedom)
        rows.append((judged, topics - judged, _average(*classical), _average(*powered)))
    return pd.DataFrame(rows, columns=["n_human", "n_machine", "classical", "powered"])


def choose_numbers(scores: JudgedScores) -> list[int]:
    """Return numbers of topics to draw a curve over, the present one among them."""
    most = scores.n_human + scores.n_machine - 1
    spaced = np.geomspace(LEAST_HUMAN, most, _POINTS).round().astype(np.int64)
    return sorted({*spaced.tolist(), scores.n_human})


def _average(low: Floats, high: Floats) -> float:
    known = ~np.isnan(low)
    return float((high - low)[known].mean()) if known.any() else float("nan")
