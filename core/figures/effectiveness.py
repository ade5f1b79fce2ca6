"""Figures of how good systems are: curves of means and of one topic, scores by topic."""

from math import ceil
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import LineName, shorten, tie_names
from core.figures.style import COLOURS, GREY, MANY, layout_of, look, plain_text
from core.language.translate import t

HEIGHT, MARGINS = 420, 80
ROW = 18
LEADER_ROW, LOW_LEADER_ROW, LEADER_MARGINS = 15, 13, 75
IDEAL = "ideal"


def draw_precision_recall(curve: pd.DataFrame, *, exact: bool = False) -> go.Figure:
    """Draw precision by recall.

    Parameters
    ----------
    curve : DataFrame
        ``system, recall, value`` as `precision_recall_curve` or, exact, as
        `precision_recall_by_rank` returns it; a line for each system.
    exact : bool, default False
        The points are those of the ranks and not interpolated.
    """
    y = "Precision at each rank" if exact else "Precision (interpolated)"
    return _draw_lines(curve, "recall", x="Recall", y=y, zero=True)


def draw_gain_curve(
    curve: pd.DataFrame, measure: str = "nDCG", ideal: pd.DataFrame | None = None
) -> go.Figure:
    """Draw cumulated gain by rank.

    Parameters
    ----------
    curve : DataFrame
        ``system, rank, value`` as `gain_curve` returns it; a line for each system.
    measure : str
        What the values are called.
    ideal : DataFrame, optional
        ``rank, value`` of the best possible list, drawn as a grey line.
    """
    title = f"{measure} up to the rank"
    return _draw_lines(curve, "rank", x="Rank", y=title, ideal=ideal)


def draw_leaderboard(rows: pd.DataFrame, measure: str) -> go.Figure:
    """Draw systems by their means, with intervals and judged shares.

    The rows of those who are not shown to differ from the best are shaded.

    Parameters
    ----------
    rows : DataFrame
        ``system, value, low, high, judged, topics, differs`` from the best to the worst, as
        ``Leaderboard.ranking`` has it.
    measure : str
        What the values are called.
    """
    names, many = [shorten(system) for system in rows["system"]], len(rows) > MANY
    layout = layout_of(
        x=f"mean {measure}",
        y="",
        height=LEADER_MARGINS + (LOW_LEADER_ROW if many else LEADER_ROW) * len(rows),
        legend=False,
        margin={"l": 10, "t": 10},
        xaxis={"domain": [0, 0.86]},
        yaxis={
            "tickvals": list(range(len(rows))),
            "ticktext": names,
            "range": [len(rows) - 0.5, -0.5],
            "automargin": True,
            "zeroline": False,
            "tickfont": {"size": 10 if many else 12},
        },
    )
    title = {"text": "judged share", "font": {"size": 11}}
    layout["xaxis2"] = {
        **{"domain": [0.89, 1], "range": [0, 1], "title": title},
        **{"tickformat": ".0%", "tickvals": [0, 1], "showgrid": False},
    }
    layout["shapes"] = [_shade(place) for place in _places_alike(rows)]
    places = list(range(len(rows)))
    return go.Figure([_leader_dots(rows, places), _judged_bars(rows, places)], layout)


def _places_alike(rows: pd.DataFrame) -> list[int]:
    """Return the rows of the best and of those not shown to differ from it, if any is tested."""
    if rows["differs"].isna().all():
        return []
    return [place for place, differs in enumerate(rows["differs"].fillna(False)) if not differs]


def _shade(place: int) -> dict[str, Any]:
    return {
        **{"type": "rect", "xref": "x domain", "x0": 0, "x1": 1, "layer": "below"},
        **{"y0": place - 0.5, "y1": place + 0.5, "line": {"width": 0}},
        "fillcolor": "rgba(128,128,128,.18)",
    }


def _leader_dots(rows: pd.DataFrame, places: list[int]) -> dict[str, Any]:
    return {
        **{"type": "scatter", "x": rows["value"], "y": places, "mode": "markers"},
        "marker": {"color": COLOURS[0], "size": 8},
        "error_x": {
            **{"type": "data", "symmetric": False, "thickness": 1.5, "width": 3},
            "array": rows["high"] - rows["value"],
            "arrayminus": rows["value"] - rows["low"],
            "color": COLOURS[0],
        },
        "customdata": [
            [plain_text(row.system), row.low, row.high, row.topics] for row in rows.itertuples()
        ],
        "hovertemplate": "%{customdata[0]}: %{x:.3f} [%{customdata[1]:.3f}, %{customdata[2]:.3f}]"
        "<br>%{customdata[3]:,} topics<extra></extra>",
    }


def _judged_bars(rows: pd.DataFrame, places: list[int]) -> dict[str, Any]:
    return {
        **{"type": "bar", "orientation": "h", "xaxis": "x2", "x": rows["judged"], "y": places},
        **{"width": 0.4, "marker": {"color": GREY}},
        "customdata": [plain_text(system) for system in rows["system"]],
        "hovertemplate": "%{customdata}: %{x:.0%} judged<extra></extra>",
    }


