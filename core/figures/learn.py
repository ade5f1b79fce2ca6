"""Figures of worked examples: values by rank, two rankings, and the terms of a sum."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.figures.style import COLOURS, GREY, layout_of, look, plain_text
from core.language.translate import t

HEIGHT = 360
ABOVE = {"orientation": "h", "y": 1.02, "yanchor": "bottom"}


def draw_lines(
    rows: pd.DataFrame,
    axis: str,
    *,
    x: str,
    y: str,
    at: float | None = None,
    height: int = HEIGHT,
    step: float = 1,
) -> go.Figure:
    """Draw one line for each series, and where the reader stands.

    Parameters
    ----------
    rows : DataFrame
        ``series``, the column ``axis`` and ``value``.
    axis : str
        What runs to the right.
    x, y : str
        Axis titles.
    at : float, optional
        Where on the x axis a dotted line stands.
    height : int
        In pixels.
    step : float
        How far apart the marks of the axis are.
    """
    traces = [
        {
            "type": "scatter",
            "x": part[axis].to_numpy(),
            "y": part["value"].to_numpy(),
            "name": plain_text(series),
            "mode": "lines+markers" if len(part) <= 50 else "lines",
            "hovertemplate": f"%{{fullData.name}}<br>{t(axis)} %{{x}}: %{{y:.4f}}<extra></extra>",
            **look(index),
        }
        for index, (series, part) in enumerate(rows.groupby("series", sort=False))
    ]
    ends = [float(rows[axis].min()) - step / 2, float(rows[axis].max()) + step / 2]
    layout = layout_of(
        x=x,
        y=y,
        height=height,
        margin={"t": 50},
        xaxis={"dtick": step, "range": ends, "tickangle": 0, "zeroline": False},
        yaxis={"rangemode": "tozero"},
    )
    layout["legend"] = ABOVE
    if at is not None:
        layout["shapes"] = [_stand(at)]
    return go.Figure(traces, layout)


def _stand(at: float) -> dict[str, Any]:
    line = {"dash": "dot", "width": 2, "color": GREY}
    return {"type": "line", "x0": at, "x1": at, "yref": "y domain", "y0": 0, "y1": 1, "line": line}


def draw_rank_pairs(ranks: pd.DataFrame) -> go.Figure:
    """Draw every document by its rank in two rankings, and the line of perfect agreement.

    Parameters
    ----------
    ranks : DataFrame
        ``document, first, second``.
    """
    last = len(ranks)
    points = {
        "type": "scatter",
        "x": ranks["first"].to_numpy(),
        "y": ranks["second"].to_numpy(),
        "text": list(map(plain_text, ranks["document"])),
        "mode": "markers+text",
        "textposition": [
            f"{side} center"
            for side in (ranks["second"] > ranks["first"]).map({True: "bottom", False: "top"})
        ],
        "marker": {"color": COLOURS[0], "size": 10},
        "hovertemplate": t("%{text}: rank %{x} in the first, %{y} in the second<extra></extra>"),
    }
    marks = {"tickvals": list(range(1, last + 1)), "zeroline": False}
    layout = layout_of(
        x=t("rank in the first ranking"),
        y=t("rank in the second"),
        height=HEIGHT + 40,
        legend=False,
        xaxis={"range": [0, last + 1], **marks},
        yaxis={"range": [last + 1, 0], **marks},
    )
    same = {"type": "line", "layer": "below", "x0": 1, "y0": 1, "x1": last, "y1": last}
    layout["shapes"] = [{**same, "line": {"color": GREY, "dash": "dash", "width": 1.5}}]
    return go.Figure([points], layout)


def draw_terms(terms: pd.DataFrame) -> go.Figure:
    """Draw the chance that just m other users find an item top; what counts is filled.

    Parameters
    ----------
    terms : DataFrame
        ``others, chance, counts`` as `list_binomial_terms` returns it.
    """
    looks = (
        (True, t("counts"), {"color": COLOURS[0]}),
        (False, t("too few"), {"color": "rgba(0,0,0,0)", "line": {"color": GREY, "width": 2}}),
    )
    traces = [
        {
            "type": "bar",
            "x": part["others"].to_numpy(),
            "y": part["chance"].to_numpy(),
            "name": name,
            "marker": marker,
            "text": [f"{value:.3f}" for value in part["chance"]],
            "textposition": "outside",
            "cliponaxis": False,
            "hovertemplate": t("%{x} of the others: %{y:.4f}<extra>%{fullData.name}</extra>"),
        }
        for counts, name, marker in looks
        if len(part := terms[terms["counts"] == counts])
    ]
    layout = layout_of(
        x=t("m, how many of the other users find it top"),
        y=t("chance"),
        height=HEIGHT,
        margin={"t": 50},
        xaxis={"dtick": 1, "showgrid": False},
        yaxis={"rangemode": "tozero"},
    )
    layout["legend"] = ABOVE
    layout["barmode"] = "overlay"
    return go.Figure(traces, layout)


FILLS = ("#595959", "#8F6B00", "#007D5A", "#0065A0", "#A6447D")
"""Dark enough for white numbers."""

PATTERNS = ("", "/", ".", "x", "-")
LARGE = 18
ROW = 30


def draw_label_counts(rows: pd.DataFrame, levels: Sequence[str]) -> go.Figure:
    """Draw how many students gave each item each level, stacked from the lowest.

    Parameters
    ----------
    rows : DataFrame
        ``item`` (its name), ``level`` (the level's name), ``labels``; items from top to bottom.
    levels : sequence of str
        The names of all levels, lowest first.
    """
    items = list(dict.fromkeys(rows["item"]))
    traces = []
    for index, level in enumerate(levels):
        part = rows[rows["level"] == level].set_index("item")["labels"].reindex(items).fillna(0)
        shape = PATTERNS[index % len(PATTERNS)]
        pattern = {"shape": shape, "fillmode": "overlay", "fgcolor": "#000000", "fgopacity": 0.35}
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "y": list(map(plain_text, items)),
                "x": part.to_numpy(),
                "name": plain_text(level),
                "text": [f"{int(count):,}" if count else "" for count in part],
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "constraintext": "none",
                "textfont": {"size": LARGE - 2, "color": "#FFFFFF"},
                "marker": {"color": FILLS[index % len(FILLS)], "pattern": pattern},
                "hovertemplate": t("%{y}: %{x:,} said %{fullData.name}<extra></extra>"),
            }
        )
    layout = layout_of(
        x=t("labels"),
        y="",
        height=120 + ROW * len(items),
        margin={"l": 10, "t": 50, "b": 60},
        xaxis={"tickfont": {"size": LARGE}, "dtick": _step(rows)},
        yaxis={
            "type": "category",
            "autorange": "reversed",
            "automargin": True,
            "tickfont": {"size": LARGE},
            "showgrid": False,
        },
    )
    layout["barmode"] = "stack"
    layout["legend"] = {
        "orientation": "h",
        "y": 1.01,
        "yanchor": "bottom",
        "traceorder": "normal",
        "font": {"size": LARGE},
    }
    return go.Figure(traces, layout)


def draw_level_weights(rows: pd.DataFrame) -> go.Figure:
    """Draw the weight of every level as a bar with its value.

    Parameters
    ----------
    rows : DataFrame
        ``name`` (of the level, lowest first), ``weight`` in [0, 1] or NaN, ``written``.
    """
    bars = {
        "type": "bar",
        "x": list(map(plain_text, rows["name"])),
        "y": rows["weight"].fillna(0).to_numpy(),
        "text": rows["written"].tolist(),
        "textposition": "outside",
        "textfont": {"size": LARGE + 6},
        "cliponaxis": False,
        "marker": {"color": COLOURS[0]},
        "hovertemplate": "%{x}: %{y:.3f}<extra></extra>",
    }
    layout = layout_of(
        x="",
        y=t("weight"),
        height=120 + ROW * 10,
        legend=False,
        margin={"t": 50},
        xaxis={"type": "category", "tickfont": {"size": LARGE}, "showgrid": False},
        yaxis={"range": [0, 1.12], "dtick": 0.25, "tickfont": {"size": LARGE}},
    )
    return go.Figure([bars], layout)


def _step(rows: pd.DataFrame) -> int:
    """Return a whole step of the axis that gives about ten marks."""
    most = int(rows.groupby("item")["labels"].sum().max())
    return max(1, -(-most // 10))
