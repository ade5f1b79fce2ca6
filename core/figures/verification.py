"""Figures on whether the User Disagreement Model holds: drawn labels beside its predictions."""

import pandas as pd
import plotly.graph_objects as go

from core.figures.style import COLOURS, DASHES, MARKERS, lay_out, look, plain_text

_HEIGHT = 380
_BESIDE = 0.06
"""How far levels stand apart beside the number of labels they share."""


def draw_chances(rows: pd.DataFrame, top: str) -> go.Figure:
    """Draw p(top | level) by the number of other labels it is estimated from.

    Parameters
    ----------
    rows : DataFrame
        name (of the level), n, mean, sd; levels from the lowest.
    top : str
        The name of the top level.
    """
    figure, levels = go.Figure(), rows["name"].nunique()
    for index, (name, part) in enumerate(rows.groupby("name", sort=False)):
        known = part[part["mean"].notna()]
        figure.add_scatter(
            x=known["n"] + _BESIDE * (index - (levels - 1) / 2),
            y=known["mean"],
            error_y=_spread(known["sd"], index),
            mode="lines+markers",
            name=plain_text(name),
            customdata=known[["n", "sd"]],
            hovertemplate="%{customdata[0]} others: %{y:.3f} ± %{customdata[1]:.3f}",
            **look(index),
        )
    lay_out(
        figure,
        x="labels of others looked at",
        y=f"p({plain_text(top)} | level)",
        height=_HEIGHT,
    )
    _count_along(figure, rows["n"])
    return _legend_above(figure).update_yaxes(rangemode="tozero")


def draw_predictions(rows: pd.DataFrame, at_least: int) -> go.Figure:
    """Draw the share of items that M of N find top: observed as markers, predicted as lines.

    Parameters
    ----------
    rows : DataFrame
        name (of the level of the first label), users, observed, sd, predicted, predicted_low,
        predicted_high; levels from the lowest, rows of one M by rising N.
    at_least : int
        M.
    """
    figure = go.Figure()
    for index, (name, part) in enumerate(rows.groupby("name", sort=False)):
        known = part[part["observed"].notna()]
        colour = COLOURS[index % len(COLOURS)]
        for limit in ("predicted_low", "predicted_high"):
            figure.add_scatter(
                x=known["users"],
                y=known[limit],
                mode="lines",
                line={"color": colour, "dash": "dot", "width": 1},
                showlegend=False,
                hoverinfo="skip",
            )
        figure.add_scatter(
            x=known["users"],
            y=known["predicted"],
            mode="lines",
            name=f"{plain_text(name)}, predicted",
            line={"color": colour, "dash": DASHES[index % len(DASHES)], "width": 2},
            hovertemplate="N = %{x}: predicted %{y:.3f}",
        )
        figure.add_scatter(
            x=known["users"],
            y=known["observed"],
            error_y=_spread(known["sd"], index),
            mode="markers",
            name=f"{plain_text(name)}, observed",
            marker={"color": colour, "symbol": MARKERS[index % len(MARKERS)], "size": 9},
            customdata=known["sd"],
            hovertemplate="N = %{x}: observed %{y:.3f} ± %{customdata:.3f}",
        )
    lay_out(figure, x="N, users", y=f"share that {at_least} of N or more find top", height=_HEIGHT)
    _count_along(figure, rows["users"])
    return _legend_above(figure).update_yaxes(rangemode="tozero")


def draw_samples(rows: pd.DataFrame, top: str) -> go.Figure:
    """Draw histograms of sampled chances of the top level, one for each name.

    Parameters
    ----------
    rows : DataFrame
        name (of the histogram), low, high, share (of its samples).
    top : str
        The name of the top level.
    """
    figure = go.Figure()
    shapes = ("", "/", "x", "\\", ".")
    for index, (name, part) in enumerate(rows.groupby("name", sort=False)):
        figure.add_bar(
            x=(part["low"] + part["high"]) / 2,
            y=part["share"],
            width=part["high"] - part["low"],
            name=plain_text(name),
            opacity=0.75,
            customdata=part[["low", "high"]],
            hovertemplate="%{customdata[0]:.3f} to %{customdata[1]:.3f}: %{y:.1%}",
            marker={
                "color": COLOURS[index % len(COLOURS)],
                "pattern": {
                    "shape": shapes[index % len(shapes)],
                    "fillmode": "overlay",
                    "fgopacity": 0.5,
                },
            },
        )
    lay_out(figure, x=f"p({plain_text(top)} | level)", y="share of samples", height=_HEIGHT)
    figure.update_layout(barmode="overlay")
    figure.update_xaxes(range=[-0.02, 1.02])
    return _legend_above(figure).update_yaxes(tickformat=".0%", rangemode="tozero")


def _count_along(figure: go.Figure, numbers: "pd.Series[int]") -> None:
    """Give each number of an axis its tick and the same room, also where there is only one."""
    known = numbers.dropna()
    ends = [] if known.empty else [known.min() - 0.5, known.max() + 0.5]
    figure.update_xaxes(tick0=0, dtick=1, range=ends or None)


def _spread(sd: pd.Series, index: int) -> dict[str, object]:
    """Return error bars of one standard deviation; none where it is unknown."""
    colour = COLOURS[index % len(COLOURS)]
    return {"type": "data", "array": sd, "thickness": 1.5, "width": 4, "color": colour}


def _legend_above(figure: go.Figure) -> go.Figure:
    return figure.update_layout(
        showlegend=True,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        margin={"t": 70},
    )
