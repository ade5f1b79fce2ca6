"""Figures of whether enough is judged: τ to the full pool, bounds, topics, reliability."""

import re
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import LineName, tie_names
from core.figures.style import COLOURS, GREY, layout_of, look, plain_names, plain_text
from core.numerals import write_limits
from core.reports.judging_orders import GOOD

_ROW = 22
_SMALLEST = 180
_BAND = "rgba(0,114,178,.18)"
_SHADE = {"color": COLOURS[0]}
_DASHED: dict[str, Any] = {"type": "line", "line": {"dash": "dash", "width": 1.5, "color": GREY}}


def draw_expected_tau(rows: pd.DataFrame, wanted: float | None = None) -> go.Figure:
    """Draw τ to the ranking of the full pool by how much of the pool was judged.

    Parameters
    ----------
    rows : DataFrame
        share, judged, tau, low, high, best_stays; NaN where there was no ranking.
    wanted : float, optional
        The lower limit that a rule asks for, drawn as a line.
    """
    rows = rows[rows["tau"].notna()]
    lowest = min([0.0, *rows["low"], *([wanted] if wanted is not None else [])])
    layout = layout_of(
        x="share of the pool with a level",
        y="τ to the full pool",
        height=320,
        legend=False,
        xaxis={"range": [0, 1.02], "tickformat": ".0%"},
        yaxis={"range": [lowest - 0.05, 1.05]},
    )
    if wanted is not None:
        layout["shapes"] = [{**_DASHED, "xref": "x domain", "x0": 0, "x1": 1, "y0": wanted,
                             "y1": wanted}]  # fmt: skip
        layout["annotations"] = [
            {"xref": "x domain", "x": 1, "y": wanted, "text": f"rule: limit ≥ {wanted:g}",
             "showarrow": False, "xanchor": "right", "yanchor": "bottom"}
        ]  # fmt: skip
    edge = {"type": "scatter", "mode": "lines", "x": rows["share"], "line": {"width": 0},
            "hoverinfo": "skip"}  # fmt: skip
    points = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": rows["share"],
        "y": rows["tau"],
        "line": {"width": 2, **_SHADE},
        "marker": {"size": 8, **_SHADE},
        "customdata": [
            [judged, write_limits(low, high), stays]
            for judged, low, high, stays in zip(
                rows["judged"], rows["low"], rows["high"], rows["best_stays"], strict=True
            )
        ],
        "hovertemplate": "%{customdata[0]:,} items judged<br>τ %{y:.3f} %{customdata[1]}"
        "<br>P(best stays) %{customdata[2]:.3f}<extra></extra>",
    }
    low = {**edge, "y": rows["low"]}
    high = {**edge, "y": rows["high"], "fill": "tonexty", "fillcolor": _BAND}
    return go.Figure([low, high, points], layout)


def draw_moving_topics(rows: pd.DataFrame) -> go.Figure:
    """Draw which topics' unjudged items make out most of what is not known of the ranking.

    Parameters
    ----------
    rows : DataFrame
        name, part, judged, items; a row for each topic.
    """
    rows = plain_names(rows, "name")
    layout = layout_of(
        x="part of what is not known of the ranking",
        y="",
        height=max(_SMALLEST, 90 + _ROW * len(rows)),
        legend=False,
        xaxis={"tickformat": ".0%"},
        yaxis=_name_rows(rows),
    )
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": rows["part"],
        "y": rows["name"],
        "marker": _SHADE,
        "customdata": rows[["judged", "items"]].to_numpy(),
        "hovertemplate": "%{y}<br>%{x:.1%}<br>%{customdata[0]:,} of %{customdata[1]:,} judged"
        "<extra></extra>",
    }
    return go.Figure([bars], layout)


def draw_score_bounds(rows: pd.DataFrame, measure: str) -> go.Figure:
    """Draw how low and how high every mean score can still be, beside today's.

    Parameters
    ----------
    rows : DataFrame
        system, today, all_relevant, lowest, highest; these are NaN where they are not known.
    measure : str
        What the scores are.
    """
    rows = plain_names(rows, "system")
    layout = layout_of(
        x=f"mean {measure}",
        y="",
        height=max(_SMALLEST, 110 + _ROW * len(rows)),
        margin={"t": 50},
        yaxis=_name_rows(rows, "system"),
    )
    layout["legend"] = {"orientation": "h", "y": 1.02, "yanchor": "bottom"}
    middle = (rows["lowest"] + rows["highest"]) / 2
    ends = {
        "type": "scatter",
        "mode": "markers",
        "name": "possible",
        "x": middle,
        "y": rows["system"],
        "marker": {"size": 1, "color": GREY},
        "error_x": {"type": "data", "array": rows["highest"] - middle, "color": GREY, "width": 3},
        "hoverinfo": "skip",
    }
    shown = [
        _mark(rows, "today", "rest not relevant (today)", "circle", COLOURS[0]),
        _mark(rows, "all_relevant", "rest all relevant", "circle-open", COLOURS[1]),
    ]
    return go.Figure([*([ends] if middle.notna().any() else []), *shown], layout)


