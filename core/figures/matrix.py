"""Matrices as heat maps that read without colour: every cell has its number written in it."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.figures.style import layout_of, plain_text

SHADES = ((0.0, "#F7FAFC"), (1.0, "#5B9BCB"))
"""From nothing to much, and never so dark that INK could not be read on it."""

INK = "#111111"

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
    heat = {
        "type": "heatmap",
        "x": list(map(plain_text, shade.columns)),
        "y": list(map(plain_text, shade.index)),
        "z": shade.to_numpy(),
        "text": text.to_numpy(),
        "texttemplate": "%{text}",
        "textfont": {"size": 13 if len(shade.columns) <= FEW else 9, "color": INK},
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
    return go.Figure([heat], layout)
