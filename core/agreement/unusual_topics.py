"""Topics on which assessors agree far less than on the others, and whether large ones are such."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.agreement.intervals import Floats
from core.agreement.multi_rater_counts import LevelCounts, level_counts
from core.agreement.ratings import Codes, Ratings
from core.agreement.topics import alpha_by_topic

if TYPE_CHECKING:
    import pandas as pd

ALPHA = 0.03
"""Below this p agreement is said to fall with the number of items: see ``tests/calibration``."""

RARE = 0.02
"""Below this p a topic is named. Odds have longer tails than normal: see ``tests/calibration``."""

_FEWEST_TOPICS = 4
"""With fewer there is nothing to compare a topic with."""

_OF_NORMAL = 1.4826
"""The standard deviation over the median of absolute deviations."""


def unusual_topics(ratings: Ratings) -> pd.DataFrame:
    """Find topics that somebody may have read differently from the others.

    Two things hold of each: its labels are not shown to agree beyond chance (`alpha_by_topic`), and
    pairs of its labels agree less than those of other topics, by more than topics differ.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.

    Returns
    -------
    DataFrame
        topic_id, items (with two labels or more), value (mean agreement of two labels of an item,
        from 0 to 1, where levels agree as linear weighted κ takes it), others (the same of the
        median topic of the others), p (that a topic is so far below, corrected by Bonferroni for
        the number of topics). The lowest p comes first; no row with fewer than 4 topics.

    Notes
    -----
    Log odds of agreement are compared by Student's t with topics − 2 degrees of freedom; middle and
    spread of the others are their median and their median absolute deviation, so that a second such
    topic does not hide the first. The error is simulated in ``tests/calibration``.
    """
    import pandas as pd

    names = ["topic_id", "items", "value", "others", "p"]
    counts = level_counts(ratings)
    topics, items, value, error = _agreement_of_topics(counts)
    if len(topics) < _FEWEST_TOPICS:
        return pd.DataFrame(columns=names)
    from scipy.special import expit, stdtr

    odds, variance = _log_odds(value, error, items)
    others, far = np.empty((2, len(odds)))
    for at, own in enumerate(odds):
        rest, sampled = np.delete(odds, at), np.delete(variance, at)
        others[at] = np.median(rest)
        spread = _OF_NORMAL * np.median(np.abs(rest - others[at]))
        between = max(spread**2 - np.median(sampled), 0.0)
        of_others = 1 / np.sum(1 / (between + sampled))
        far[at] = (own - others[at]) / np.sqrt(between + variance[at] + of_others)
    p = np.minimum(stdtr(len(topics) - 2, far) * len(topics), 1)
    table = pd.DataFrame(
        {
            "topic_id": pd.Index(counts.topics, dtype="str").take(topics),
            "items": items.astype(np.int64),
            "value": value,
            "others": expit(others),
            "p": p,
        }
    )
    alpha = alpha_by_topic(ratings)
    by_chance = set(alpha.loc[~(alpha["low"] > 0), "topic_id"])
    found = (table["p"] < RARE) & table["topic_id"].isin(by_chance)
    return table[found].sort_values("p", kind="stable", ignore_index=True)


def size_effect(ratings: Ratings) -> float:
    """Test whether agreement falls with the number of items of a topic.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.

    Returns
    -------
    float
        One-sided p of the slope of mean agreement on the logarithm of the items, each topic
        weighted by how exactly it is known; NaN with fewer than 4 topics, or where all have as many
        items; 1 where all agree as much.

    Notes
    -----
    Agreement itself is regressed, as log odds of small topics lie too near 0. An item's agreement
    varies by the same on all topics. How far topics differ besides is such that the weighted
    squares about the line are as many as their degrees of freedom (Paule and Mandel 1982).
    """
    topics, items, value, error = _agreement_of_topics(level_counts(ratings))
    if len(topics) < _FEWEST_TOPICS or np.ptp(items) == 0:
        return float("nan")
    if np.ptp(value) == 0:
        return 1.0
    from scipy.special import stdtr

    size, freedom = np.log(items), len(topics) - 2
    variance = np.sum(error * items) / np.sum(items - 1) / items + _LEAST
    slope, known, squares, _ = _fit_line(size, value, _spread_out(size, value, variance))
    return float(stdtr(freedom, slope * np.sqrt(known / max(squares / freedom, 1))))


_LEAST = 1e-9
"""The variance of a topic's agreement where its items do not differ."""

_NEAR = 1e-9
"""How near the squares about the line come to their degrees of freedom, as a part of these."""


def _spread_out(x: Floats, y: Floats, variance: Floats) -> Floats:
    """Return the variance with that between topics, by which the squares are as many as free."""
    freedom = len(x) - 2
    while True:
        _, _, squares, fall = _fit_line(x, y, variance)
        if not squares - freedom > _NEAR * freedom:
            return variance
        # The squares fall ever less steeply with the variance: no step goes too far.
        variance = variance + (squares - freedom) / fall


def _fit_line(x: Floats, y: Floats, variance: Floats) -> tuple[float, float, float, float]:
    """Return the slope of a weighted line, the squares of x and about it, and how these fall.

    Both squares are weighted; the last figure is by how much those about the line fall where the
    variance of each point grows.
    """
    weight = 1 / variance
    x, y = x - np.average(x, weights=weight), y - np.average(y, weights=weight)
    known = float(np.sum(weight * x**2))
    slope = float(np.sum(weight * x * y)) / known
    squares = weight * (y - slope * x) ** 2
    return slope, known, float(np.sum(squares)), float(np.sum(weight * squares))


def _agreement_of_topics(counts: LevelCounts) -> tuple[Codes, Floats, Floats, Floats]:
    """Return the topics with items of two labels: place, items, mean agreement, its variance."""
    labels = counts.counts.sum(axis=1)
    several = labels > 1
    own, n, topic = counts.counts[several], labels[several], counts.topic[several]
    level = np.arange(len(counts.levels))
    near = 1 - np.abs(level[:, np.newaxis] - level) / max(len(level) - 1, 1)
    agreed = ((own @ near * own).sum(axis=1) - n) / (n * (n - 1))
    used, place = np.unique(topic, return_inverse=True)
    items, sums, squares = (
        np.bincount(place, part).astype(np.float64) for part in (agreed**0, agreed, agreed**2)
    )
    mean = sums / items
    return used, items, mean, np.maximum(squares / items - mean**2, 0)


def _log_odds(value: Floats, variance: Floats, items: Floats) -> tuple[Floats, Floats]:
    """Return log odds and their variance, as if one item more had come out either way by half."""
    share = (value * items + 0.5) / (items + 1)
    spread = (variance * items + 0.25) / (items + 1)
    return np.log(share / (1 - share)), spread / items / (share * (1 - share)) ** 2
