"""Figures of what more topics, items or hours would tell, before they are judged."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.figures.style import COLOURS, GREY, layout_of, look, plain_text

_HEIGHT = 380
_BAND = "rgba(0,114,178,.15)"
_ABOVE = {"orientation": "h", "y": 1, "yanchor": "bottom"}
_DOTS = {"dash": "dot", "width": 1.5, "color": GREY}


def draw_detectable(
    curve: pd.DataFrame, effect: float, needed: float, present: int, measure: str
) -> go.Figure:
    """Draw the least difference that is told by the number of topics, with a band.

    Parameters
    ----------
    curve : DataFrame
        ``topics, effect, effect_low, effect_high`` of one design, as `TopicPlan.curve` has them;
        without limits there is no band.
    effect : float
        The difference that is wanted: a dotted line.
    needed : float
        How many topics tell it: a dot; none where it is NaN.
    present : int
        How many topics there are: a dotted line; none for 0.
    measure : str
        What the difference is of.
    """
    top = float(curve["effect"].quantile(0.9)) if len(curve) else effect
    layout = layout_of(
        x="topics",
        y=f"difference in {plain_text(measure)} that is found",
        height=_HEIGHT,
        margin={"t": 50},
        yaxis={"range": [0, max(1.6 * effect, min(top, 6 * effect))]},
    )
    layout["shapes"] = [
        {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": effect, "y1": effect,
         "line": _DOTS},
        *_mark_present(present),
    ]  # fmt: skip
    line = _draw_line(curve, "effect", "least difference", "%{x:,} topics: %{y:.3f}")
    dots = [] if np.isnan(needed) else [_draw_needed(needed, effect, f"{needed:,.0f} topics")]
    return go.Figure([*_draw_band(curve, "effect"), line, *dots], {**layout, "legend": _ABOVE})


def draw_power(curve: pd.DataFrame, power: float, present: int) -> go.Figure:
    """Draw the power by the number of topics, a line for each test.

    Parameters
    ----------
    curve : DataFrame
        ``title, topics, power``: a line for each title; rows without power are left out.
    power : float
        The power that is wanted: a dotted line.
    present : int
        How many topics there are: a dotted line; none for 0.
    """
    known = curve[curve["power"].notna()]
    lines = [
        {
            **{"type": "scatter", "mode": "lines", "name": plain_text(title), **look(index)},
            "x": own["topics"].to_numpy(),
            "y": own["power"].to_numpy(),
            "hovertemplate": "%{x:,} topics: %{y:.3f}<extra>%{fullData.name}</extra>",
        }
        for index, (title, own) in enumerate(known.groupby("title", sort=False))
    ]
    layout = layout_of(
        x="topics", y="power", height=_HEIGHT, margin={"t": 50}, yaxis={"range": [0, 1.02]}
    )
    layout["shapes"] = [
        {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": power, "y1": power,
         "line": _DOTS},
        *_mark_present(present),
    ]  # fmt: skip
    return go.Figure(lines, {**layout, "legend": _ABOVE})


def draw_item_widths(curve: pd.DataFrame, width: float, figure: str) -> go.Figure:
    """Draw the expected width of an interval by the items judged twice.

    Parameters
    ----------
    curve : DataFrame
        ``per_topic, topics, items, width``, as `AgreementPlan.curve` has them: a line for each
        number of items of a topic.
    width : float
        The width that is wanted: a dotted line.
    figure : str
        What the interval is of.
    """
    lines = [
        {
            **{"type": "scatter", "mode": "lines", "name": f"{number} of each topic"},
            **look(index),
            "x": own["items"].to_numpy(),
            "y": own["width"].to_numpy(),
            "customdata": own["topics"].to_numpy(),
            "hovertemplate": "%{x:,} items in %{customdata:,} topics: width %{y:.3f}"
            "<extra>%{fullData.name}</extra>",
        }
        for index, (number, own) in enumerate(curve.groupby("per_topic", sort=False))
    ]
    layout = layout_of(
        x="items judged twice, in all",
        y=f"expected width of the interval of {plain_text(figure)}",
        height=_HEIGHT,
        margin={"t": 50},
        xaxis={"type": "log", "dtick": 1},
        yaxis={"range": [0, min(4 * width, max(1.1 * float(curve["width"].max()), width))]},
    )
    layout["shapes"] = [
        {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": width, "y1": width,
         "line": _DOTS}
    ]  # fmt: skip
    return go.Figure(lines, {**layout, "legend": _ABOVE})


def draw_same_cost(same: pd.DataFrame, power: float) -> go.Figure:
    """Draw the power that the same hours buy by the depth of pools, with the number of topics.

    Parameters
    ----------
    same : DataFrame
        ``depth, topics, power, effect``, as `compare_depths` returns them; depths without power are
        left out.
    power : float
        The power that is wanted: a dotted line.
    """
    known = same[same["power"].notna()]
    bars = {
        "type": "bar",
        "x": known["depth"].astype("str").to_numpy(),
        "y": known["power"].to_numpy(),
        "text": [f"{number:,} topics" for number in known["topics"]],
        "textposition": "outside",
        "cliponaxis": False,
        "customdata": known["effect"].to_numpy(),
        "marker": {"color": COLOURS[0]},
        "hovertemplate": "depth %{x}: power %{y:.3f}, tells %{customdata:.3f}"
        "<extra>%{text}</extra>",
    }
    layout = layout_of(
        x="depth of the pool",
        y="power for the same hours",
        height=_HEIGHT,
        legend=False,
        xaxis={"type": "category"},
        yaxis={"range": [0, 1.1]},
    )
    layout["shapes"] = [
        {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": power, "y1": power,
         "line": _DOTS}
    ]  # fmt: skip
    return go.Figure([bars], layout)


def _draw_line(curve: pd.DataFrame, column: str, name: str, hover: str) -> dict[str, Any]:
    return {
        **{"type": "scatter", "mode": "lines", "name": name},
        "line": look(0)["line"],
        "x": curve["topics"].to_numpy(),
        "y": curve[column].to_numpy(),
        "hovertemplate": f"{hover}<extra></extra>",
    }


def _draw_band(curve: pd.DataFrame, column: str) -> list[dict[str, Any]]:
    """Return the two edges of a band; none where limits lack."""
    if not len(curve) or curve[f"{column}_low"].isna().any():
        return []
    edges = {
        **{"type": "scatter", "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"},
        "x": curve["topics"].to_numpy(),
    }
    return [
        {**edges, "y": curve[f"{column}_low"].to_numpy(), "showlegend": False},
        {
            **edges,
            "y": curve[f"{column}_high"].to_numpy(),
            **{"fill": "tonexty", "fillcolor": _BAND, "name": "at the limits of the variance"},
        },
    ]


def _draw_needed(topics: float, effect: float, text: str) -> dict[str, Any]:
    return {
        **{"type": "scatter", "mode": "markers+text", "showlegend": False},
        "x": [topics],
        "y": [effect],
        "text": [text],
        "textposition": "top right",
        "marker": {"color": COLOURS[1], "symbol": "diamond", "size": 10},
        "hoverinfo": "skip",
    }


def _mark_present(present: int) -> list[dict[str, Any]]:
    if not present:
        return []
    line = {"type": "line", "x0": present, "x1": present, "yref": "y domain", "y0": 0, "y1": 1}
    return [{**line, "line": _DOTS}]


def draw_learning(curve: pd.DataFrame, of: str, along: str, each: str) -> go.Figure:
    """Draw the error of parts of what there is, a line for each number of opinions or votes.

    Parameters
    ----------
    curve : DataFrame
        ``error`` and the two columns that are named next, as `OpinionPlan.learning` has them.
    of, along : str
        The column that lines are of, and the one that is along the axis.
    each : str
        What each line has so many of: "an item".
    """
    lines = [
        {
            **{"type": "scatter", "mode": "lines+markers", **look(index)},
            "name": f"{number} {each}",
            "x": own[along].to_numpy(),
            "y": own["error"].to_numpy(),
            "hovertemplate": "%{x:,}: %{y:.3f}<extra>%{fullData.name}</extra>",
        }
        for index, (number, own) in enumerate(curve.groupby(of, sort=True))
    ]
    names = {"topics": "topics", "budget": "votes in all"}
    layout = layout_of(
        x=names[along],
        y="error against all",
        height=_HEIGHT,
        margin={"t": 50},
        xaxis={"type": "log"},
        yaxis={"rangemode": "tozero"},
    )
    return go.Figure(lines, {**layout, "legend": _ABOVE})
