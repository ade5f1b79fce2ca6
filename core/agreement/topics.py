"""Agreement within each topic, of pairs or of all, and the topics on which assessors agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.agreement.base import PairCoefficient
from core.agreement.coefficients import Kappa
from core.agreement.confusion import ConfusionMatrices
from core.agreement.intervals import Floats, deviation_interval, jackknife_interval, reach_down
from core.agreement.multi_rater import krippendorff_alpha
from core.agreement.multi_rater_counts import PanelSums, level_counts, sum_by_topic
from core.agreement.pairs import name_pairs, tabulate
from core.agreement.ratings import Ratings
from core.numerals import write_number
from core.wording import count

if TYPE_CHECKING:
    import pandas as pd

FEWEST_ITEMS = 10
ONE_ITEM = "there are too few common items, or one alone defines the value: no interval over items"
_CELLS_AT_ONCE = 2_000_000


@dataclass(frozen=True)
class TopicSets:
    """Topics by agreement; topics in neither set had nothing to judge them by."""

    high: tuple[str, ...]
    low: tuple[str, ...]


def agreement_by_topic(
    matrices: ConfusionMatrices,
    coefficients: Sequence[PairCoefficient] = (Kappa("linear"),),
    interval: str = "jackknife",
) -> pd.DataFrame:
    """Tabulate the coefficients of every two assessors topic by topic.

    Parameters
    ----------
    matrices : ConfusionMatrices
        From ``confusion_matrices``.
    coefficients : sequence of PairCoefficient
        What to compute; linear weighted κ by default.
    interval : {'jackknife', 'analytic', 'fleiss1969'}
        Items are what is sampled in each. The first leaves every item out in turn
        (`jackknife_interval`), the others are formulas for many items: see ``agreement_by_pair``.

    Returns
    -------
    DataFrame
        ``topic_id, first, second, n, coefficient, value, low, high, interval, unit, units, reason,
        counted`` for pairs with common items on the topic. ``counted`` is False for
        rows that are shown but ignored by ``split_topics``: fewer than 10 common items, or an
        undefined value.
    """
    import pandas as pd

    names = {
        "topic_id": pd.Index(matrices.topics, dtype="str").take(matrices.topic),
        **name_pairs(matrices.assessors, matrices.first, matrices.second),
    }
    rows = tabulate(names, matrices.counts, matrices.levels, coefficients, interval)
    if interval == "jackknife":
        limits = [_leave_items_out(matrices, one) for one in coefficients]
        low, high = np.stack(limits, axis=-1).reshape(2, -1)
        why = np.where(np.isnan(low) & (rows["reason"] == ""), ONE_ITEM, rows["reason"])
        rows = rows.assign(low=low, high=high, interval=interval, reason=why)
    rows["counted"] = (rows["n"] >= FEWEST_ITEMS) & rows["value"].notna()
    return rows.sort_values(["topic_id", "first", "second"], kind="stable", ignore_index=True)


def _leave_items_out(
    matrices: ConfusionMatrices, coefficient: PairCoefficient
) -> tuple[Floats, Floats]:
    """Return limits by block; items of the same two levels leave the same when left out."""
    size = len(matrices.levels)
    one = np.eye(size**2).reshape(size**2, size, size)
    value, deviation, lowest = np.empty((3, len(matrices.counts)))
    step = max(1, _CELLS_AT_ONCE // size**4)
    for at in range(0, len(matrices.counts), step):
        counts = matrices.counts[at : at + step]
        items = counts.reshape(len(counts), -1)
        left = np.maximum(counts[:, np.newaxis] - one, 0)
        without = np.where(items > 0, coefficient.value(left, matrices.levels), 0)
        n = items.sum(axis=1, keepdims=True)
        mean = (items * without).sum(axis=1, keepdims=True) / n
        squares = (items * (without - mean) ** 2).sum(axis=1)
        value[at : at + step] = coefficient.value(counts, matrices.levels)
        deviation[at : at + step] = np.sqrt((n[:, 0] - 1) / n[:, 0] * squares)
        lowest[at : at + step] = without.min(axis=1)
    units = matrices.counts.sum(axis=(1, 2))
    bound = coefficient.least_on(matrices.levels)
    begin = reach_down(np.fmin(value, lowest), coefficient.least, bound)
    low, high = deviation_interval(value, deviation, units, begin)
    return np.minimum(np.maximum(low, bound), value), high


def split_topics(rows: pd.DataFrame) -> TopicSets:
    """Split topics by whether every pair agrees beyond chance.

    Parameters
    ----------
    rows : DataFrame
        ``topic_id, low, counted`` of one coefficient, from ``agreement_by_topic``.

    Returns
    -------
    TopicSets
        High: the lower limit of every counted pair is above 0. Low: that of some is not, or is
        missing.

    References
    ----------
    Sakai (2017), EVIA 2017, section 3.
    """
    counted = rows[rows["counted"]]
    lowest = counted["low"].fillna(-np.inf).groupby(counted["topic_id"]).min()
    return TopicSets(high=tuple(lowest.index[lowest > 0]), low=tuple(lowest.index[lowest <= 0]))


def describe_topics(rows: pd.DataFrame) -> str:
    """Say how the values of single topics spread, and how many are not shown to be above 0.

    Parameters
    ----------
    rows : DataFrame
        ``topic_id, first, second, value, low, counted`` of one coefficient, from
        ``agreement_by_topic``.

    Returns
    -------
    str
        Of the rows that count: mean, least and greatest value, and the number whose lower limit is
        not above 0 or is missing; '' with fewer than two.

    References
    ----------
    Sakai (2017), EVIA 2017, table 1.
    """
    counted = rows[rows["counted"]]
    if len(counted) < 2:
        return ""
    values, unshown = counted["value"], int((~(counted["low"] > 0)).sum())
    pairs = len(counted[["first", "second"]].drop_duplicates())
    one = "topic" if pairs == 1 else "topic and pair"
    of = count(len(counted), "topic") if pairs == 1 else count(len(counted), "value")
    return (
        f"By {one} it is {write_number(values.mean())} on average, from "
        f"{write_number(values.min())} to {write_number(values.max())}; "
        f"{unshown:,} of {of} {'is' if unshown == 1 else 'are'} not shown to be above 0"
    )


TOPIC_COEFFICIENT = "α(ordinal)"


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
