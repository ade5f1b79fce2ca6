"""Figures of preferences: shares of wins, and what a difference of levels or weights predicts."""

import pandas as pd
import plotly.graph_objects as go

from core.figures.matrix import FEW, draw_matrix, square
from core.figures.style import COLOURS, GREY, layout_of, plain_text


def draw_wins(outcomes: pd.DataFrame) -> go.Figure:
    """Draw how often each item was preferred to each other one, strongest first.

    Parameters
    ----------
    outcomes : DataFrame
        first, second, n, share (of the first); a row for each pair, in the order of the items'
        strength as far as they come first.
    """
    mirrored = outcomes.rename(columns={"first": "second", "second": "first"})
    both = pd.concat([outcomes, mirrored.assign(share=1 - mirrored["share"])])
    means = both.groupby("first")["share"].mean().sort_values(ascending=False, kind="stable")
    names = means.index.tolist()
    share, items = (
        square(both, "first", "second", column, (names, names)) for column in ("share", "n")
    )
    digits = ".0%" if len(names) <= FEW else ".1f"
    written = share.map(lambda value: "" if pd.isna(value) else format(value, digits))
    return draw_matrix(
        share,
        written,
        items.fillna(0),
        "%{y} preferred to %{x}: %{z:.0%}<br>%{customdata:,} preferences",
        x="against",
        y="share of wins of",
        height=max(300, 120 + 26 * len(names)),
    )


def draw_predictions_by_grade(rows: pd.DataFrame, *, x: str) -> go.Figure:
    """Draw how often the item with the higher value was preferred, by the size of the difference.

    Parameters
    ----------
    rows : DataFrame
        name (the class of difference), n, share, low, high; from the smallest difference on.
    x : str
        What the differences are of.
    """
    trace = {
        "type": "scatter",
        "x": list(map(plain_text, rows["name"])),
        "y": rows["share"],
        "mode": "lines+markers+text",
        "text": [f"{share:.0%}" for share in rows["share"]],
        "textposition": "top left",
        "line": {"color": COLOURS[0], "width": 2},
        "marker": {"color": COLOURS[0], "size": 9},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": rows["high"] - rows["share"],
            "arrayminus": rows["share"] - rows["low"],
            "thickness": 1.5,
            "width": 4,
            "color": COLOURS[0],
        },
        "customdata": rows[["n"]],
        "hovertemplate": "%{x}: %{y:.1%}<br>%{customdata[0]:,} preferences<extra></extra>",
    }
    layout = layout_of(
        x=plain_text(x),
        y="greater worth preferred",
        height=320,
        legend=False,
        xaxis={"type": "category", "range": [-0.65, len(rows) - 0.65]},
        yaxis={"tickformat": ".0%", "range": [0, 1.08]},
    )
    half = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": 0.5, "y1": 0.5}
    layout["shapes"] = [{**half, "line": {"dash": "dot", "width": 1.5, "color": GREY}}]
    return go.Figure([trace], layout)
