"""The figure of one topic's precision by recall: what was found where, and its staircase."""

from math import ceil
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import shorten
from core.figures.style import layout_of, look, plain_text
from core.language.translate import t

HEIGHT = 420


def draw_precision_points(points: pd.DataFrame) -> go.Figure:
    """Draw exact precision and recall on one topic as markers, interpolated as a staircase.

    Parameters
    ----------
    points : DataFrame
        ``system, rank, recall, value, interpolated`` in order of rank, as `interpolate_points`
        returns it; markers and a staircase for each system. Recall is drawn up to a little more
        than what was found.
    """
    traces = []
    for index, (system, found) in enumerate(points.groupby("system", sort=False)):
        style = look(index)
        traces.append(_draw_steps(found, str(system), style["line"]))
        traces.append(_draw_points(found, str(system), style["marker"]))
    furthest = min(ceil(10 * float(points["recall"].max()) + 1), 10) / 10
    layout = layout_of(
        x="Recall",
        y="Precision",
        height=HEIGHT,
        margin={"t": 60},
        xaxis={"range": [-0.02 * furthest, 1.03 * furthest], "dtick": 0.1, "tickangle": 0},
        yaxis={"range": [-0.03, 1.05]},
    )
    layout["legend"] = {"orientation": "h", "y": 1, "yanchor": "bottom", "font": {"size": 11}}
    return go.Figure(traces, layout)


def _draw_steps(found: pd.DataFrame, system: str, line: dict[str, object]) -> dict[str, Any]:
    """Return the staircase from recall 0 to 1; nothing is found beyond the last point."""
    recall, height = found["recall"].tolist(), found["interpolated"].tolist()
    return {
        "type": "scatter",
        "x": [0.0, *recall, 1.0],
        "y": [height[0], *height, height[-1] if recall[-1] == 1 else 0.0],
        "mode": "lines",
        "line": {**line, "shape": "vh", "width": 1.5},
        "name": shorten(system),
        "legendgroup": plain_text(system),
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _draw_points(found: pd.DataFrame, system: str, marker: dict[str, object]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": found["recall"].to_numpy(),
        "y": found["value"].to_numpy(),
        "mode": "markers",
        "marker": {**marker, "size": 6},
        "name": shorten(system),
        "legendgroup": plain_text(system),
        "customdata": found["rank"].to_numpy(),
        "hovertemplate": t(
            "%{fullData.name}<br>rank %{customdata}: recall %{x:.3f}, "
            "precision %{y:.3f}<extra></extra>"
        ),
    }
