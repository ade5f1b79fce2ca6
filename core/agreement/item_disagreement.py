"""How far apart the levels of one item are, and the items on which assessors disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.agreement.confusion import label_pairs
from core.agreement.intervals import divide
from core.agreement.ratings import Ratings
from core.collection.labels.counted_labels import counted_labels

if TYPE_CHECKING:
    import pandas as pd

_ITEM = ["topic_id", "document_id", "facet", "engine"]


def item_spread(ratings: Ratings) -> pd.DataFrame:
    """Measure the disagreement on each item.

    The spread is the mean absolute difference of two assessors' levels, in steps of the scale,
    over all pairs of assessors who judged the item. A step is the way from a level to the next,
    as in linear weighted κ.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.

    Returns
    -------
    DataFrame
        ``topic_id, document_id, engine, labels, spread`` in the order of ``ratings.items``.
        ``spread`` is in [0, L − 1] for L levels: 0 where all agree, L − 1 where two are at
        opposite ends; NaN with a single label.
    """
    items = len(ratings.items)
    total, pairs = np.zeros(items), np.zeros(items)
    for left, right in label_pairs(ratings):
        apart = np.abs(ratings.level[left] - ratings.level[right])
        total += np.bincount(ratings.item[left], weights=apart, minlength=items)
        pairs += np.bincount(ratings.item[left], minlength=items)
    labels = np.bincount(ratings.item, minlength=items)
    return ratings.items.assign(labels=labels, spread=divide(total, pairs))


def list_disagreements(labels: pd.DataFrame, facet: str) -> pd.DataFrame:
    """Return the items of a facet that were given more than one level.

    Parameters
    ----------
    labels : DataFrame
        ``topic_id, document_id, facet, engine, level, state``, optional ``occasion``; only rows
        of state 'level' and occasion 0 count.
    facet : {'page', 'snippet'}
        Which items.

    Returns
    -------
    DataFrame
        ``topic_id, document_id, facet, engine, labels, lowest, highest, spread`` with spread =
        highest − lowest. The widest come first; of equally wide ones those with the larger
        standard deviation, then in order of topic, document and engine.
    """
    counted = counted_labels(labels)
    levels = counted[counted["facet"] == facet].groupby(_ITEM)["level"]
    table = levels.agg(labels="size", lowest="min", highest="max", deviation="std").reset_index()
    table.insert(len(_ITEM) + 3, "spread", table["highest"] - table["lowest"])
    table = table[table["spread"] > 0].sort_values(
        ["spread", "deviation", *_ITEM], ascending=[False, False, *[True] * len(_ITEM)]
    )
    return table.drop(columns="deviation").reset_index(drop=True)
