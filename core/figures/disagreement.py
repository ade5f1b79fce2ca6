"""Figures of the User Disagreement Model: chances of the top level, and weights."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.figures.matrix import draw_matrix, square
from core.figures.style import COLOURS, lay_out, look, plain_names, plain_text


def draw_top_probability(rows: pd.DataFrame, top: str) -> go.Figure:
    """Draw p(top | level) with its interval by level; few cases are hollow and in brackets.

    Parameters
    ----------
    rows : DataFrame
        name (of the level, lowest first), p, low, high, cases, few, p_shown (p as it is
        written beside the dot).
    top : str
        The name of the top level.
    """
    figure, rows = go.Figure(), plain_names(rows, "name")
    for few, symbol, name in (
        (False, "circle", "50 cases, 5 topics or more"),
        (True, "circle-open", "few"),
    ):
        part = rows[(rows["few"] == few) & rows["p"].notna()]
        if part.empty:
            continue
        figure.add_scatter(
            x=part["name"],
            y=part["p"],
            mode="markers+text",
            name=name,
            text=part["p_shown"],
            textposition="middle right",
            textfont={"size": 13},
            marker={"color": COLOURS[0], "symbol": symbol, "size": 11, "line": {"width": 2}},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": part["high"] - part["p"],
                "arrayminus": part["p"] - part["low"],
                "thickness": 1.5,
                "width": 4,
                "color": COLOURS[0],
            },
            customdata=part[["cases", "low", "high"]],
            hovertemplate="%{x}: %{y:.3f} [%{customdata[1]:.3f}, %{customdata[2]:.3f}]"
            "<br>%{customdata[0]:,.1f} cases<extra></extra>",
        )
    lay_out(
        figure,
        x="one assessor's level",
        y=f"p({plain_text(top)} | level)",
        height=360,
        legend=False,
    )
    _name_levels(figure, rows["name"].tolist())
    figure.update_xaxes(range=[-0.4, len(rows) - 0.4])
    return figure.update_yaxes(range=[-0.03, 1.03])


def draw_weights(rows: pd.DataFrame) -> go.Figure:
    """Draw the weight of each level: the model's weights beside the usual gains.

    Parameters
    ----------
    rows : DataFrame
        name (of the level, lowest first), weight, linear, exp; all from 0 to 1.
    """
    figure, rows = go.Figure(), plain_names(rows, "name")
    series = (
        ("weight", "UDM weight"),
        ("linear", "linear gain, scaled"),
        ("exp", "exponential gain, scaled"),
    )
    for index, (column, name) in enumerate(series):
        figure.add_scatter(
            x=rows["name"], y=rows[column], name=name, mode="lines+markers", **look(index)
        )
    lay_out(figure, x="one assessor's level", y="weight", height=360)
    figure.update_layout(
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"}, margin={"t": 60}
    )
    _name_levels(figure, rows["name"].tolist())
    return figure.update_yaxes(range=[-0.03, 1.08])


def draw_combined(
    rows: pd.DataFrame, snippet_levels: Sequence[str], page_levels: Sequence[str]
) -> go.Figure:
    """Draw the weights of (snippet, page) pairs as a matrix; few cases are in brackets.

    Parameters
    ----------
    rows : DataFrame
        snippet, page (level names), weight, weight_shown (as written in the cell), cases.
    snippet_levels, page_levels : sequence of str
        The names of all levels, lowest first.
    """
    order = (page_levels[::-1], snippet_levels)
    weight, shown, cases = (
        square(rows, "page", "snippet", column, order)
        for column in ("weight", "weight_shown", "cases")
    )
    return draw_matrix(
        weight,
        shown,
        cases,
        "snippet %{x}, page %{y}<br>UDM weight %{z:.3f}<br>%{customdata:,.1f} cases",
        x="snippet level",
        y="page level",
        height=140 + 56 * len(page_levels),
    )


def _name_levels(figure: go.Figure, names: Sequence[str]) -> None:
    """Write every level's name below, in the order of the scale."""
    figure.update_xaxes(
        type="category", categoryorder="array", categoryarray=list(names), showgrid=False
    )


def draw_missed_pages(rows: pd.DataFrame) -> go.Figure:
    """Draw each engine's share of missed top pages with its interval, first row on top.

    Parameters
    ----------
    rows : DataFrame
        engine, share, low, high, lost, top_pages.
    """
    figure = go.Figure(
        go.Bar(
            x=rows["share"],
            y=list(map(plain_text, rows["engine"])),
            orientation="h",
            marker={"color": COLOURS[0]},
            text=[f"{value:.0%}" for value in rows["share"]],
            textposition="inside",
            insidetextanchor="start",
            error_x={
                "type": "data",
                "symmetric": False,
                "array": rows["high"] - rows["share"],
                "arrayminus": rows["share"] - rows["low"],
                "thickness": 1.5,
                "width": 4,
                "color": COLOURS[-1],
            },
            customdata=rows[["lost", "top_pages"]],
            hovertemplate="%{y}: %{customdata[0]:,} of %{customdata[1]:,} missed (%{x:.0%})"
            "<extra></extra>",
        )
    )
    height = 110 + 30 * len(rows)
    lay_out(figure, x="share of top pages missed", y="", height=height, legend=False)
    figure.update_yaxes(type="category", autorange="reversed", automargin=True, showgrid=False)
    return figure.update_xaxes(range=[0, 1], tickformat=".0%")
