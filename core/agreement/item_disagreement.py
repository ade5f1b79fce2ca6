"""How far apart the levels of one item are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.agreement.confusion import label_pairs
from core.agreement.intervals import divide
from core.agreement.ratings import Ratings

if TYPE_CHECKING:
    import pandas as pd


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
