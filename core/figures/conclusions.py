"""Figures of what a machine judge changes: scores beside people's, gains, runs that stand out."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import shorten
from core.figures.style import COLOURS, GREY, MANY, layout_of, plain_text
from core.numerals import write_limits, write_number, write_p
from core.wording import count

HEIGHT = 460
ROW, LOW_ROW, MARGINS = 16, 13, 110
DOT, OTHER_DOT, UNKNOWN = "circle", "diamond", "circle-open"


def draw_source_scores(
    pairs: pd.DataFrame, measure: str, source: str, named: Collection[str] = ()
) -> go.Figure:
    """Draw each system's mean under people's judgements and under another source's.

    Parameters
    ----------
    pairs : DataFrame
        ``system, people, people_low, people_high, value, low, high``; limits may be NaN.
    measure : str
        What the means are of.
    source : str
        Whose judgements the y axis has.
    named : collection of str
        The systems with their names beside them.

    Notes
    -----
    On the dashed line both means are equal: how far all points lie above it is how much more
    lenient the source is.
    """
    ends = pairs[["people", "value", "people_low", "people_high", "low", "high"]].to_numpy()
    low, high = min(float(np.nanmin(ends)), 0.0), max(float(np.nanmax(ends)), 0.1)
    room = 0.04 * (high - low)
    scale = {"range": [low - room, high + room], "constrain": "domain"}
    layout = layout_of(
        x=f"mean {measure} by people",
        y=f"mean {measure} by {shorten(source)}",
        height=HEIGHT,
        legend=False,
        xaxis=scale,
        yaxis={**scale, "scaleanchor": "x", "scaleratio": 1},
    )
    line = {"color": GREY, "width": 1.5, "dash": "dash"}
    corners = {"x0": low - room, "y0": low - room, "x1": high + room, "y1": high + room}
    layout["shapes"] = [{"type": "line", "layer": "below", "line": line, **corners}]
    return go.Figure([_draw_means(pairs, named)], layout)


def _draw_means(pairs: pd.DataFrame, named: Collection[str]) -> dict[str, Any]:
    return {
        **{"type": "scatter", "x": pairs["people"], "y": pairs["value"]},
        "mode": "markers+text",
        "marker": {"color": COLOURS[0], "size": 8, "symbol": DOT},
        "text": [shorten(name) if name in named else "" for name in pairs["system"]],
        **{"textposition": "bottom right", "textfont": {"size": 11}},
        "error_x": _limits(pairs, "people", "people_low", "people_high"),
        "error_y": _limits(pairs, "value", "low", "high"),
        "customdata": [plain_text(name) for name in pairs["system"]],
        "hovertemplate": "%{customdata}: %{x:.3f}, %{y:.3f}<extra></extra>",
    }


def _limits(rows: pd.DataFrame, value: str, low: str, high: str) -> dict[str, Any]:
    return {
        **{"type": "data", "symmetric": False, "thickness": 0.8, "width": 0},
        "array": rows[high] - rows[value],
        "arrayminus": rows[value] - rows[low],
        "color": "rgba(128,128,128,.5)",
    }


def draw_gains(gains: pd.DataFrame, measure: str, members: Collection[str] = ()) -> go.Figure:
    """Draw how much more each system gains from a machine's labels than the others.

    Parameters
    ----------
    gains : DataFrame
        ``system, gain, relative, relative_low, relative_high``, from the top to the bottom, as
        ``mean_gains`` returns it.
    measure : str
        What the gains are in.
    members : collection of str
        The lineage: its systems are diamonds, the others circles.
    """
    is_member = gains["system"].isin(members).to_numpy()
    kinds = [("other runs", ~is_member, DOT, COLOURS[0])]
    if is_member.any():
        kinds.append(("declared lineage", is_member, OTHER_DOT, COLOURS[1]))
    hover = [
        f"{plain_text(row['system'])}: {write_number(row['relative'], signed=True)} "
        f"{write_limits(row['relative_low'], row['relative_high'])}<br>"
        f"gain {write_number(row['gain'], signed=True)}"
        for _, row in gains.iterrows()
    ]
    dots = [
        _place_dots(gains["relative"], hover, kept, name, symbol, colour)
        | {"error_x": _row_limits(gains[kept], colour)}
        for name, kept, symbol, colour in kinds
    ]
    title = f"gain in {measure} beside the other systems"
    return _lay_out_rows(dots, gains["system"], title, 0.0)


def _row_limits(gains: pd.DataFrame, colour: str) -> dict[str, Any]:
    """Return limits that are told from the lines of the grid."""
    limits = _limits(gains, "relative", "relative_low", "relative_high")
    return limits | {"color": colour, "thickness": 1.5, "width": 2}


def draw_circularity(runs: pd.DataFrame) -> go.Figure:
    """Draw how far each run agrees with a machine beyond people and the other runs.

    Parameters
    ----------
    runs : DataFrame
        ``system, statistic, p_corrected, pairs, flagged`` from the top to the bottom, as
        ``check_circularity`` returns it. What stands out is a diamond; a run that cannot be tested
        is an empty circle, one without a statistic has no mark. The dashed line is the mean.
    """
    flagged = runs["flagged"].fillna(False).to_numpy(np.bool_)
    untested = runs["flagged"].isna().to_numpy()
    kinds = [
        ("does not stand out", ~flagged & ~untested, DOT, COLOURS[0]),
        ("stands out", flagged, OTHER_DOT, COLOURS[1]),
        ("not tested", untested, UNKNOWN, GREY),
    ]
    hover = [
        f"{plain_text(row['system'])}: {write_number(row['statistic'], signed=True)}, "
        f"p {write_p(row['p_corrected'])}<br>{count(row['pairs'], 'pair')}"
        for _, row in runs.iterrows()
    ]
    dots = [
        _place_dots(runs["statistic"], hover, kept, name, symbol, colour)
        for name, kept, symbol, colour in kinds
        if kept.any()
    ]
    title = "agreement with the machine<br>beyond people and the other runs"
    return _lay_out_rows(dots, runs["system"], title, float(runs["statistic"].mean()))


def _place_dots(
    values: "pd.Series[float]",
    hover: list[str],
    kept: "np.ndarray[Any, np.dtype[np.bool_]]",
    name: str,
    symbol: str,
    colour: str,
) -> dict[str, Any]:
    places = np.flatnonzero(kept)
    return {
        **{"type": "scatter", "mode": "markers", "name": name},
        **{"x": values.to_numpy()[places], "y": places},
        "marker": {"symbol": symbol, "size": 9, "color": colour},
        "customdata": [hover[place] for place in places],
        "hovertemplate": "%{customdata}<extra></extra>",
    }


def _lay_out_rows(
    dots: list[dict[str, Any]], systems: "pd.Series[str]", title: str, mark: float
) -> go.Figure:
    """Return a row for each system, with a dashed line at a mark where there is one."""
    many = len(systems) > MANY
    layout = layout_of(
        x=title,
        y="",
        height=MARGINS + (LOW_ROW if many else ROW) * len(systems),
        legend=len(dots) > 1,
        margin={"l": 10, "t": 36},
        yaxis={
            "tickvals": list(range(len(systems))),
            "ticktext": [shorten(name) for name in systems],
            "range": [len(systems) - 0.5, -0.5],
            "automargin": True,
            "zeroline": False,
            "tickfont": {"size": 10 if many else 12},
        },
    )
    layout["legend"] = {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0}
    if not np.isnan(mark):
        line = {"color": GREY, "width": 1.5, "dash": "dash"}
        layout["shapes"] = [
            {
                **{"type": "line", "yref": "y domain", "y0": 0, "y1": 1, "layer": "below"},
                **{"x0": mark, "x1": mark, "line": line},
            }
        ]
    return go.Figure(dots, layout)
