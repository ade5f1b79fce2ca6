"""Every label on an item, repeated ones included: what experiments on many labels draw from."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.agreement.ratings import Codes, ratings_from_labels
from core.collection.labels.label_options import GOLD
from core.disagreement.choices import GROUPINGS
from core.errors import BadInput


@dataclass(frozen=True)
class RepeatedLabels:
    """All labels in one facet as codes, sorted by item and then by person.

    Attributes
    ----------
    item, person, level : array of int, shape (n_labels,)
        Numbers of items and people, and positions in ``levels``.
    levels : tuple of int
        The levels of the scale, ascending.
    unit : array of int, shape (n_labels,)
        What is sampled: the number of the label's topic, or of its item where items are documents
        of all topics together.
    unit_name : {'topic', 'item'}
    """

    item: Codes
    person: Codes
    level: Codes
    levels: tuple[int, ...]
    unit: Codes
    unit_name: str


def code_repeated_labels(
    labels: pd.DataFrame,
    facet: str,
    levels: Sequence[int] | None = None,
    *,
    group_by: str = "topic",
    once: Collection[str] = (GOLD,),
) -> RepeatedLabels:
    """Code the levels given in one facet, all occasions.

    Parameters
    ----------
    labels : DataFrame
        As for ``ratings_from_labels``; keep rows of occasion 0 only to leave repeats out.
    facet : str
        'snippet' or 'page'.
    levels : sequence of int, optional
        All levels of the scale. Without it, the levels that occur.
    group_by : {'topic', 'document'}
        What an item is: a document of one topic, or of all topics together.
    once : collection of str
        Assessors who count once on a document grouped over topics: with their label in the first
        of its topics (in order of id), if any. By default the gold labels, which are a verdict on
        the document rather than one more user's.

    Returns
    -------
    RepeatedLabels
        Empty when nothing was judged in that facet.

    Raises
    ------
    BadInput
        The grouping is unknown, a level is not on the scale or an id is missing.
    """
    if group_by not in GROUPINGS:
        raise BadInput(f"'{group_by}' is no grouping; known are {', '.join(GROUPINGS)}")
    key = GROUPINGS[group_by]
    rows = labels[(labels["facet"] == facet) & (labels["state"] == "level")]
    first_topic = rows.groupby(key)["topic_id"].transform("min")
    spare = rows["assessor_id"].isin(list(once)) & (rows["topic_id"] != first_topic)
    rows = rows[~spare].reset_index(drop=True)
    if rows["assessor_id"].isna().any():
        raise BadInput("a label has no assessor; every label needs one", field="assessor_id")
    # As the ratings of one made-up assessor a label, so that none is refused as a repeat.
    single = rows.assign(assessor_id=rows.index.astype("str"), occasion=0)
    if group_by == "document":
        single["topic_id"] = ""
    ratings = ratings_from_labels(single, facet, levels)
    row = np.asarray(ratings.assessors, dtype=np.int64)[ratings.assessor]
    person = pd.factorize(rows["assessor_id"])[0][row].astype(np.int64)
    order = np.lexsort((row, person, ratings.item))
    by_topic = group_by == "topic"
    unit = ratings.topic if by_topic else ratings.item
    return RepeatedLabels(
        ratings.item[order],
        person[order],
        ratings.level[order],
        ratings.levels,
        unit[order],
        "topic" if by_topic else "item",
    )


def mark_top(levels: tuple[int, ...], top: int) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Return which levels of the scale count as top; refuse a top that is not among them."""
    if top not in levels:
        shown = ", ".join(str(level) for level in levels)
        raise BadInput(f"{top} is not a level of the scale {shown}", field="top")
    return np.asarray(levels) >= top
