"""Figures of how far the judging is."""

import pandas as pd
import plotly.graph_objects as go

from core.figures.style import COLOURS, GREY, lay_out

PATTERNS = ("", "/", "x", ".")
"""One for each facet, so that bars differ without colour."""

_BAND = "rgba(0, 114, 178, .18)"
_RULE = {"dash": "dot", "width": 2, "color": GREY}


def draw_burn_up(
    given: pd.DataFrame, required: int, ahead: pd.DataFrame | None = None
) -> go.Figure:
    """Draw how many judgements of a round there are, what it requires, and the forecast.

    Parameters
    ----------
    given : DataFrame
        time, judged: how many judgements there were, in order.
    required : int
        How many there are when the round is done; drawn as a line.
    ahead : DataFrame, optional
        time, value, low, high: how many there will be, from now on; empty without a forecast.
    """
    figure = go.Figure()
    if ahead is not None and len(ahead):
        edges = {"x": ahead["time"], "mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
        figure.add_scatter(y=ahead["low"], showlegend=False, **edges)
        figure.add_scatter(
            y=ahead["high"], fill="tonexty", fillcolor=_BAND, name="95 % of courses", **edges
        )
        figure.add_scatter(
            x=ahead["time"],
            y=ahead["value"],
            mode="lines",
            line={"color": COLOURS[0], "dash": "dash", "width": 2},
            name="forecast",
        )
    figure.add_scatter(
        x=given["time"],
        y=given["judged"],
        mode="lines+markers" if len(given) == 1 else "lines",
        line={"color": COLOURS[0], "shape": "hv", "width": 3},
        name="judged",
    )
    figure.add_hline(
        y=required,
        line=_RULE,
        annotation={"text": f"required: {required:,}", "yanchor": "bottom"},
        annotation_position="top left",
    )
    lay_out(figure, x="time (UTC)", y="judgements of the round", height=300)
    figure.update_yaxes(range=[0, 1.12 * max(required, 1)], tickformat=",d")
    return _legend_above(figure)


def draw_stability(rows: pd.DataFrame, stable: float) -> go.Figure:
    """Draw how alike today's ranking and those of earlier states are.

    Parameters
    ----------
    rows : DataFrame
        share, tau; from ``ranking_stability``.
    stable : float
        From which τ on two rankings are taken for the same; drawn as a line.
    """
    figure = go.Figure()
    figure.add_scatter(
        x=rows["share"],
        y=rows["tau"],
        mode="lines+markers",
        line={"color": COLOURS[0], "width": 2},
        marker={"size": 7},
        showlegend=False,
    )
    figure.add_hline(y=stable, line=_RULE, annotation={"text": f"τ = {stable:g}"})
    lay_out(figure, x="share of the labels, as they came in", y="τ with today", height=220)
    figure.update_xaxes(range=[0, 1], tickformat=".0%")
    lowest = min(0.0, float(rows["tau"].min()))
    return figure.update_yaxes(range=[lowest - 0.05, 1.05])


def draw_judged_times(counts: pd.DataFrame, judges: int) -> go.Figure:
    """Draw how many items have one, two, three … labels, and where k is.

    Parameters
    ----------
    counts : DataFrame
        facet, assessors, items; of ``Progress``.
    judges : int
        k, marked by a line.
    """
    figure = go.Figure()
    for index, (facet, rows) in enumerate(counts.groupby("facet", sort=True)):
        figure.add_bar(
            x=rows["assessors"],
            y=rows["items"],
            name=str(facet),
            texttemplate="%{y:,}",
            textposition="outside",
            cliponaxis=False,
            marker=_bar(index),
        )
    figure.add_vline(x=judges - 0.5, line=_RULE)
    figure.update_layout(barmode="group")
    lay_out(figure, x=f"assessors who judged an item (line: k = {judges})", y="items", height=240)
    figure.update_xaxes(dtick=1)
    figure.update_yaxes(tickformat=",d")
    return _legend_above(figure)


def _bar(index: int) -> dict[str, object]:
    pattern = {"shape": PATTERNS[index % len(PATTERNS)], "fillmode": "overlay", "fgopacity": 0.5}
    return {"color": COLOURS[index % len(COLOURS)], "pattern": pattern}


def _legend_above(figure: go.Figure) -> go.Figure:
    return figure.update_layout(
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"}, margin={"t": 40}
    )
