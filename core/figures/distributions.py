"""The figure of how scores spread: a box and all its points for each system or topic."""

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import shorten
from core.figures.style import COLOURS, layout_of, plain_text

ROW, MARGINS = 20, 90
FILL, POINT = "rgba(0,114,178,.18)", "rgba(128,128,128,.8)"


def draw_distributions(scores: pd.DataFrame, by: str, point: str, measure: str) -> go.Figure:
    """Draw the spread of scores in rows.

    Parameters
    ----------
    scores : DataFrame
        The columns ``by``, ``point`` and ``value``; rows of the figure from its top in the order
        in which ``by`` names them first.
    by : str
        The column that names the rows of the figure.
    point : str
        The column that names a single point under the pointer.
    measure : str
        What the values are called.

    Notes
    -----
    The box reaches from the first to the third quartile, its line is the median, the dashed line
    the mean; whiskers reach to the last point within 1.5 box lengths.
    """
    names = list(scores[by].unique())
    index = {name: number for number, name in enumerate(names)}
    box = {
        "type": "box",
        "orientation": "h",
        "x": scores["value"].to_numpy(),
        "y": scores[by].map(index).to_numpy(),
        "name": measure,
        "text": list(map(plain_text, scores[point])),
        "hovertemplate": "%{text}: %{x:.4f}<extra></extra>",
        "boxpoints": "all",
        "boxmean": True,
        "jitter": 0.5,
        "pointpos": 0,
        "whiskerwidth": 0.5,
        "line": {"color": COLOURS[0], "width": 1.5},
        "fillcolor": FILL,
        "marker": {"color": POINT, "size": 4},
    }
    layout = layout_of(
        x=measure,
        y="",
        height=MARGINS + ROW * max(len(names), 3),
        legend=False,
        xaxis={"rangemode": "tozero"},
        yaxis={
            "range": [len(names) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": list(range(len(names))),
            "ticktext": [shorten(name) for name in names],
            "zeroline": False,
            "automargin": True,
        },
    )
    return go.Figure([box], {**layout, "boxgap": 0.25})
