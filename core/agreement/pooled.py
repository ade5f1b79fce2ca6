"""One figure for the agreement of all assessors: the pairs' coefficients, pooled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.agreement.base import Coefficient, PairCoefficient
from core.agreement.confusion import ConfusionMatrices, confusion_matrices
from core.agreement.intervals import Floats, divide, topic_freedom, topic_interval
from core.agreement.pairs import NO_ITEMS, ONE_DEFINES, ONE_TOPIC, say_why
from core.agreement.ratings import Codes, Ratings
from core.agreement.topics import FEWEST_ITEMS

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    "coefficient", "pairs", "n", "value", "low", "high", "interval", "unit", "units",
    "reason",
)  # fmt: skip


def overall_agreement(
    matrices: ConfusionMatrices,
    coefficients: Sequence[PairCoefficient],
) -> pd.DataFrame:
    """Pool the coefficients of all pairs of assessors.

    The pooled value is the sum over pairs of the agreement reached, over the sum of the agreement
    possible: the mean of the pairs' values, each weighing its number of items (raw agreement),
    n(1 − p_e) (κ, π) or the size of the union (overlap). Each pair keeps its own chance
    agreement, a single pair keeps its value, and the names of the assessors do not matter. Pairs
    with fewer than 10 common items are left out as soon as some pair has more, since κ of a
    handful of items is biased towards 0.

    Parameters
    ----------
    matrices : ConfusionMatrices
        From ``confusion_matrices``.
    coefficients : sequence of PairCoefficient
        What to pool.

    Returns
    -------
    DataFrame
        ``coefficient, pairs, n, value, low, high, interval, unit, units, reason``, a row for each
        coefficient: how many pairs were pooled, their common items in all, and 95 % limits by
        `jackknife_interval`, in which topics are what is sampled: ``units`` says how many there
        are. ``reason`` says why something is NaN.
    """
    return pool_pairs(with_enough(matrices), coefficients)


def pool_pairs(
    matrices: ConfusionMatrices, coefficients: Sequence[PairCoefficient], unit: str = "topic"
) -> pd.DataFrame:
    """Pool every pair, however few items it has; ``unit`` says what its topics are."""
    import pandas as pd

    items = matrices.by_pair().counts
    used, topic = np.unique(matrices.topic, return_inverse=True)
    without = pool_without(matrices, topic, len(used), coefficients)
    sizes = np.bincount(topic, matrices.counts.sum(axis=(1, 2)), len(used)).astype(np.float64)
    rows = []
    for coefficient, value, left in zip(
        coefficients, pool(matrices, coefficients), without, strict=True
    ):
        low, high = limit(value, left, coefficient, sizes, matrices.levels)
        undefined = coefficient.undefined if len(items) else NO_ITEMS
        why = say_why(value, low, len(used), undefined)
        numbers = (len(items), int(items.sum()), value, low, high)
        rows.append((str(coefficient), *numbers, "jackknife", unit, len(used), why))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def limit(
    value: float,
    without: Floats,
    coefficient: Coefficient,
    sizes: Floats,
    levels: Sequence[int],
) -> tuple[float, float]:
    """Return the limits of one value by those without each topic, which count by their sizes."""
    if not len(without):
        return float("nan"), float("nan")
    starts = np.zeros(1, dtype=np.int64)
    freedom = topic_freedom(sizes, starts)
    ends = coefficient.least, coefficient.least_on(levels)
    low, high = topic_interval(np.array([value]), without, starts, ends[0], freedom, ends[1])
    return float(low[0]), float(high[0])


def with_enough(matrices: ConfusionMatrices) -> ConfusionMatrices:
    """Return the pairs with ten common items or more; all pairs where none has."""
    starts = matrices.pair_starts()
    blocks = np.diff(starts, append=len(matrices.first))
    items = np.repeat(matrices.by_pair().counts.sum(axis=(1, 2)), blocks)
    enough = items >= FEWEST_ITEMS
    return matrices.select(enough) if enough.any() else matrices


def pool(matrices: ConfusionMatrices, coefficients: Sequence[PairCoefficient]) -> list[float]:
    """Return the pooled value of each coefficient; NaN where it is not defined."""
    counts, values = matrices.by_pair().counts, []
    for coefficient in coefficients:
        reached, possible = coefficient.parts(counts, matrices.levels)
        values.append(float(divide(reached.sum(), possible.sum())))
    return values


def pool_without(
    matrices: ConfusionMatrices,
    topic: Codes,
    topics: int,
    coefficients: Sequence[PairCoefficient],
) -> Floats:
    """Return the pooled values that are left without each topic, shape (coefficients, topics).

    ``topic`` has a number below ``topics`` for each block; one that no block has changes nothing.
    """
    whole = matrices.by_pair().counts
    pair, left = matrices.without_topics()
    values = np.full((len(coefficients), topics), np.nan)
    for row, coefficient in zip(values, coefficients, strict=True):
        both = zip(
            coefficient.parts(whole, matrices.levels),
            coefficient.parts(left, matrices.levels),
            strict=True,
        )
        reached, possible = (
            own.sum() + np.bincount(topic, rest - own[pair], topics) for own, rest in both
        )
        row[:] = divide(reached, possible)
    return values


ONE_ITEM = "there are too few common items, or too little variation, for an interval"


def part_items(ratings: Ratings) -> Ratings:
    """Return the same labels with every item as a topic of its own.

    What takes topics for a sample then takes items: right where all items belong to one topic,
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
        As ``overall_agreement`` returns it; items are what is sampled.

    Raises
    ------
    TooLittleData
        Fewer than two assessors have labels.
    """
    matrices = confusion_matrices(part_items(ratings))
    table = pool_pairs(matrices, coefficients, "item")
    return table.assign(
        reason=table["reason"].replace({ONE_TOPIC: ONE_ITEM, ONE_DEFINES: ONE_ITEM})
    )
