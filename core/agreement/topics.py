"""Agreement within each topic, and the topics on which assessors agree."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.agreement.base import PairCoefficient
from core.agreement.coefficients import Kappa
from core.agreement.confusion import ConfusionMatrices
from core.agreement.pairs import name_pairs, tabulate

FEWEST_ITEMS = 10


@dataclass(frozen=True)
class TopicSets:
    """Topics by agreement; topics in neither set had nothing to judge them by."""

    high: tuple[str, ...]
    low: tuple[str, ...]


def agreement_by_topic(
    matrices: ConfusionMatrices, coefficients: Sequence[PairCoefficient] = (Kappa("linear"),)
) -> pd.DataFrame:
    """Tabulate the coefficients of every two assessors topic by topic.

    Parameters
    ----------
    matrices : ConfusionMatrices
        From ``confusion_matrices``.
    coefficients : sequence of PairCoefficient
        What to compute; linear weighted κ by default.

    Returns
    -------
    DataFrame
        ``topic_id, first, second, n, coefficient, value, low, high, interval, reason, counted``
        for pairs with common items on the topic; analytic intervals. ``counted`` is False for
        rows that are shown but ignored by ``split_topics``: fewer than 10 common items, or an
        undefined value.
    """
    names = {
        "topic_id": pd.Index(matrices.topics, dtype="str").take(matrices.topic),
        **name_pairs(matrices.assessors, matrices.first, matrices.second),
    }
    rows = tabulate(names, matrices.counts, matrices.levels, coefficients)
    rows["counted"] = (rows["n"] >= FEWEST_ITEMS) & rows["value"].notna()
    return rows.sort_values(["topic_id", "first", "second"], kind="stable", ignore_index=True)


def split_topics(rows: pd.DataFrame) -> TopicSets:
    """Split topics by whether every pair agrees beyond chance.

    Parameters
    ----------
    rows : DataFrame
        ``topic_id, low, counted`` of one coefficient, from ``agreement_by_topic``.

    Returns
    -------
    TopicSets
        High: the lower limit of every counted pair is above 0. Low: that of some is not.

    References
    ----------
    Sakai (2017), EVIA 2017, section 3.
    """
    lowest = rows[rows["counted"]].groupby("topic_id")["low"].min()
    return TopicSets(high=tuple(lowest.index[lowest > 0]), low=tuple(lowest.index[lowest <= 0]))