def draw_topic_scores(scores: pd.DataFrame, by: str, measure: str) -> go.Figure:
    """Draw one dot for each system on a topic, or for each topic of a system.

    Parameters
    ----------
    scores : DataFrame
        The column ``by`` and ``value``, from the top of the figure to its bottom; an optional
        column ``typical`` is drawn as a tick for comparison.
    by : str
        The column of the names: 'system' or 'topic_id'.
    measure : str
        What the values are called.
    """
    dots = []
    if "typical" in scores:
        tick = {"symbol": "line-ns-open", "size": 12, "color": GREY}
        dots.append(_place_dots(scores["typical"], scores[by], "median of all systems", tick))
    dot = {"symbol": "circle", "size": 9, "color": COLOURS[0]}
    dots.append(_place_dots(scores["value"], scores[by], measure, dot))
    top = 66 if "typical" in scores else 30  # a legend, on a phone below the buttons
    layout = layout_of(
        x=measure,
        y="",
        height=MARGINS + 10 + top + ROW * len(scores),
        legend="typical" in scores,
        margin={"t": top},
        xaxis={"rangemode": "tozero"},
        yaxis={
            "range": [len(scores) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": list(range(len(scores))),
            "ticktext": [shorten(name) for name in scores[by]],
            "zeroline": False,
            "automargin": True,
        },
    )
    layout["legend"] = {"orientation": "h", "y": 1, "yanchor": "bottom"}
    return go.Figure(dots, layout)


def _place_dots(
    values: "pd.Series[float]", names: "pd.Series[str]", title: str, marker: dict[str, object]
) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": values.to_numpy(),
        "y": list(range(len(values))),
        "mode": "markers",
        "name": title,
        "marker": marker,
        "customdata": list(map(plain_text, names)),
        "hovertemplate": "%{customdata}: %{x:.3f}<extra>%{fullData.name}</extra>",
    }


def _draw_lines(
    curve: pd.DataFrame,
    axis: str,
    *,
    x: str,
    y: str,
    zero: bool = False,
    ideal: pd.DataFrame | None = None,
) -> go.Figure:
    lines, names = [], []
    if ideal is not None:
        thick: dict[str, Any] = {"line": {"color": GREY, "width": 3}, "mode": "lines"}
        lines.append(_draw_line(IDEAL, ideal, axis, thick))
        names.append(_name_line(IDEAL, ideal, axis, GREY))
    for index, (system, points) in enumerate(curve.groupby("system", sort=False)):
        style = look(index)
        lines.append(_draw_line(str(system), points, axis, {**style, "mode": "lines+markers"}))
        colour, symbol = str(style["line"]["color"]), str(style["marker"]["symbol"])
        names.append(_name_line(str(system), points, axis, colour, symbol))
    values = curve["value"] if ideal is None else pd.concat([curve["value"], ideal["value"]])
    low, high = _pad(values, zero=zero)
    if ideal is not None and (ideal["value"] == 1).all():
        high = max(1.0, float(values.max()))  # no tick beyond what can be reached
    tied = tie_names(names, (HEIGHT - MARGINS) / (high - low))
    layout = layout_of(
        x=x,
        y=y,
        height=HEIGHT,
        legend=False,
        margin=tied["margin"],
        xaxis={"range": _pad(curve[axis])},
        yaxis={"range": [low, high]},
    )
    return go.Figure(lines, {**layout, "annotations": tied["annotations"]})


def _draw_line(name: str, points: pd.DataFrame, axis: str, style: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": points[axis].to_numpy(),
        "y": points["value"].to_numpy(),
        "name": plain_text(name),
        "cliponaxis": False,
        "customdata": points["rank"].to_numpy() if "rank" in points else None,
        "hovertemplate": f"%{{fullData.name}}<br>{_say_where(points, axis)}: "
        "%{y:.3f}<extra></extra>",
        **style,
    }


def _say_where(points: pd.DataFrame, axis: str) -> str:
    """Return what the pointer says at a point of the x axis."""
    if axis != "rank" and "rank" in points:
        return "rank %{customdata}, recall %{x:.3f}"
    return f"{axis} %{{x}}"


def _name_line(
    name: str, points: pd.DataFrame, axis: str, colour: str, symbol: str = ""
) -> LineName:
    last = points.iloc[-1]
    return LineName(name, last[axis], float(last["value"]), colour, symbol)


def _pad(values: "pd.Series[float]", *, zero: bool = False) -> tuple[float, float]:
    """Return the range of an axis, a little wider than its values, and than 0 if wanted."""
    lowest, highest = float(values.min()), float(values.max())
    if zero:
        lowest, highest = min(lowest, 0.0), max(highest, 0.0)
    room = max(highest - lowest, 0.1) * 0.04
    return lowest - room, highest + room


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
