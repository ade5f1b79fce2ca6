"""The look that all figures share: readable without colour, in light and in dark."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

Figure = go.Figure
"""What every function that draws returns."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7F7F7F")
"""Wong's palette (2011), told apart with any common colour blindness."""

GREY = COLOURS[-1]
"""For what stands on light and on dark."""

MANY = 30
"""Rows beyond which a figure makes them lower, so that all are in view at once."""

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MARKERS = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "triangle-down")


def plain_text(text: object) -> str:
    """Return a text so that a figure shows it as it is.

    Figures read a little HTML, links among it, and take ``%{…}`` for a number of theirs. Every
    name that a person or a file gave goes through here, at the last moment and once.
    """
    marked = str(text).replace("&", "&amp;").replace("<", "&lt;")
    return marked.replace("%{", "%&#123;")


def plain_names(rows: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Return rows with the names in some columns made plain."""
    return rows.assign(**{name: [plain_text(text) for text in rows[name]] for name in columns})


def look(index: int) -> dict[str, dict[str, object]]:
    """Return the line and marker of the n-th series: colour, dash and shape differ."""
    colour = COLOURS[index % len(COLOURS)]
    return {
        "line": {"color": colour, "dash": DASHES[index % len(DASHES)], "width": 2},
        "marker": {"color": colour, "symbol": MARKERS[index % len(MARKERS)], "size": 7},
    }


def lay_out(
    figure: go.Figure, *, x: str, y: str, height: int = 420, legend: bool = True
) -> go.Figure:
    """Give a figure its axis titles and the shared layout."""
    return figure.update_layout(layout_of(x=x, y=y, height=height, legend=legend))


def layout_of(
    *, x: str, y: str, height: int = 420, legend: bool = True, **more: dict[str, Any]
) -> dict[str, Any]:
    """Return axis titles and the shared layout, to make a figure with.

    A figure made at once takes a fraction of the time of one that is changed step by step. To
    drag over one does nothing until zooming is chosen: a finger on it then scrolls the page.
    Axes write numbers out with thousands separated, as the pages do.

    Parameters
    ----------
    x, y : str
        Axis titles.
    height : int
        In pixels.
    legend : bool
        Whether the series are named beside the figure.
    **more
        What else the parts of the layout have: ``xaxis={"range": [0, 1]}``, say.
    """
    axis = {
        **{"gridcolor": "rgba(128,128,128,.25)", "zerolinecolor": "rgba(128,128,128,.5)"},
        **{"separatethousands": True, "exponentformat": "none"},
    }
    layout: dict[str, Any] = {
        "height": height,
        "margin": {"l": 60, "r": 20, "t": 30, "b": 50},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": legend,
        "hovermode": "closest",
        "dragmode": False,
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": GREY, "activecolor": COLOURS[0]},
        "xaxis": {"title": {"text": x}, **axis},
        "yaxis": {"title": {"text": y}, **axis},
    }
    for part, values in more.items():
        layout[part] = {**layout[part], **values}
    return layout
