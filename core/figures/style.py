"""The look that all figures share: readable without colour, in light and in dark."""

from collections.abc import Sequence

import plotly.graph_objects as go

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
"""Wong's palette (2011), told apart with any common colour blindness."""

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKERS = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "triangle-down")


def look(place: int) -> dict[str, dict[str, object]]:
    """Return the line and marker of the n-th series: colour, dash and shape differ."""
    colour = COLOURS[place % len(COLOURS)]
    return {
        "line": {"color": colour, "dash": DASHES[place % len(DASHES)], "width": 2},
        "marker": {"color": colour, "symbol": MARKERS[place % len(MARKERS)], "size": 7},
    }


def lay_out(
    figure: go.Figure, *, x: str, y: str, height: int = 420, legend: bool = True
) -> go.Figure:
    """Give a figure its axis titles and the shared layout."""
    figure.update_layout(
        height=height,
        margin={"l": 60, "r": 20, "t": 30, "b": 50},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        showlegend=legend,
        hovermode="closest",
    )
    grid = {"gridcolor": "rgba(128,128,128,.25)", "zerolinecolor": "rgba(128,128,128,.5)"}
    figure.update_xaxes(title=x, **grid)
    figure.update_yaxes(title=y, **grid)
    return figure


def name_line_ends(figure: go.Figure, names: Sequence[str], most: int = 8) -> go.Figure:
    """Write each line's name at its last point, where there are few enough to read."""
    if len(names) <= most:
        for trace in figure.data:
            if trace.name in names and len(trace.x):
                figure.add_annotation(
                    x=trace.x[-1],
                    y=trace.y[-1],
                    text=trace.name,
                    xanchor="left",
                    xshift=6,
                    showarrow=False,
                    font={"size": 11},
                )
        figure.update_layout(showlegend=False, margin={"r": 140})
    return figure
