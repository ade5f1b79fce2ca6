"""Agreement where a few items of one topic are all there is: a lesson, say."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from core.agreement.base import PairCoefficient
from core.agreement.confusion import ConfusionMatrices, confusion_matrices
from core.agreement.intervals import Floats
from core.agreement.pairs import NO_ITEMS
from core.agreement.pooled import COLUMNS, pool, resample_pooled
from core.agreement.ratings import Ratings

ONE_ITEM = "there are too few common items, or too little variation, for an interval"


def part_items(ratings: Ratings) -> Ratings:
    """Return the same labels with every item as a topic of its own.

    Whatever resamples topics then resamples items: right where all items belong to one topic,
    and too narrow where topics differ.
    """
    names = ratings.items["document_id"] + " " + ratings.items["engine"]
    topics = tuple(names.str.strip())
    return replace(ratings, topic=ratings.item, topics=topics)


def agreement_on_items(ratings: Ratings, coefficients: Sequence[PairCoefficient]) -> pd.DataFrame:
    """Pool coefficients over all pairs of assessors, with intervals over items.

    As ``overall_agreement`` pools, but every pair counts, however few items it shares, and the
    interval takes the items, not the topics, for a sample. With a handful of items, κ of each
    pair is biased towards 0 a little.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    coefficients : sequence of PairCoefficient
        What to pool.

    Returns
    -------
    DataFrame
        ``coefficient, pairs, n, value, low, high, interval, reason``, a row for each coefficient;
        see ``overall_agreement``. The 95 % limits are the jackknife's: each item is left out in
        turn, and Student's t with one degree of freedom less than there are items is taken; they
        are cut at −1 and 1. Hundreds of assessors take a second.

    Raises
    ------
    TooLittleData
        Fewer than two assessors have labels.

    References
    ----------
    Efron & Stein (1981), The Annals of Statistics 9(3), doi:10.1214/aos/1176345462.
    """
    matrices = confusion_matrices(part_items(ratings))
    values = pool(matrices, coefficients)
    errors = _jackknife(matrices, coefficients)
    items = matrices.by_pair().counts
    rows = []
    for coefficient, value, error in zip(coefficients, values, errors.tolist(), strict=True):
        low, high = max(value - error, -1.0), min(value + error, 1.0)
        why = ONE_ITEM if np.isnan(error) else ""
        if np.isnan(value):
            why = coefficient.undefined if len(items) else NO_ITEMS
        if why:
            low = high = float("nan")
        numbers = (len(items), int(items.sum()), value, low, high)
        rows.append((str(coefficient), *numbers, "jackknife", why))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _jackknife(matrices: ConfusionMatrices, coefficients: Sequence[PairCoefficient]) -> Floats:
    """Return half the width of each interval, shape (coefficients,); NaN below two items."""
    from scipy.special import stdtrit

    used, item = np.unique(matrices.topic, return_inverse=True)
    size = len(used)
    if size < 2:
        return np.full(len(coefficients), np.nan)
    without = resample_pooled(matrices, item, coefficients, 1.0 - np.eye(size))
    spread = without - without.mean(axis=1, keepdims=True)
    variance: Floats = (size - 1) / size * (spread**2).sum(axis=1)
    half: Floats = stdtrit(size - 1, 0.975) * np.sqrt(variance)
    return half
