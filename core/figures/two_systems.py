"""Figures of two systems side by side: their difference on each topic, and topic by topic."""

from collections.abc import Collection
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import shorten
from core.figures.style import COLOURS, GREY, layout_of, look, plain_names, plain_text
from core.language.translate import t

HEIGHT = 440
FIRST, SECOND = COLOURS[0], COLOURS[1]
STRIPES = {"shape": "/", "fillmode": "overlay", "fgcolor": "#FFFFFF", "size": 6, "solidity": 0.2}
DOT, OTHER_DOT, SAME = "circle", "diamond", "square-open"


def draw_differences(pairs: pd.DataFrame, first: str, second: str, measure: str) -> go.Figure:
    """Draw by how much one system scores higher than another on each topic.

    Parameters
    ----------
    pairs : DataFrame
        ``topic_id, name, first, second, difference``, from left to right; ``name`` is what the
        pointer calls the topic.
    first, second : str
        The systems; bars above 0 are topics where the first scores higher.
    measure : str
        What the values are called.
    """
    won, lost, same = _split(pairs)
    bars = [
        _draw_bars(won, t("{name} higher", name=shorten(first)), {"color": FIRST}),
        _draw_bars(
            lost,
            t("{name} higher", name=shorten(second)),
            {"color": SECOND, "pattern": STRIPES},
        ),
        {
            **_draw_bars(same, t("equal"), {"color": GREY, "symbol": SAME, "size": 7}),
            "type": "scatter",
            "mode": "markers",
        },
    ]
    layout = layout_of(
        x=t("Topic"),
        y=t("Difference in {name}", name=measure),
        height=HEIGHT,
        legend=False,
        margin={"t": 56, "b": 40},
        xaxis={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": list(map(plain_text, pairs["topic_id"])),
            "range": [-0.7, len(pairs) - 0.3],
            "showgrid": False,
            "automargin": True,
            "tickfont": {"size": 10},
        },
        yaxis={"zerolinewidth": 2},
    )
    notes = [
        _write_above(t("▲ above 0: {name} is higher", name=shorten(first)), 20, FIRST),
        _write_above(t("▼ below 0: {name} is higher", name=shorten(second)), 3, SECOND),
    ]
    return go.Figure(bars, {**layout, "annotations": notes, "bargap": 0.25, "barmode": "overlay"})


def draw_topic_scatter(
    pairs: pd.DataFrame, first: str, second: str, measure: str, named: Collection[str] = ()
) -> go.Figure:
    """Draw each topic as a point: how one system scores on it, and how another does.

    Parameters
    ----------
    pairs : DataFrame
        ``topic_id, name, first, second, difference``.
    first, second : str
        The systems of the x and of the y axis; on the diagonal they are equal.
    measure : str
        What the values are called.
    named : collection of str
        The topics that have their id beside them.
    """
    won, lost, same = _split(pairs)
    values = pairs[["first", "second"]].to_numpy()
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.1)
    room = 0.05 * (high - low)
    right = ("bottom right", "bottom left", (low + 3 * high) / 4)
    left = ("top right", "top left", (3 * low + high) / 4)
    points = [
        _draw_points(won, t("{name} higher", name=shorten(first)), DOT, FIRST, named, right),
        _draw_points(
            lost, t("{name} higher", name=shorten(second)), OTHER_DOT, SECOND, named, left
        ),
        _draw_points(same, "equal", SAME, GREY, (), right),
    ]
    scale = {"range": [low - room, high + room], "constrain": "domain"}
    layout = layout_of(
        x=f"{measure} of {shorten(first)}",
        y=f"{measure} of {shorten(second)}",
        height=HEIGHT,
        margin={"t": 56},
        xaxis=scale,
        yaxis={**scale, "scaleanchor": "x", "scaleratio": 1},
    )
    ends = {"x0": low - room, "y0": low - room, "x1": high + room, "y1": high + room}
    line = {"color": GREY, "width": 1.5, "dash": "dash"}
    layout["shapes"] = [{"type": "line", "layer": "below", "line": line, **ends}]
    layout["legend"] = {"orientation": "h", "y": 1, "yanchor": "bottom"}
    return go.Figure(points, layout)


