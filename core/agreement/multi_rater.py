"""Agreement of any number of assessors on each item, from sums over items.

Items may have different numbers of labels. Krippendorff's α leaves out items with one label. The
others follow Gwet's generalisation: observed agreement is the mean over the items with two labels
or more, each counting once; the share of a level is the mean over all items with a label. With
the same number of labels on every item this is Fleiss's κ of 1971 to the digit.

Other libraries take a whole table of labels a call. The sums here add up over topics, so that a
sample of topics costs an addition; the tests compare with krippendorff, statsmodels and irrCAC.
"""

from collections.abc import Sequence

import numpy as np

from core.agreement.intervals import Floats, divide
from core.agreement.multi_rater_counts import PanelSums
from core.agreement.pairwise import agreement_weights
from core.errors import BadInput

METRICS = ("nominal", "ordinal", "interval")


def krippendorff_alpha(sums: PanelSums, metric: str = "nominal") -> Floats:
    """Agreement beyond chance of any number of assessors, labels may be missing.

    Parameters
    ----------
    sums : PanelSums
        Leading shape (...); from ``sum_items`` or ``LevelCounts.by_topic``.
    metric : {'nominal', 'ordinal', 'interval'}
        How far two levels are apart: not the same; by the labels between them; by the difference
        of their levels, squared.

    Returns
    -------
    array, shape (...)
        At most 1; 1 complete, 0 chance. NaN when no item has two labels or all labels that have
        a partner are of one level.

    Raises
    ------
    BadInput
        The metric is unknown.

    References
    ----------
    Krippendorff (2004), Human Communication Research 30(3),
    doi:10.1111/j.1468-2958.2004.tb00738.x; Hayes and Krippendorff (2007), Communication Methods
    and Measures 1(1), doi:10.1080/19312450709336664.

    Examples
    --------
    >>> from core.agreement.multi_rater_counts import sum_items
    >>> round(float(krippendorff_alpha(sum_items([[2, 0], [2, 0], [1, 1], [0, 2]]))), 3)
    0.533
    """
    return divide(*alpha_parts(sums, metric))


def alpha_parts(sums: PanelSums, metric: str) -> tuple[Floats, Floats]:
    """Return disagreement expected less observed, and expected, in labels."""
    labels = sums.coincidences.sum(axis=-1)
    if metric == "nominal":
        apart: Floats = 1 - np.eye(len(sums.levels))
    elif metric in METRICS:
        position = _midranks(labels) if metric == "ordinal" else np.asarray(sums.levels, np.float64)
        apart = (position[..., :, np.newaxis] - position[..., np.newaxis, :]) ** 2
    else:
        raise BadInput(f"'{metric}' is not a metric; known are {', '.join(METRICS)}")
    by_chance = labels[..., :, np.newaxis] * labels[..., np.newaxis, :]
    expected = divide((by_chance * apart).sum(axis=(-2, -1)), labels.sum(axis=-1) - 1)
    return expected - (sums.coincidences * apart).sum(axis=(-2, -1)), expected


def _midranks(labels: Floats) -> Floats:
    return labels.cumsum(axis=-1) - labels / 2


def fleiss_kappa(sums: PanelSums) -> Floats:
    """Chance-corrected agreement of any number of assessors; with two of them, Scott's π.

    Parameters
    ----------
    sums : PanelSums
        Leading shape (...).

    Returns
    -------
    array, shape (...)
        At most 1; 1 complete, 0 chance. NaN when no item has two labels or only one level occurs.

    References
    ----------
    Fleiss (1971), Psychological Bulletin 76(5), doi:10.1037/h0031619; for unequal numbers of
    labels Gwet (2014), Handbook of Inter-Rater Reliability, 4th edition, chapter 2.

    Examples
    --------
    >>> from core.agreement.multi_rater_counts import sum_items
    >>> round(float(fleiss_kappa(sum_items([[3, 0], [2, 1], [0, 3]]))), 3)
    0.55
    """
    return divide(*fleiss_parts(sums))


def fleiss_parts(sums: PanelSums) -> tuple[Floats, Floats]:
    """Return agreement beyond chance, reached and possible."""
    return _beyond_chance(sums, (_level_shares(sums) ** 2).sum(axis=-1))


def randolph_kappa(sums: PanelSums) -> Floats:
    """Agreement beyond that of assessors who give every level of the scale equally often.

    Parameters
    ----------
    sums : PanelSums
        Leading shape (...); levels nobody used count as well.

    Returns
    -------
    array, shape (...)
        In [−1/(L−1), 1]. NaN when no item has two labels or the scale has one level.

    References
    ----------
    Randolph (2005), Free-marginal multirater kappa, ERIC ED490661.

    Examples
    --------
    >>> from core.agreement.multi_rater_counts import sum_items
    >>> round(float(randolph_kappa(sum_items([[3, 0], [2, 1], [0, 3]]))), 3)
    0.556
    """
    return divide(*randolph_parts(sums))


def randolph_parts(sums: PanelSums) -> tuple[Floats, Floats]:
    """Return agreement beyond chance, reached and possible."""
    return _beyond_chance(sums, np.asarray(1 / max(len(sums.levels), 1)))


def gwet_ac(sums: PanelSums, weighting: str = "unweighted") -> Floats:
    """Gwet's AC1 (unweighted) and AC2: chance is low where one level prevails.

    Parameters
    ----------
    sums : PanelSums
        Leading shape (...).
    weighting : {'unweighted', 'linear', 'quadratic'}
        See ``agreement_weights``.

    Returns
    -------
    array, shape (...)
        At most 1. NaN when no item has two labels or the scale has one level; 1 when everybody
        used one level of several.

    References
    ----------
    Gwet (2008), British Journal of Mathematical and Statistical Psychology 61(1),
    doi:10.1348/000711006X126600; Gwet (2014), chapters 2 to 4.

    Examples
    --------
    >>> from core.agreement.multi_rater_counts import sum_items
    >>> round(float(gwet_ac(sum_items([[3, 0], [2, 1], [0, 3]]))), 3)
    0.561
    """
    return divide(*gwet_parts(sums, weighting))


def gwet_parts(sums: PanelSums, weighting: str) -> tuple[Floats, Floats]:
    """Return agreement beyond chance, reached and possible."""
    size = len(sums.levels)
    weights = agreement_weights(weighting, sums.levels)
    shares = _level_shares(sums)
    spread = (shares * (1 - shares)).sum(axis=-1)
    chance = weights.sum() / max(size * (size - 1), 1) * spread
    reached, possible = _beyond_chance(sums, chance, weights)
    return (reached, possible) if size > 1 else (reached * np.nan, possible * np.nan)


def least_with_chance(weighting: str, levels: Sequence[int]) -> float:
    """Return what AC1 and AC2 are never below, and Randolph's κ without a weighting.

    Nothing is agreed on, and chance is what it is where all levels are as frequent.
    """
    chance = float(agreement_weights(weighting, levels).mean())
    return -chance / (1 - chance) if chance < 1 else -1.0


def _level_shares(sums: PanelSums) -> Floats:
    return divide(sums.shares, sums.shares.sum(axis=-1, keepdims=True))


def _beyond_chance(
    sums: PanelSums, chance: Floats, weights: Floats | None = None
) -> tuple[Floats, Floats]:
    """Return observed agreement less chance, and 1 less chance; NaN without paired labels."""
    agreed = np.eye(len(sums.levels)) if weights is None else weights
    observed = divide((sums.paired * agreed).sum(axis=(-2, -1)), sums.paired.sum(axis=(-2, -1)))
    return observed - chance, 1 - chance
