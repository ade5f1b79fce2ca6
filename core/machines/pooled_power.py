"""How far a machine's scores are to be trusted, learnt from few topics and all systems at once."""

import numpy as np

from core.agreement.intervals import Floats
from core.machines.judged_scores import JudgedScores

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


_ROUNDING = 1e-12
