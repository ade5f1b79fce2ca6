"""Figures of how far the judging is."""

import pandas as pd
import plotly.graph_objects as go

from core.figures.style import COLOURS, GREY, lay_out

PATTERNS = ("", "/", "x", ".")
"""One for each facet, so that bars differ without colour."""

MILLISECONDS = {"minute": 60_000, "hour": 3_600_000, "day": 86_400_000}
"""How long an interval is."""


def draw_labels_by_time(counts: pd.DataFrame) -> go.Figure:
    """Draw how many labels came when, stacked by facet.

    Parameters
    ----------
    counts : DataFrame
        time, facet, labels, interval; from ``labels_by_time``, at least one row.
    """
    figure = go.Figure()
    interval = str(counts["interval"].iloc[0])
    for index, (facet, rows) in enumerate(counts.groupby("facet", sort=True)):
        figure.add_bar(
            x=rows["time"],
            y=rows["labels"],
            name=str(facet),
            width=MILLISECONDS[interval],
            offset=0,
            marker=_bar(index),
        )
    figure.update_layout(barmode="stack")
    lay_out(figure, x="time (UTC)", y=f"labels per {interval}", height=240)
    return _legend_above(figure)


def draw_judged_times(counts: pd.DataFrame, judges: int) -> go.Figure:
    """Draw how many items have one, two, three … labels, and where k is.

    Parameters
    ----------
    counts : DataFrame
        facet, assessors, items; from ``judged_times``.
    judges : int
        k, marked by a line.
    """
    figure = go.Figure()
    for index, (facet, rows) in enumerate(counts.groupby("facet", sort=True)):
        figure.add_bar(
            x=rows["assessors"],
            y=rows["items"],
            name=str(facet),
            text=rows["items"],
            textposition="outside",
            cliponaxis=False,
            marker=_bar(index),
        )
    figure.add_vline(x=judges - 0.5, line={"dash": "dot", "width": 2, "color": GREY})
    figure.update_layout(barmode="group")
    lay_out(figure, x=f"assessors who judged an item (line: k = {judges})", y="items", height=240)
    figure.update_xaxes(dtick=1)
    return _legend_above(figure)


def _bar(index: int) -> dict[str, object]:
    pattern = {"shape": PATTERNS[index % len(PATTERNS)], "fillmode": "overlay", "fgopacity": 0.5}
    return {"color": COLOURS[index % len(COLOURS)], "pattern": pattern}


def _legend_above(figure: go.Figure) -> go.Figure:
    return figure.update_layout(
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"}, margin={"t": 40}
    )
