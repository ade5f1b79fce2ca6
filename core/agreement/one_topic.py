"""Agreement where a few items of one topic are all there is: a lesson, say."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from core.agreement.base import PairCoefficient
from core.agreement.confusion import ConfusionMatrices, confusion_matrices
from core.agreement.intervals import Floats, draw_topics, percentile_interval
from core.agreement.pairs import NO_ITEMS
from core.agreement.pooled import COLUMNS, pool, resample_pooled
from core.agreement.ratings import Ratings

ONE_ITEM = "all common labels are on one item; resampling items needs two"


def part_items(ratings: Ratings) -> Ratings:
    """Return the same labels with every item as a topic of its own.

    Whatever resamples topics then resamples items: right where all items belong to one topic,
    and too narrow where topics differ.
    """
    names = ratings.items["document_id"] + " " + ratings.items["engine"]
    topics = tuple(names.str.strip())
    return replace(ratings, topic=ratings.item, topics=topics)


def agreement_on_items(
    ratings: Ratings,
    coefficients: Sequence[PairCoefficient],
    *,
    samples: int = 1000,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Pool coefficients over all pairs of assessors, with intervals over items.

    As ``overall_agreement`` pools, but every pair counts, however few items it shares, and the
    bootstrap draws items. With a handful of items, κ of each pair is biased towards 0 a little.

    Parameters
    ----------
    ratings : Ratings
        Levels by item and assessor.
    coefficients : sequence of PairCoefficient
        What to pool.
    samples : int
        Number of bootstrap samples of items.
    rng : Generator
        Source of the samples.

    Returns
    -------
    DataFrame
        ``coefficient, pairs, n, value, low, high, interval, reason``, a row for each coefficient;
        see ``overall_agreement``.

    Raises
    ------
    TooLittleData
        Fewer than two assessors have labels.
    """
    matrices = confusion_matrices(part_items(ratings))
    limits = _limits(matrices, coefficients, samples, rng)
    items = matrices.by_pair().counts
    values = pool(matrices, coefficients)
    rows = []
    for coefficient, value, (low, high) in zip(coefficients, values, limits, strict=True):
        why = ONE_ITEM if np.isnan(low) else ""
        if np.isnan(value):
            why = coefficient.undefined if len(items) else NO_ITEMS
        numbers = (len(items), int(items.sum()), value, low, high)
        rows.append((str(coefficient), *numbers, "bootstrap", why))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _limits(
    matrices: ConfusionMatrices,
    coefficients: Sequence[PairCoefficient],
    samples: int,
    rng: np.random.Generator,
) -> Floats:
    """Return limits by coefficient, shape (coefficients, 2); NaN below two items."""
    used, item = np.unique(matrices.topic, return_inverse=True)
    if len(used) < 2:
        return np.full((len(coefficients), 2), np.nan)
    draws = draw_topics(len(used), samples, rng)
    resampled = resample_pooled(matrices, item, coefficients, draws)
    return np.stack(percentile_interval(resampled), axis=-1)