def draw_reliability(rows: pd.DataFrame) -> go.Figure:
    """Draw how often what was told with some probability came true.

    Parameters
    ----------
    rows : DataFrame
        predicted (mean probability), observed (share that came true), low, high (95 % limits of
        it), stops (how many).
    """
    layout = layout_of(
        x="P(best stays) as told",
        y="share where it stayed",
        height=320,
        legend=False,
        xaxis={"range": [-0.02, 1.02]},
        yaxis={"range": [-0.02, 1.05]},
    )
    layout["shapes"] = [{**_DASHED, "x0": 0, "y0": 0, "x1": 1, "y1": 1}]
    points = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": rows["predicted"],
        "y": rows["observed"],
        "line": {"width": 1, **_SHADE},
        "marker": {"size": 8, **_SHADE},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": rows["high"] - rows["observed"],
            "arrayminus": rows["observed"] - rows["low"],
            "thickness": 1.5,
            "width": 3,
        },
        "customdata": rows["stops"],
        "hovertemplate": "told %{x:.3f}<br>came true %{y:.3f}<br>%{customdata:,} stops"
        "<extra></extra>",
    }
    return go.Figure([points], layout)


def _mark(rows: pd.DataFrame, column: str, name: str, symbol: str, colour: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": rows[column],
        "y": rows["system"],
        "marker": {"symbol": symbol, "size": 9, "color": colour, "line": {"width": 1.5}},
        "hovertemplate": f"%{{y}}<br>{name}: %{{x:.3f}}<extra></extra>",
    }


def _name_rows(rows: pd.DataFrame, column: str = "name") -> dict[str, Any]:
    return {
        "type": "category",
        "categoryorder": "array",
        "categoryarray": rows[column].tolist(),
        "range": [len(rows) - 0.5, -0.5],
        "automargin": True,
        "dtick": 1,
    }


_HEIGHT, _MARGINS = 440, 80
_PARAMETER = re.compile(r"\w+=|'")


def draw_orders(orders: pd.DataFrame, measure: str) -> go.Figure:
    """Draw Kendall's τ by the share of the pool that is judged, a line for each order.

    Colour, dash and marker differ, and each line has its name and marker at its end. Where all is
    judged τ is 1 for every order; that is left out.

    Parameters
    ----------
    orders : DataFrame
        ``order, share, judged, relevant_found, tau, low, high`` as `simulate_judging`
        returns them; a τ of NaN is left out.
    measure : str
        What systems are ranked by.
    """
    shown = orders[orders["tau"].notna() & (orders["share"] < 1)]
    lowest = min([GOOD, *shown["tau"]])
    low, high = lowest - 0.04, 1.01
    traces, names = [], []
    for index, (order, own) in enumerate(shown.groupby("order", sort=False)):
        style = look(index)
        traces.append(_draw_line(own, str(order), style))
        colour, symbol = str(style["line"]["color"]), str(style["marker"]["symbol"])
        x, y = own["share"].iloc[-1], float(own["tau"].iloc[-1])
        names.append(LineName(shorten_order(str(order)), x, y, colour, symbol))
    tied = tie_names(names, (_HEIGHT - _MARGINS) / (high - low))
    layout = layout_of(
        x="share of the pool judged (dotted: τ = .9)",
        y=f"Kendall's τ to the ranking by all, {measure}",
        height=_HEIGHT,
        legend=False,
        margin=tied["margin"],
        xaxis={"tickformat": ".0%", "range": [0, max([0.05, *shown["share"]]) * 1.02]},
        yaxis={"range": [low, high]},
    )
    line = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": GOOD, "y1": GOOD}
    layout["shapes"] = [{**line, "line": {"dash": "dot", "width": 1.5, "color": GREY}}]
    return go.Figure(traces, {**layout, "annotations": tied["annotations"]})


def shorten_order(text: str) -> str:
    """Return what an order is called where there is little room: its parameters by value.

    Examples
    --------
    >>> shorten_order("max-mean(rate=0.95, topics='shared')")
    'max-mean(0.95, shared)'
    """
    return _PARAMETER.sub("", text)


def _draw_line(own: pd.DataFrame, order: str, style: dict[str, Any]) -> dict[str, Any]:
    rows = own[["judged", "relevant_found", "low", "high"]].itertuples(index=False)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": plain_text(order),
        "x": own["share"].to_numpy(),
        "y": own["tau"].to_numpy(),
        "cliponaxis": False,
        "customdata": [
            [judged, found, "" if pd.isna(low) else f" {write_limits(low, high)}"]
            for judged, found, low, high in rows
        ],
        "hovertemplate": "%{fullData.name}<br>%{x:.0%} of the pool, %{customdata[0]:,} judged, "
        "%{customdata[1]:.0%} of the relevant<br>τ = %{y:.3f}%{customdata[2]}<extra></extra>",
        **style,
    }
