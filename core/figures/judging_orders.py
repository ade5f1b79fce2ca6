"""The figure of what orders of judging cost: how near the final ranking is, by share judged."""

import re
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import LineName, tie_names
from core.figures.style import GREY, layout_of, look, plain_text
from core.numerals import write_limits
from core.reports.judging_orders import GOOD

_HEIGHT, _MARGINS = 440, 80
_PARAMETER = re.compile(r"\w+=|'")


def draw_orders(orders: pd.DataFrame, measure: str) -> go.Figure:
    """Draw Kendall's τ by the share of the pool that is judged, a line for each order.

    Colour, dash and marker differ, and each line has its name and marker at its end. Where all is
    judged τ is 1 for every order; that is left out.

    Parameters
    ----------
    orders : DataFrame
        ``order, share, judged, relevant_found, tau, low, high`` as `simulate_judging`
        returns them; a τ of NaN is left out.
    measure : str
        What systems are ranked by.
    """
    shown = orders[orders["tau"].notna() & (orders["share"] < 1)]
    lowest = min([GOOD, *shown["tau"]])
    low, high = lowest - 0.04, 1.01
    traces, names = [], []
    for index, (order, own) in enumerate(shown.groupby("order", sort=False)):
        style = look(index)
        traces.append(_draw_line(own, str(order), style))
        colour, symbol = str(style["line"]["color"]), str(style["marker"]["symbol"])
        x, y = own["share"].iloc[-1], float(own["tau"].iloc[-1])
        names.append(LineName(shorten_order(str(order)), x, y, colour, symbol))
    tied = tie_names(names, (_HEIGHT - _MARGINS) / (high - low))
    layout = layout_of(
        x="share of the pool judged (dotted: τ = .9)",
        y=f"Kendall's τ to the ranking by all, {measure}",
        height=_HEIGHT,
        legend=False,
        margin=tied["margin"],
        xaxis={"tickformat": ".0%", "range": [0, max([0.05, *shown["share"]]) * 1.02]},
        yaxis={"range": [low, high]},
    )
    line = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": GOOD, "y1": GOOD}
    layout["shapes"] = [{**line, "line": {"dash": "dot", "width": 1.5, "color": GREY}}]
    return go.Figure(traces, {**layout, "annotations": tied["annotations"]})


def shorten_order(text: str) -> str:
    """Return what an order is called where there is little room: its parameters by value.

    Examples
    --------
    >>> shorten_order("max-mean(rate=0.95, topics='shared')")
    'max-mean(0.95, shared)'
    """
    return _PARAMETER.sub("", text)


def _draw_line(own: pd.DataFrame, order: str, style: dict[str, Any]) -> dict[str, Any]:
    rows = own[["judged", "relevant_found", "low", "high"]].itertuples(index=False)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": plain_text(order),
        "x": own["share"].to_numpy(),
        "y": own["tau"].to_numpy(),
        "cliponaxis": False,
        "customdata": [
            [judged, found, "" if pd.isna(low) else f" {write_limits(low, high)}"]
            for judged, found, low, high in rows
        ],
        "hovertemplate": "%{fullData.name}<br>%{x:.0%} of the pool, %{customdata[0]:,} judged, "
        "%{customdata[1]:.0%} of the relevant<br>τ = %{y:.3f}%{customdata[2]}<extra></extra>",
        **style,
    }
