"""Topics on which assessors are not shown to agree, however many assessors there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.agreement.intervals import jackknife_interval
from core.agreement.multi_rater import krippendorff_alpha
from core.agreement.multi_rater_counts import PanelSums, level_counts, sum_by_topic
from core.agreement.ratings import Ratings
from core.agreement.topics import FEWEST_ITEMS

if TYPE_CHECKING:
    import pandas as pd

COEFFICIENT = "α(ordinal)"


def alpha_by_topic(ratings: Ratings) -> pd.DataFrame:
    """Measure the agreement of all assessors on each topic.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.

    Returns
    -------
    DataFrame
        topic_id, items (with two labels or more), value (Krippendorff's α, ordinal), low, high
        (95 % limits from leaving every item out in turn); the topics with 10 items or more and a
        defined α, the lowest first. It takes time in proportion to the items alone.
    """
    import pandas as pd

    counts = level_counts(ratings)
    several = counts.counts.sum(axis=1) > 1
    per_topic = np.bincount(counts.topic[several], minlength=len(counts.topics))
    several &= (per_topic >= FEWEST_ITEMS)[counts.topic]
    order = np.flatnonzero(several)[np.argsort(counts.topic[several], kind="stable")]
    topics, place = np.unique(counts.topic[order], return_inverse=True)
    table, n = counts.counts[order], len(order)
    whole = sum_by_topic(table, counts.levels, place, len(topics))
    single = sum_by_topic(table, counts.levels, np.arange(n), n)
    value = krippendorff_alpha(whole, "ordinal")
    without = krippendorff_alpha(
        PanelSums(whole.levels, whole.flat[place] - single.flat), "ordinal"
    )
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    low, high = jackknife_interval(np.maximum(value, -1), np.maximum(without, -1), starts)
    rows = pd.DataFrame(
        {
            "topic_id": pd.Index(counts.topics, dtype="str").take(topics),
            "items": per_topic[topics],
            "value": value,
            "low": low,
            "high": high,
        }
    )
    return rows[rows["value"].notna()].sort_values("value", kind="stable", ignore_index=True)