def _split(pairs: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Return the topics where the first is higher, where the second is, and the rest."""
    sign = np.sign(pairs["difference"])
    return pairs[sign > 0], pairs[sign < 0], pairs[sign == 0]


def _draw_bars(rows: pd.DataFrame, name: str, marker: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": list(map(plain_text, rows["topic_id"])),
        "y": rows["difference"].to_numpy(),
        "name": name,
        "marker": marker,
        "customdata": plain_names(rows[["name", "first", "second"]], "name").to_numpy(),
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]:.3f} − %{customdata[2]:.3f} = "
        "%{y:+.3f}<extra>%{fullData.name}</extra>",
    }


def _draw_points(
    rows: pd.DataFrame,
    name: str,
    symbol: str,
    colour: str,
    named: Collection[str],
    sides: tuple[str, str, float],
) -> dict[str, Any]:
    """Return points of one kind, some named on the side away from the diagonal.

    ``sides`` are that on the left of a point on the x axis, that on its right, and the point.
    """
    *names, turn = sides
    return {
        "type": "scatter",
        "x": rows["first"].to_numpy(),
        "y": rows["second"].to_numpy(),
        "name": name,
        "mode": "markers+text",
        "marker": {"symbol": symbol, "size": 10, "color": colour},
        "text": [shorten(topic) if topic in named else "" for topic in rows["topic_id"]],
        "textposition": [names[int(at > turn)] for at in rows["first"].tolist()],
        "textfont": {"size": 11},
        "customdata": plain_names(rows[["name", "difference"]], "name").to_numpy(),
        "hovertemplate": "%{customdata[0]}<br>%{x:.3f} and %{y:.3f}, difference "
        "%{customdata[1]:+.3f}<extra>%{fullData.name}</extra>",
    }


def _write_above(text: str, up: float, colour: str) -> dict[str, Any]:
    """Return a line of text above the plot; its sign has the colour of the bars."""
    sign, rest = text[0], text[1:]
    return {
        "text": f'<span style="color:{colour}">{sign}</span>{rest}',
        "xref": "paper",
        "yref": "paper",
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": up,
        "showarrow": False,
    }


_ROW, _MARGINS = 22, 130
_ABOVE = {"orientation": "h", "y": 1, "yanchor": "bottom"}


def draw_falls(rows: pd.DataFrame, measure: str) -> go.Figure:
    """Draw by how much each run falls, by one measure or by several beside each other.

    Parameters
    ----------
    rows : DataFrame
        ``system, measure, fall, rank_fall`` as `leave_out_runs` returns them; systems from the top
        of the figure to its bottom.
    measure : str
        What the fall is of.
    """
    systems = list(rows["system"].unique())
    place = {system: at for at, system in enumerate(systems)}
    dots = [
        _draw_dots(own, str(name), place, index)
        for index, (name, own) in enumerate(rows.groupby("measure", sort=False))
    ]
    layout = layout_of(
        x=f"fall in mean {measure} (left of 0: a rise)",
        y="",
        height=_MARGINS + _ROW * len(systems),
        margin={"l": 10, "t": 60},
        yaxis={
            "tickvals": list(range(len(systems))),
            "ticktext": [shorten(system) for system in systems],
            "range": [len(systems) - 0.5, -0.5],
            "automargin": True,
            "zeroline": False,
        },
        xaxis={"zeroline": True, "zerolinecolor": GREY},
    )
    return go.Figure(dots, {**layout, "legend": _ABOVE})


def _draw_dots(rows: pd.DataFrame, name: str, place: dict[str, int], index: int) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": plain_text(name),
        "x": rows["fall"].to_numpy(),
        "y": [place[system] for system in rows["system"]],
        "marker": {**look(index)["marker"], "size": 9},
        "customdata": [
            [plain_text(system), _tell_ranks(ranks)]
            for system, ranks in zip(rows["system"], rows["rank_fall"], strict=True)
        ],
        "hovertemplate": "%{customdata[0]}: %{x:.3f}, %{customdata[1]}"
        "<extra>%{fullData.name}</extra>",
    }


def _tell_ranks(ranks: int) -> str:
    if not ranks:
        return "same rank"
    moved = f"{abs(ranks)} rank{'' if abs(ranks) == 1 else 's'}"
    return f"{moved} {'lower' if ranks > 0 else 'higher'}"
