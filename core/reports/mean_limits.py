"""Limits of systems' means over topics, and where they hold too seldom."""

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.agreement.intervals import LOG_ODDS, Floats, mean_interval
from core.measures.catalogue import parse_measure
from core.measures.evaluate import is_geometric

Masks = npt.NDArray[np.bool_]

ESTIMATED = f"{LOG_ODDS}, highest score estimated"

FEW = 20
"""Over more topics than these, skewed scores do no harm."""

SKEWED, ALONE = 0.3, 0.1
"""What part of the mean's way from an end the median topic goes, at most, where topics are skewed.

The latter is for one system alone, of which chance more often makes topics look so.
"""


_BEYOND = 1.2
"""With 1 limits of CG hold in .925 of studies of five topics in the shape of TREC 2019's runs."""


def limit_means(
    value: Floats, deviation: Floats, best: Floats, topics: Floats, highest: Floats
) -> tuple[Floats, Floats]:
    """Return 95 % limits of means of scores of at least 0, by Student's t on log odds.

    They are those of `core.agreement.intervals.mean_interval`. A measure without a highest score
    is given one: 1.2 times Student's t as far above the best topic as that is above the mean, so
    that the limits lie the more to one side, the further the best topic does.

    Parameters
    ----------
    value, deviation, best : array, shape (n,)
        Each mean, the standard deviation of the topics (n − 1), and the best of their scores.
    topics : array, shape (n,)
        How many there are.
    highest : array, shape (n,)
        The measure's highest score; infinite where it has none.

    Returns
    -------
    low, high : array, shape (n,)
        NaN for fewer than two topics and, without a highest score, where all topics have the same.
    """
    from scipy.special import stdtrit

    with np.errstate(invalid="ignore", divide="ignore"):
        beyond = _BEYOND * stdtrit(topics - 1, 0.975) * (best - value)
        most = np.where(np.isfinite(highest), highest, best + beyond)
        # Where all topics score the same, nothing tells how far another would differ.
        is_known = (topics > 1) & (np.isfinite(highest) | (deviation > 0))
        most = np.where(is_known, most, np.nan)
        error = deviation / most / np.sqrt(topics - 1)
    low, high = mean_interval(value / most, error, topics)
    return low * most, high * most


def name_limits(highest: float) -> str:
    """Return how limits of means are found by a measure with this highest score."""
    return LOG_ODDS if np.isfinite(highest) else ESTIMATED


def topics_crowd(mean: Floats, median: Floats, highest: float) -> Masks:
    """Tell where topics crowd at an end, and few that are far from it make the means.

    For more than half of the systems the median topic is no more than 0.3 times as far from an end
    of the range as the mean, the end that is nearer to this, but is not at it; 0.1 times where
    there is one system only.

    Parameters
    ----------
    mean, median : array, shape (..., n_systems)
        Of the topics of each system.
    highest : float
        The measure's highest score; infinite where it has none.

    Returns
    -------
    array, shape (...)
    """
    is_upper = mean > highest / 2
    away, middle = (np.where(is_upper, highest - one, one) for one in (mean, median))
    part = ALONE if mean.shape[-1] == 1 else SKEWED
    crowded: Masks = ((middle > 0) & (middle <= part * away)).mean(axis=-1) > 0.5
    return crowded


def tell_skewed_topics(scores: pd.DataFrame) -> list[str]:
    """Return a note on each measure by which topics are so few and skewed that limits hold less.

    Parameters
    ----------
    scores : DataFrame
        ``system, measure, value`` of each topic.
    """
    values = scores.groupby(["measure", "system"], sort=False)["value"]
    every = values.agg(["mean", "median", "count"]).query("count > 0")
    names = every.index.get_level_values("measure")
    notes = []
    for measure in map(str, names.unique()):
        found = every[names == measure]
        mean, median = (found[one].to_numpy(np.float64) for one in ("mean", "median"))
        topics, highest = int(found["count"].max()), parse_measure(measure).upper_bound
        if topics <= FEW and not is_geometric(measure) and topics_crowd(mean, median, highest):
            end = highest if np.median(mean) > highest / 2 else 0
            facts = {"measure": measure, "topics": topics, "end": end}
            notes.append(_WARNING.format(**facts, least=LEAST, fewest=FEWEST))
    return notes


_WARNING = (
    "limits of mean {measure} may hold less often than in 95 of 100 studies: most of the {topics} "
    "topics score near {end:g} and a few far from it; simulated so, they held in {least} to 95 of "
    "100, of scores still more skewed in as few as {fewest}"
)

LEAST = 81
"""In so many of 100 simulated studies of five such topics limits hold."""

FEWEST = 65
"""In so many do they of three topics with scores as beta(0.05, 0.5): one in four is above 0.01."""
