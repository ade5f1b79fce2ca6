"""The figure of anchoring: what was shown beside what was not."""

import pandas as pd
import plotly.graph_objects as go

from core.figures.style import COLOURS, GREY, layout_of

_ROW = 44
_SERIES = (("shown", "shown", "circle"), ("other", "not shown", "circle-open"))


def draw_halves(rows: pd.DataFrame) -> go.Figure:
    """Draw the shares of both halves, a line of each question, joined by a bar.

    Parameters
    ----------
    rows : DataFrame
        question, shown, shown_items, other, other_items: shares in [0, 1]; NaN is left out.
    """
    joins = [
        {"type": "line", "x0": low, "x1": high, "y0": name, "y1": name, "layer": "below"}
        | {"line": {"color": GREY, "width": 3}}
        for name, low, high in zip(rows["question"], rows["other"], rows["shown"], strict=True)
        if low == low and high == high
    ]
    traces = [
        go.Scatter(
            x=rows[share],
            y=rows["question"],
            name=name,
            mode="markers",
            marker={"color": COLOURS[0], "symbol": symbol, "size": 12, "line": {"width": 2}},
            customdata=rows[f"{share}_items"],
            hovertemplate=f"%{{y}}, {name}: %{{x:.1%}} of %{{customdata:,}} labels<extra></extra>",
        )
        for share, name, symbol in _SERIES
    ]
    layout = layout_of(
        x="share of labels",
        y="",
        height=130 + _ROW * len(rows),
        margin={"l": 10, "t": 50},
        xaxis={"tickformat": ".0%", "range": [-0.03, 1.03], "automargin": True},
        yaxis={"type": "category", "autorange": "reversed", "automargin": True, "dtick": 1},
    )
    layout |= {"shapes": joins, "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"}}
    return go.Figure(traces, layout)
