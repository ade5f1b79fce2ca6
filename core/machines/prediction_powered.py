"""Mean scores from few topics that people judged and many that a machine judged.

The machine's mean over many topics varies little but is biased; the topics that people judged, too,
show its bias. The estimate is λ mean(f') + mean(Y − λ f): Y and f are people's and the machine's
scores on the topics that people judged, f' the machine's on the others. With any fixed λ it is
unbiased, whatever the machine does; λ = 0 takes no notice of the machine.
"""

from dataclasses import dataclass

import numpy as np

from core.agreement.intervals import Z95, Floats
from core.machines.judged_scores import JudgedScores
from core.machines.mean_limits import Limits
from core.machines.pooled_power import hold_out_slopes


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
