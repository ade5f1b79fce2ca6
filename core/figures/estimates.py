"""Figures of mean scores by people's and a machine's labels, and of what more of them would buy."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import shorten
from core.figures.style import GREY, layout_of, look, plain_text
from core.numerals import write_limits

_NAMES = {
    "classical": "people alone",
    "ppi": "prediction-powered",
    "machine_only": "machine alone (with its bias)",
}
_CURVES = {"classical": "people alone", "powered": "prediction-powered"}
_APART = 0.25
"""Between the intervals of a system, in rows."""

_ROW, _MARGINS, _HEIGHT = 44, 130, 420
_ABOVE = {"orientation": "h", "y": 1, "yanchor": "bottom"}


def draw_estimates(rows: pd.DataFrame, measure: str) -> go.Figure:
    """Draw each system's mean in three ways with 95 % intervals, one below the other.

    Shapes tell the ways apart, and their order: people alone, prediction-powered, machine alone.

    Parameters
    ----------
    rows : DataFrame
        ``system, estimate, value, low, high, units`` of one measure, as `estimate_scores` returns
        them; systems from the top of the figure to its bottom. A mean without limits is a dot.
    measure : str
        What the values are called.
    """
    systems = list(rows["system"].unique())
    place = {system: at for at, system in enumerate(systems)}
    dots = [
        _draw_dots(rows[rows["estimate"] == estimate], place, index)
        for index, estimate in enumerate(_NAMES)
    ]
    layout = layout_of(
        x=f"mean {measure}",
        y="",
        height=_MARGINS + _ROW * len(systems),
        margin={"l": 10, "t": 60},
        yaxis={
            "tickvals": list(range(len(systems))),
            "ticktext": [shorten(system) for system in systems],
            "range": [len(systems) - 0.5, -0.5],
            "automargin": True,
            "zeroline": False,
        },
    )
    return go.Figure(dots, {**layout, "legend": _ABOVE})


def _draw_dots(rows: pd.DataFrame, place: dict[str, int], index: int) -> dict[str, Any]:
    marker = {**look(index)["marker"], "size": 8}
    estimate = list(_NAMES)[index]
    return {
        "type": "scatter",
        "x": rows["value"].to_numpy(),
        "y": [place[system] + (index - 1) * _APART for system in rows["system"]],
        "mode": "markers",
        "name": _NAMES[estimate],
        "marker": marker,
        "error_x": {
            **{"type": "data", "symmetric": False, "thickness": 1.5, "width": 3},
            "array": (rows["high"] - rows["value"]).to_numpy(),
            "arrayminus": (rows["value"] - rows["low"]).to_numpy(),
            "color": marker["color"],
        },
        "customdata": [
            [plain_text(system), _write_limits(low, high), units]
            for system, low, high, units in zip(
                *(rows[name] for name in ("system", "low", "high", "units")), strict=True
            )
        ],
        "hovertemplate": "%{customdata[0]}: %{x:.3f}%{customdata[1]}"
        "<br>%{customdata[2]:,} topics<extra>%{fullData.name}</extra>",
    }


def _write_limits(low: float, high: float) -> str:
    return "" if pd.isna(low) else f" {write_limits(low, high)}"


def draw_widths(widths: pd.DataFrame, n_human: int, measure: str) -> go.Figure:
    """Draw the mean width of intervals by how many of the topics people judge.

    Parameters
    ----------
    widths : DataFrame
        ``n_human, n_machine, classical, powered`` as `expect_widths` returns them.
    n_human : int
        How many topics people have judged, marked by a dotted line.
    measure : str
        What the intervals are of.
    """
    lines = [
        {
            **{"type": "scatter", "mode": "lines+markers", "name": name, **look(index)},
            "x": widths["n_human"].to_numpy(),
            "y": widths[column].to_numpy(),
            "customdata": widths["n_machine"].to_numpy(),
            "hovertemplate": "%{x} topics by people, %{customdata} by the machine alone: "
            "%{y:.3f}<extra>%{fullData.name}</extra>",
        }
        for index, (column, name) in enumerate(_CURVES.items())
    ]
    layout = layout_of(
        x="topics judged by people (dotted: now)",
        y=f"mean width of intervals, {measure}",
        height=_HEIGHT,
        margin={"t": 60},
        yaxis={"rangemode": "tozero"},
    )
    now = {"type": "line", "x0": n_human, "x1": n_human, "yref": "y domain", "y0": 0, "y1": 1}
    layout["shapes"] = [{**now, "line": {"dash": "dot", "width": 1.5, "color": GREY}}]
    return go.Figure(lines, {**layout, "legend": _ABOVE})
