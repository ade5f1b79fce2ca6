"""How values spread: a box and its points in a row, one histogram, or versions' levels."""

from itertools import pairwise

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from core.figures.line_names import shorten
from core.figures.style import COLOURS, lay_out, layout_of, plain_text

ROW, MARGINS = 20, 90
BINS = 24
FILL, POINT = "rgba(0,114,178,.18)", "rgba(128,128,128,.8)"


def draw_distributions(scores: pd.DataFrame, by: str, point: str, measure: str) -> go.Figure:
    """Draw the spread of scores in rows.

    Parameters
    ----------
    scores : DataFrame
        The columns ``by``, ``point`` and ``value``; rows of the figure from its top in the order
        in which ``by`` names them first.
    by : str
        The column that names the rows of the figure.
    point : str
        The column that names a single point under the pointer.
    measure : str
        What the values are called.

    Notes
    -----
    The box reaches from the first to the third quartile, its line is the median, the dashed line
    the mean; whiskers reach to the last point within 1.5 box lengths.
    """
    names = list(scores[by].unique())
    index = {name: number for number, name in enumerate(names)}
    box = {
        "type": "box",
        "orientation": "h",
        "x": scores["value"].to_numpy(),
        "y": scores[by].map(index).to_numpy(),
        "name": measure,
        "text": list(map(plain_text, scores[point])),
        "hovertemplate": "%{text}: %{x:.3f}<extra></extra>",
        "boxpoints": "all",
        "boxmean": True,
        "jitter": 0.5,
        "pointpos": 0,
        "whiskerwidth": 0.5,
        "line": {"color": COLOURS[0], "width": 1.5},
        "fillcolor": FILL,
        "marker": {"color": POINT, "size": 4},
    }
    layout = layout_of(
        x=measure,
        y="",
        height=MARGINS + ROW * max(len(names), 3),
        legend=False,
        xaxis={"rangemode": "tozero"},
        yaxis={
            "range": [len(names) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": list(range(len(names))),
            "ticktext": [shorten(name) for name in names],
            "zeroline": False,
            "automargin": True,
        },
    )
    return go.Figure([box], {**layout, "boxgap": 0.25})


def draw_spread(values: "pd.Series[float]", *, x: str, y: str) -> go.Figure:
    """Draw how many values there are of each size, with a line at their median.

    Parameters
    ----------
    values : Series of float
        None of them undefined.
    x, y : str
        What the values are, and of what there are so many.
    """
    counts, ends = np.histogram(values, bins=BINS)
    bars = {
        "type": "bar",
        "x": (ends[:-1] + ends[1:]) / 2,
        "y": counts,
        "width": np.diff(ends),
        "customdata": list(pairwise(ends)),
        "hovertemplate": "%{customdata[0]:.3f} to %{customdata[1]:.3f}: %{y:,}<extra></extra>",
        "marker": {"color": FILL, "line": {"color": COLOURS[0], "width": 1}},
    }
    layout = layout_of(x=x, y=y, height=MARGINS + ROW * 14, legend=False)
    layout["shapes"] = [
        {
            **{"type": "line", "yref": "y domain", "y0": 0, "y1": 1},
            **{"x0": values.median(), "x1": values.median()},
            "line": {"dash": "dash", "width": 2, "color": COLOURS[0]},
        }
    ]
    return go.Figure([bars], layout)


_PANELS_ACROSS = 2
_PANEL_HEIGHT = 190


def draw_level_distributions(rows: pd.DataFrame) -> go.Figure:
    """Draw how the levels of several versions are spread, a small panel for each.

    Parameters
    ----------
    rows : DataFrame
        version, written (the level), documents, share; the panels come in the order in which
        versions first appear, their bars in the order of the rows. At least one row.
    """
    versions = list(rows["version"].unique())
    lines = -(-len(versions) // _PANELS_ACROSS)
    figure = make_subplots(
        rows=lines,
        cols=_PANELS_ACROSS,
        subplot_titles=[shorten(version) for version in versions],
        shared_yaxes=True,
        vertical_spacing=0.48 / lines if lines > 1 else 0,
        horizontal_spacing=0.06,
    )
    for index, version in enumerate(versions):
        one = rows[rows["version"] == version]
        figure.add_bar(
            x=list(map(plain_text, one["written"])),
            y=one["share"],
            name=plain_text(version),
            text=[f"{number:,}" for number in one["documents"]],
            textposition="outside",
            cliponaxis=False,
            marker={"color": COLOURS[0]},
            hovertemplate="level %{x}: %{text} documents, %{y:.1%}<extra></extra>",
            row=index // _PANELS_ACROSS + 1,
            col=index % _PANELS_ACROSS + 1,
        )
    lay_out(figure, x="", y="", height=70 + _PANEL_HEIGHT * lines, legend=False)
    figure.update_layout(margin={"l": 45, "r": 10, "t": 40, "b": 40})
    figure.update_xaxes(type="category", title=None)
    highest = float(rows["share"].max())
    figure.update_yaxes(title=None, tickformat=".0%", range=[0, max(highest, 0.01) * 1.25])
    figure.update_annotations(font_size=12)
    return figure
