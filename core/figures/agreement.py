"""Figures of agreement: intervals of many pairs, matrices of assessors and of levels."""

from collections.abc import Sequence
from math import isnan
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.figures.matrix import FEW, draw_matrix, square
from core.figures.style import COLOURS, GREY, layout_of, plain_names, plain_text
from core.numerals import write_limits, write_number

_ROW = 20
_SMALLEST = 180
_MANY = 30
_BEYOND = 1e6
"""So far a bar to an infinite limit is drawn: beyond any axis."""


def draw_intervals(
    rows: pd.DataFrame,
    *,
    x: str = "linear weighted κ",
    neutral: float = 0,
    reach: float = 1.05,
) -> go.Figure:
    """Draw values with their 95 % intervals, one below the other in the order of the rows.

    Parameters
    ----------
    rows : DataFrame
        name (what stands on the left), n (items), value, low, high, and counted, False for
        values that are shown hollow because they are based on too little. A bar to an infinite
        limit runs off the figure.
    x : str
        What the values are.
    neutral : float
        Where the dotted line stands that says: neither.
    reach : float
        How far from the neutral value the axis follows intervals, or twice as far where that
        shows all of them; else it says how many go beyond. Every value is on the axis, however
        far.
    """
    rows = plain_names(rows, "name")
    many = len(rows) > _MANY
    ends = _reach(rows, neutral, reach)
    beyond = _count_beyond(rows, ends)
    layout = layout_of(
        x=f"{x}<br>{beyond}" if beyond else x,
        y="",
        height=max(_SMALLEST, 90 + _ROW * len(rows)),
        legend=False,
        margin={"l": 10, "t": 60 if many else 30},
        xaxis={"side": "top" if many else "bottom", "range": ends, "automargin": True},
        yaxis={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": rows["name"].tolist(),
            "range": [len(rows) - 0.5, -0.5],
            "automargin": True,
            "dtick": 1,
        },
    )
    zero = {"type": "line", "x0": neutral, "x1": neutral, "yref": "y domain", "y0": 0, "y1": 1}
    layout["shapes"] = [{**zero, "line": {"dash": "dot", "width": 1.5, "color": GREY}}]
    parts = (
        _dots(rows[rows["counted"] == counted], symbol, name)
        for counted, symbol, name in (
            (True, "circle", "value"),
            (False, "circle-open", "few items"),
        )
    )
    return go.Figure([part for part in parts if len(part["x"])], layout)


def _reach(rows: pd.DataFrame, neutral: float, reach: float) -> list[float] | None:
    """Return the ends of the axis, with the neutral value between them."""
    if rows.empty:
        return None
    limits = rows[["low", "high"]].stack()
    if ((limits - neutral).abs() <= 2 * reach).all():
        reach *= 2
    low = max(neutral - reach, min(neutral, rows["low"].min()) - 0.05)
    high = min(neutral + reach, max(neutral, rows["high"].max()) + 0.05)
    return [min(low, rows["value"].min() - 0.05), max(high, rows["value"].max() + 0.05)]


def _count_beyond(rows: pd.DataFrame, ends: list[float] | None) -> str:
    """Return how many intervals leave the axis, in words; nothing where none does."""
    if ends is None:
        return ""
    number = int(((rows["low"] < ends[0]) | (rows["high"] > ends[1])).sum())
    if not number:
        return ""
    what = "1 interval goes" if number == 1 else f"{number:,} intervals go"
    return f"{what} beyond the axis;<br>limits under the pointer and in the data"


def _dots(rows: pd.DataFrame, symbol: str, name: str) -> dict[str, Any]:
    """Return the trace of some rows: dots with their intervals."""
    return {
        "type": "scatter",
        "x": rows["value"],
        "y": rows["name"],
        "mode": "markers",
        "name": name,
        "marker": {"color": COLOURS[0], "symbol": symbol, "size": 9, "line": {"width": 1.5}},
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": (rows["high"] - rows["value"]).clip(upper=_BEYOND),
            "arrayminus": (rows["value"] - rows["low"]).clip(upper=_BEYOND),
            "thickness": 1.5,
            "width": 3,
            "color": COLOURS[0],
        },
        "customdata": [
            [n, _write_limits(low, high)]
            for n, low, high in zip(rows["n"], rows["low"], rows["high"], strict=True)
        ],
        "hovertemplate": "%{y}<br>%{x:.3f}%{customdata[1]}"
        "<br>%{customdata[0]:,} items<extra></extra>",
    }


def _write_limits(low: float, high: float) -> str:
    """Return limits in brackets, infinite ones as ∞; nothing where there are none."""
    if isnan(low):
        return ""
    return f" {write_limits(low, high)}"


def draw_pair_matrix(pairs: pd.DataFrame, *, measure: str = "linear weighted κ") -> go.Figure:
    """Draw a value for every two assessors as a matrix; empty where they share no item.

    Parameters
    ----------
    pairs : DataFrame
        first, second (names), n, value; one row for each pair.
    measure : str
        What the values are.
    """
    names = sorted({*pairs["first"], *pairs["second"]})
    mirrored = pairs.rename(columns={"first": "second", "second": "first"})
    both = pd.concat([pairs, mirrored])
    value, items = (
        square(both, "first", "second", column, (names, names)) for column in ("value", "n")
    )
    return draw_matrix(
        value,
        value.map(_write_tenths if len(names) > FEW else _write_thousandths),
        items.fillna(0),
        "%{y} and %{x}: %{z:.3f}<br>%{customdata:,} common items",
        x=f"assessor (in the cells: {measure})",
        y="assessor",
        height=max(300, 120 + 26 * len(names)),
    )


def draw_confusion(
    cells: pd.DataFrame, levels: Sequence[str], first: str, second: str
) -> go.Figure:
    """Draw the confusion matrix of two assessors with counts and shares of the row.

    Parameters
    ----------
    cells : DataFrame
        first, second (level names), items, share (of the row's items; NaN for an empty row),
        written (what stands in the cell); a row for each pair of levels.
    levels : sequence of str
        The names of all levels, lowest first.
    first, second : str
        The assessors: rows and columns.
    """
    share, written, items = (
        square(cells, "first", "second", column, (levels, levels))
        for column in ("share", "written", "items")
    )
    first, second = plain_text(first), plain_text(second)
    return draw_matrix(
        share.fillna(0),
        written,
        items,
        f"{first}: %{{y}}<br>{second}: %{{x}}<br>%{{customdata:,}} items, %{{z:.1%}} of the row",
        x=f"level by {second}",
        y=f"level by {first}",
        height=140 + 64 * len(levels),
    )


def _write_thousandths(value: float) -> str:
    return "" if pd.isna(value) else write_number(value)


def _write_tenths(value: float) -> str:
    """Write so little that a cell of ten pixels has room for it."""
    return "" if pd.isna(value) else write_number(value, 1).replace("0.", ".")
