"""Figures of how good systems are: curves by recall and by rank, scores by topic."""

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import LineName, shorten, write_names
from core.figures.style import COLOURS, lay_out, look

HEIGHT, MARGINS = 420, 80
ROW = 18


def draw_precision_recall(curve: pd.DataFrame) -> go.Figure:
    """Draw interpolated precision by recall.

    Parameters
    ----------
    curve : DataFrame
        ``system, recall, value`` as `precision_recall_curve` returns it; a line for each system.
    """
    return _draw_lines(curve, "recall", x="Recall", y="Precision (interpolated)", zero=True)


def draw_gain_curve(curve: pd.DataFrame, measure: str = "nDCG") -> go.Figure:
    """Draw nDCG by rank.

    Parameters
    ----------
    curve : DataFrame
        ``system, rank, value`` as `gain_curve` returns it; a line for each system.
    measure : str
        What the values are called.
    """
    return _draw_lines(curve, "rank", x="Rank", y=f"{measure} up to the rank")


def draw_topic_scores(scores: pd.DataFrame, by: str, measure: str) -> go.Figure:
    """Draw one dot for each system on a topic, or for each topic of a system.

    Parameters
    ----------
    scores : DataFrame
        The column ``by`` and ``value``, from the top of the figure to its bottom; an optional
        column ``typical`` is drawn as a tick for comparison.
    by : str
        The column of the names: 'system' or 'topic_id'.
    measure : str
        What the values are called.
    """
    figure, places = go.Figure(), list(range(len(scores)))
    if "typical" in scores:
        tick = {"symbol": "line-ns-open", "size": 12, "color": "#7F7F7F"}
        _add_dots(figure, scores["typical"], scores[by], "median of all systems", tick)
    dot = {"symbol": "circle", "size": 9, "color": COLOURS[0]}
    _add_dots(figure, scores["value"], scores[by], measure, dot)
    lay_out(figure, x=measure, y="", height=MARGINS + 40 + ROW * len(places))
    figure.update_layout(
        showlegend="typical" in scores, legend={"orientation": "h", "y": 1, "yanchor": "bottom"}
    )
    figure.update_xaxes(rangemode="tozero")
    return figure.update_yaxes(
        range=[len(places) - 0.5, -0.5],
        tickmode="array",
        tickvals=places,
        ticktext=[shorten(name) for name in scores[by]],
        zeroline=False,
        automargin=True,
    )


def _add_dots(
    figure: go.Figure,
    values: "pd.Series[float]",
    names: "pd.Series[str]",
    title: str,
    marker: dict[str, object],
) -> None:
    figure.add_scatter(
        x=values,
        y=list(range(len(values))),
        mode="markers",
        name=title,
        marker=marker,
        customdata=names,
        hovertemplate="%{customdata}: %{x:.4f}<extra>%{fullData.name}</extra>",
    )


def _draw_lines(curve: pd.DataFrame, axis: str, *, x: str, y: str, zero: bool = False) -> go.Figure:
    figure, names = go.Figure(), []
    for place, (system, points) in enumerate(curve.groupby("system", sort=False)):
        style = look(place)
        figure.add_scatter(
            x=points[axis],
            y=points["value"],
            name=str(system),
            mode="lines+markers",
            hovertemplate=f"%{{fullData.name}}<br>{axis} %{{x}}: %{{y:.4f}}<extra></extra>",
            **style,
        )
        last = points.iloc[-1]
        colour, symbol = str(style["line"]["color"]), str(style["marker"]["symbol"])
        names.append(LineName(str(system), last[axis], float(last["value"]), colour, symbol))
    lay_out(figure, x=x, y=y, height=HEIGHT, legend=False)
    low, high = _pad(pd.concat([curve["value"], pd.Series([0.0])]) if zero else curve["value"])
    figure.update_xaxes(range=_pad(curve[axis]))
    figure.update_yaxes(range=[low, high])
    return write_names(figure, names, (HEIGHT - MARGINS) / (high - low))


def _pad(values: "pd.Series[float]") -> tuple[float, float]:
    """Return the range of an axis, a little wider than its values."""
    lowest, highest = float(values.min()), float(values.max())
    room = max(highest - lowest, 0.1) * 0.04
    return lowest - room, highest + room
