"""Agreement where a few items of one topic are all there is: a lesson, say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from core.agreement.base import PairCoefficient
from core.agreement.confusion import confusion_matrices
from core.agreement.pairs import ONE_DEFINES, ONE_TOPIC
from core.agreement.pooled import pool_pairs
from core.agreement.ratings import Ratings

if TYPE_CHECKING:
    import pandas as pd

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
