"""The share of each engine's good pages that are missed because of poor snippets, as bars."""

import pandas as pd
import plotly.graph_objects as go

from core.figures.style import COLOURS, lay_out, plain_text


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
