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
    return _draw_lines(curve, "recall", x="Recall", y="Precision (interpolated)")


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
    names = [shorten(name) for name in scores[by]]
    figure = go.Figure()
    if "typical" in scores:
        figure.add_scatter(
            x=scores["typical"],
            y=names,
            mode="markers",
            name="median of all systems",
            marker={"symbol": "line-ns-open", "size": 12, "color": "#7F7F7F"},
            hovertemplate="%{y}: median %{x:.4f}<extra></extra>",
        )
    figure.add_scatter(
        x=scores["value"],
        y=names,
        mode="markers",
        name=measure,
        marker={"symbol": "circle", "size": 9, "color": COLOURS[0]},
        hovertemplate="%{y}: %{x:.4f}<extra></extra>",
    )
    titles = {"system": "System", "topic_id": "Topic"}
    lay_out(figure, x=measure, y=titles[by], height=MARGINS + 40 + ROW * len(names))
    figure.update_layout(
        showlegend="typical" in scores, legend={"orientation": "h", "y": 1, "yanchor": "bottom"}
    )
    figure.update_xaxes(rangemode="tozero")
    figure.update_yaxes(autorange="reversed", type="category", title=None, dtick=1, automargin=True)
    return figure


def _draw_lines(curve: pd.DataFrame, axis: str, *, x: str, y: str) -> go.Figure:
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
        colour = str(style["line"]["color"])
        names.append(LineName(str(system), last[axis], float(last["value"]), colour))
    lay_out(figure, x=x, y=y, height=HEIGHT, legend=False)
    top = max(float(curve["value"].max()) * 1.05, 0.1)
    figure.update_yaxes(range=[0, top])
    return write_names(figure, names, (HEIGHT - MARGINS) / top)
