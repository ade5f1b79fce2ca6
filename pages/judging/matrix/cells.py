"""The cells of topics × people: what stands in them, and how they are shaded."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

MOST_PEOPLE, MOST_TOPICS = 40, 60
FINISHED, RESERVED = "✓", "reserved"
OPEN = "open"
_BLUE = "47, 111, 171"
_LEAST, _MOST = 0.06, 0.75
"""How much of the blue covers the page: text keeps the theme's colour, in light and in dark."""


@dataclass(frozen=True)
class MatrixCells:
    """A row for each topic and a column for each person, by id.

    ``text`` has ``topic`` and ``open`` before the people; ``shares`` has the people only, 0 to 1,
    NaN where a cell is not theirs. ``topics`` are the ids of the rows.
    """

    text: pd.DataFrame
    shares: pd.DataFrame
    topics: list[str]


def lay_out_cells(
    held: pd.DataFrame, still_open: "pd.Series[int]", topics: pd.DataFrame, people: list[str]
) -> MatrixCells:
    """Return the cells of a round.

    Parameters
    ----------
    held : DataFrame
        From ``share_by_cell``.
    still_open : Series
        From ``count_open``: its topics are the rows, in the order of the collection.
    topics : DataFrame
        topic_id and query, in their order.
    people : list of str
        The columns.
    """
    known = topics[topics["topic_id"].isin(still_open.index)]
    rows = known["topic_id"].tolist()
    facts = zip(held["share"], held["judged"], held["slots"], held["finished"], strict=True)
    worded = held.assign(text=[_word(*one) for one in facts])
    text = worded.pivot(index="topic_id", columns="assessor_id", values="text")
    text = text.reindex(index=rows, columns=people).astype("str").fillna("")
    shares = held.pivot(index="topic_id", columns="assessor_id", values="share")
    shares = shares.reindex(index=rows, columns=people).astype("float64")
    named = [f"{topic}  {query}" for topic, query in zip(rows, known["query"], strict=True)]
    text.insert(0, "topic", named)
    text.insert(1, OPEN, [int(still_open[topic]) for topic in rows])
    return MatrixCells(text.reset_index(drop=True), shares.reset_index(drop=True), rows)


def shade_cells(text: pd.DataFrame, shares: pd.DataFrame) -> "Styler":
    """Return the cells, darker where more is done; the text says the same without colour."""
    shades = shares.map(_shade).astype("str").reindex(columns=text.columns, fill_value="")
    return text.style.apply(lambda _: shades, axis=None)


def _word(share: float, judged: int, slots: int, finished: int) -> str:
    if finished == slots:
        return FINISHED
    if judged == 0 and finished == 0:
        return RESERVED
    return f"{min(share, 0.99):.0%}"


def _shade(share: float) -> str:
    if pd.isna(share):
        return ""
    return f"background-color: rgba({_BLUE}, {_LEAST + (_MOST - _LEAST) * share:.2f})"
