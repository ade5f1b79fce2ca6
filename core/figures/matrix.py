"""Matrices as heat maps that read without colour: every cell has its number written in it."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.figures.style import layout_of, plain_text

SHADES = ((0.0, "rgba(0,114,178,.04)"), (1.0, "rgba(0,114,178,.6)"))
"""From nothing to much: over the page as it is, so that little is faint in light and in dark, and
never so strong that the page's own ink could not be read on it."""

FEW = 12
"""Columns up to which cells are wide enough for large numbers."""


def square(
    rows: pd.DataFrame, down: str, across: str, value: str, order: Sequence[Sequence[str]]
) -> pd.DataFrame:
    """Return one column of long rows as a matrix; NaN where there is no row.

    Parameters
    ----------
    rows : DataFrame
        A row for each cell.
    down, across, value : str
        The columns that name the rows, the columns and the numbers of the matrix.
    order : two sequences of str
        The names of the rows, from the top, and of the columns.
    """
    matrix = rows.pivot(index=down, columns=across, values=value)
    return matrix.reindex(index=list(order[0]), columns=list(order[1]))


def draw_matrix(
    shade: pd.DataFrame,
    text: pd.DataFrame,
    data: pd.DataFrame,
    hover: str,
    *,
    x: str,
    y: str,
    height: int,
) -> go.Figure:
    """Draw a matrix, first row on top.

    Parameters
    ----------
    shade : DataFrame
        How dark each cell is, 0 to 1; NaN for none. Its names stand beside the matrix.
    text, data : DataFrame, shaped like ``shade``
        What is written in the cells, and what ``hover`` calls ``customdata``.
    hover : str
        What a cell says under the pointer.
    x, y : str
        Axis titles.
    height : int
        In pixels.
    """
    axis = {"type": "category", "dtick": 1, "showgrid": False, "automargin": True}
    heat: dict[str, Any] = {
        "type": "heatmap",
        "x": list(map(plain_text, shade.columns)),
        "y": list(map(plain_text, shade.index)),
        "z": shade.to_numpy(),
        "text": text.to_numpy(),
        "customdata": data.to_numpy(),
        "hovertemplate": hover + "<extra></extra>",
        "hoverongaps": False,
        "colorscale": SHADES,
        "zmin": 0,
        "zmax": 1,
        "xgap": 1,
        "ygap": 1,
        "showscale": False,
    }
    layout = layout_of(
        x=x,
        y=y,
        height=height,
        legend=False,
        margin={"l": 10, "b": 10},
        xaxis=axis,
        yaxis={**axis, "autorange": "reversed"},
    )
    return go.Figure([heat, _write(text, heat["x"], heat["y"])], layout)


def _write(text: pd.DataFrame, across: list[str], down: list[str]) -> dict[str, Any]:
    """Return the trace of what is written in the cells, in the page's own ink.

    What a heat map writes by itself is black or white as if the page were white.
    """
    cells = [
        (x, y, words)
        for y, row in zip(down, text.to_numpy(), strict=True)
        for x, words in zip(across, row, strict=True)
        if isinstance(words, str) and words
    ]
    return {
        "type": "scatter",
        "mode": "text",
        "x": [x for x, _, _ in cells],
        "y": [y for _, y, _ in cells],
        "text": [words for _, _, words in cells],
        "textfont": {"size": 13 if len(across) <= FEW else 9},
        "hoverinfo": "skip",
    }
