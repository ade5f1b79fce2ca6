"""Figures of interleaving: whom users prefer, how many lists it takes, and what nDCG says."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import shorten
from core.figures.style import COLOURS, GREY, layout_of, look, plain_text
from core.numerals import write_limits

_APART = 0.22
"""Between the intervals of one kind of user, in rows."""

_ROW, _MARGINS, _HEIGHT = 64, 130, 420
_ABOVE = {"orientation": "h", "y": 1, "yanchor": "bottom"}
_SIDES = {"same sign": (COLOURS[0], "circle"), "other sign": (COLOURS[1], "diamond")}
_NO_SIGN = (GREY, "square-open")


def draw_preferences(rows: pd.DataFrame) -> go.Figure:
    """Draw Δ with its limits for each kind of user, by method.

    Parameters
    ----------
    rows : DataFrame
        ``first, second, user, method, delta, low, high, units`` of one pair of systems. Δ without
        limits is a dot.
    """
    users, methods = (list(rows[name].unique()) for name in ("user", "method"))
    place = {user: at for at, user in enumerate(users)}
    dots = [
        _draw_dots(rows[rows["method"] == method], place, index, len(methods))
        for index, method in enumerate(methods)
    ]
    first, second = (shorten(rows[name].iloc[0]) for name in ("first", "second"))
    layout = layout_of(
        x=f"Δ: ◀ {second} preferred, {first} ▶",
        y="",
        height=_MARGINS + _ROW * len(users),
        margin={"l": 10, "t": 60},
        xaxis={"zeroline": True, "zerolinewidth": 2},
        yaxis={
            "tickvals": list(range(len(users))),
            "ticktext": [shorten(user) for user in users],
            "range": [len(users) - 0.5, -0.5],
            "automargin": True,
            "zeroline": False,
        },
    )
    return go.Figure(dots, {**layout, "legend": _ABOVE})


def _draw_dots(
    rows: pd.DataFrame, place: dict[str, int], index: int, methods: int
) -> dict[str, Any]:
    marker = {**look(index)["marker"], "size": 9}
    shift = (index - (methods - 1) / 2) * _APART
    return {
        "type": "scatter",
        "x": rows["delta"].to_numpy(),
        "y": [place[user] + shift for user in rows["user"]],
        "mode": "markers",
        "name": shorten(rows["method"].iloc[0]),
        "marker": marker,
        "error_x": {
            **{"type": "data", "symmetric": False, "thickness": 1.5, "width": 3},
            "array": (rows["high"] - rows["delta"]).to_numpy(),
            "arrayminus": (rows["delta"] - rows["low"]).to_numpy(),
            "color": marker["color"],
        },
        "customdata": [
            [plain_text(user), "" if pd.isna(low) else f" {write_limits(low, high)}", units]
            for user, low, high, units in zip(
                *(rows[name] for name in ("user", "low", "high", "units")), strict=True
            )
        ],
        "hovertemplate": "%{customdata[0]}: Δ = %{x:.3f}%{customdata[1]}"
        "<br>%{customdata[2]:,} sessions<extra>%{fullData.name}</extra>",
    }


def draw_power_by_lists(power: pd.DataFrame, enough: float, alpha: float) -> go.Figure:
    """Draw how often each test finds a difference, by how many lists are shown.

    Parameters
    ----------
    power : DataFrame
        ``test, measure, impressions, found`` as `simulate_power` returns them.
    enough : float
        The share that is usually asked for, a dotted line.
    alpha : float
        Below which p finds a difference.
    """
    lines = []
    for index, ((test, measure), own) in enumerate(power.groupby(["test", "measure"], sort=False)):
        name = f"{test}: {measure}" if measure else str(test)
        lines.append(
            {
                **{"type": "scatter", "mode": "lines+markers", **look(index)},
                "name": shorten(name),
                "x": own["impressions"].to_numpy(),
                "y": own["found"].to_numpy(),
                "hovertemplate": "%{x:,} lists: found in %{y:.0%} of studies"
                "<extra>%{fullData.name}</extra>",
            }
        )
    layout = layout_of(
        x="lists shown, in both arms of an A/B test together (log scale)",
        y=f"share of studies with p < {alpha:g}",
        height=_HEIGHT,
        margin={"t": 60},
        xaxis={"type": "log", "tickvals": sorted(power["impressions"].unique())},
        yaxis={"range": [-0.03, 1.05], "tickformat": ".0%"},
    )
    line = {"dash": "dot", "width": 1.5, "color": GREY}
    asked = {"type": "line", "xref": "x domain", "x0": 0, "x1": 1, "y0": enough, "y1": enough}
    layout["shapes"] = [{**asked, "line": line}]
    return go.Figure(lines, {**layout, "legend": _ABOVE})


def draw_beside_measure(pairs: pd.DataFrame, measure: str, alpha: float) -> go.Figure:
    """Draw Δ of pairs of systems by the difference of their mean scores.

    Filled markers are pairs whose scores differ significantly.

    Parameters
    ----------
    pairs : DataFrame
        As `compare_with_measure` returns it.
    measure : str
        What the difference is of.
    alpha : float
        Below which p is significant.
    """
    kinds: list[Any] = []
    for significant in (True, False):
        for agrees, own in pairs[(pairs["p"] < alpha) == significant].groupby("agrees"):
            kinds.append(_draw_pairs(own, str(agrees), significant=significant))
    layout = layout_of(
        x=f"difference in mean {measure}",
        y="Δ of interleaving",
        height=_HEIGHT,
        margin={"t": 60},
        yaxis={"zerolinewidth": 2},
    )
    return go.Figure(kinds, {**layout, "legend": _ABOVE})


def _draw_pairs(rows: pd.DataFrame, agrees: str, *, significant: bool) -> dict[str, Any]:
    colour, symbol = _SIDES.get(agrees, _NO_SIGN)
    shape = symbol if significant or symbol.endswith("-open") else f"{symbol}-open"
    names = zip(rows["first"], rows["second"], strict=True)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": f"{agrees}, {'significant' if significant else 'not significant'}",
        "x": rows["difference"].to_numpy(),
        "y": rows["delta"].to_numpy(),
        "marker": {"color": colour, "symbol": shape, "size": 9},
        "error_y": {
            **{"type": "data", "symmetric": False, "thickness": 1, "width": 0, "color": colour},
            "array": (rows["high"] - rows["delta"]).to_numpy(),
            "arrayminus": (rows["delta"] - rows["low"]).to_numpy(),
        },
        "customdata": [[plain_text(first), plain_text(second)] for first, second in names],
        "hovertemplate": "%{customdata[0]} and %{customdata[1]}<br>%{x:+.3f}, Δ = %{y:+.3f}"
        "<extra>%{fullData.name}</extra>",
    }
