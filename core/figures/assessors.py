"""Figures of one assessor: levels beside the others', time by level, and the course of both."""

import pandas as pd
import plotly.graph_objects as go

from core.figures.style import COLOURS, GREY, lay_out, look, plain_names, plain_text

_HEIGHT = 320


def draw_level_shares(rows: pd.DataFrame, assessor: str) -> go.Figure:
    """Draw how often an assessor gave each level, beside all others together.

    Parameters
    ----------
    rows : DataFrame
        name (of the level, lowest first), labels, share, others, others_share.
    assessor : str
        The assessor's name.
    """
    figure, rows = go.Figure(), plain_names(rows, "name")
    series = (
        ("share", "labels", plain_text(assessor), ""),
        ("others_share", "others", "all others", "/"),
    )
    for index, (share, labels, name, shape) in enumerate(series):
        figure.add_bar(
            x=rows["name"],
            y=rows[share],
            name=name,
            text=[_percent(value) for value in rows[share]],
            textposition="outside",
            cliponaxis=False,
            customdata=rows[labels],
            hovertemplate="%{x}: %{customdata:,} labels<extra></extra>",
            marker={
                "color": COLOURS[index],
                "pattern": {"shape": shape, "fillmode": "overlay", "fgopacity": 0.5},
            },
        )
    figure.update_layout(barmode="group")
    lay_out(figure, x="level", y="share of labels", height=_HEIGHT)
    figure.update_xaxes(type="category")
    figure.update_yaxes(tickformat=".0%", rangemode="tozero")
    return _legend_above(figure)


def draw_times(rows: pd.DataFrame) -> go.Figure:
    """Draw the median active time by level, with lines from quartile to quartile.

    Parameters
    ----------
    rows : DataFrame
        name (of the level, lowest first), labels, lower, median, upper (seconds).
    """
    figure, rows = go.Figure(), plain_names(rows, "name")
    figure.add_scatter(
        x=rows["name"],
        y=rows["median"],
        mode="markers+text",
        text=[f"{value:.1f}" for value in rows["median"]],
        textposition="middle right",
        marker={"color": COLOURS[0], "size": 11},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": rows["upper"] - rows["median"],
            "arrayminus": rows["median"] - rows["lower"],
            "thickness": 1.5,
            "width": 6,
            "color": COLOURS[0],
        },
        customdata=rows[["labels", "lower", "upper"]],
        hovertemplate="%{x}: %{y:.1f} s [%{customdata[1]:.1f}, %{customdata[2]:.1f}]"
        "<br>%{customdata[0]:,} labels<extra></extra>",
    )
    lay_out(figure, x="level", y="active time (s)", height=_HEIGHT, legend=False)
    figure.update_xaxes(type="category", range=[-0.5, len(rows) - 0.3])
    return figure.update_yaxes(rangemode="tozero")


def draw_drift(rows: pd.DataFrame, column: str, y: str, *, usual: float | None = None) -> go.Figure:
    """Draw one value over successive tenths of an assessor's labels.

    Parameters
    ----------
    rows : DataFrame
        part (1 to 10), labels, and the column drawn; undefined values leave a gap.
    column : str
        The column drawn.
    y : str
        What it is.
    usual : float, optional
        Where to draw a dotted line to compare with.
    """
    figure = go.Figure()
    figure.add_scatter(
        x=rows["part"],
        y=rows[column],
        mode="lines+markers",
        customdata=rows["labels"],
        hovertemplate="tenth %{x}: %{y:.3f}<br>%{customdata:,} labels<extra></extra>",
        **look(0),
    )
    if usual is not None:
        figure.add_hline(y=usual, line={"dash": "dot", "width": 1.5, "color": GREY})
    lay_out(figure, x="tenth of their labels, first to last", y=y, height=260, legend=False)
    return figure.update_xaxes(dtick=1, range=[0.5, 10.5])


def _percent(value: float) -> str:
    return "" if pd.isna(value) else f"{value:.0%}"


def _legend_above(figure: go.Figure) -> go.Figure:
    return figure.update_layout(
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"}, margin={"t": 50}
    )
