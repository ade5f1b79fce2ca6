"""Figures of machine judges beside people: agreement, levels, level shift and anchoring."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.figures.agreement import draw_confusion, draw_intervals
from core.figures.style import COLOURS, GREY, layout_of, look, plain_names, plain_text
from core.numerals import write_limits

_ROW = 22
_SMALLEST = 220

PEOPLE = "people with each other"


def draw_machine_agreement(
    pairs: pd.DataFrame, people: pd.DataFrame, *, x: str = "linear weighted κ"
) -> go.Figure:
    """Draw the agreement of machines with each person beside that of people among themselves.

    Parameters
    ----------
    pairs : DataFrame
        machine, person, n, value, low, high: one coefficient; NaN is left out.
    people : DataFrame
        machine (on whose items), first, second, n, value, low, high: the same coefficient.
    x : str
        What the values are.
    """
    several = pairs["machine"].nunique() > 1
    names = pairs["machine"] + " × " + pairs["person"]
    by_people = people["first"] + " × " + people["second"]
    if several:
        by_people = by_people + " (items of " + people["machine"] + ")"
    rows = pd.concat(
        [
            pairs.assign(name=names, series=pairs["machine"]),
            people.assign(name=by_people, series=""),
        ],
        ignore_index=True,
    )
    rows = plain_names(rows[rows["value"].notna()], "name")
    layout = layout_of(
        x=x,
        y="",
        height=max(_SMALLEST, 130 + _ROW * len(rows)),
        margin={"l": 10, "t": 50},
        xaxis={"automargin": True},
        yaxis={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": rows["name"].tolist(),
            "range": [len(rows) - 0.5, -0.5],
            "automargin": True,
            "dtick": 1,
        },
    )
    layout["legend"] = {"orientation": "h", "y": 1.02, "yanchor": "bottom"}
    zero = {"type": "line", "x0": 0, "x1": 0, "yref": "y domain", "y0": 0, "y1": 1}
    layout["shapes"] = [{**zero, "line": {"dash": "dot", "width": 1.5, "color": GREY}}]
    groups = rows.groupby("series", sort=False)
    traces = [_trace(own, str(name), at) for at, (name, own) in enumerate(groups)]
    return go.Figure(traces, layout)


def _trace(rows: pd.DataFrame, machine: str, index: int) -> dict[str, Any]:
    """Return the trace of one machine, or, without a name, of people among themselves."""
    marker: dict[str, Any] = {**look(index)["marker"], "size": 9, "line": {"width": 1.5}}
    if not machine:
        marker |= {"symbol": "circle-open", "color": GREY}
    return {
        "type": "scatter",
        "mode": "markers",
        "name": plain_text(machine) if machine else PEOPLE,
        "x": rows["value"],
        "y": rows["name"],
        "marker": marker,
        "error_x": {
            "type": "data",
            "symmetric": False,
            "array": rows["high"] - rows["value"],
            "arrayminus": rows["value"] - rows["low"],
            "thickness": 1.5,
            "width": 3,
            "color": marker["color"],
        },
        "customdata": [
            [n, "" if pd.isna(low) else f" {write_limits(low, high)}"]
            for n, low, high in zip(rows["n"], rows["low"], rows["high"], strict=True)
        ],
        "hovertemplate": "%{y}<br>%{x:.3f}%{customdata[1]}"
        "<br>%{customdata[0]:,} items<extra></extra>",
    }


def draw_machine_levels(rows: pd.DataFrame, names: Mapping[int, str] | None = None) -> go.Figure:
    """Draw which levels a machine gives, for each level of people.

    Parameters
    ----------
    rows : DataFrame
        machine (one), level, machine_level, n, value (share of the labels with ``level``; NaN where
        there are none); a row for every two levels.
    names : mapping of int to str, optional
        The names of all levels.
    """
    called = names or {level: str(level) for level in rows["level"]}
    written = [
        f"{n:,}" if pd.isna(share) else f"{n:,}<br>{share:.0%}"
        for n, share in zip(rows["n"], rows["value"], strict=True)
    ]
    cells = pd.DataFrame(
        {
            "first": rows["level"].map(called),
            "second": rows["machine_level"].map(called),
            "items": rows["n"],
            "share": rows["value"],
            "written": written,
        }
    )
    levels = [called[level] for level in sorted(rows["level"].unique())]
    return draw_confusion(cells, levels, "people", str(rows["machine"].iloc[0]))


def draw_level_shift(rows: pd.DataFrame) -> go.Figure:
    """Draw how much higher machines judge than each person, with 95 % intervals.

    Parameters
    ----------
    rows : DataFrame
        machine, person, n, value, low, high; above 0 the machine is more lenient.
    """
    named = rows.assign(name=rows["machine"] + " × " + rows["person"], counted=True)
    widest = rows[["value", "low", "high"]].abs().to_numpy(dtype="float64", na_value=0).max()
    x = "level shift (above 0: more lenient)"
    return draw_intervals(named, x=x, reach=max(float(widest), 1.0) + 0.05)


_HALVES_ROW = 44
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
        height=130 + _HALVES_ROW * len(rows),
        margin={"l": 10, "t": 50},
        xaxis={"tickformat": ".0%", "range": [-0.03, 1.03], "automargin": True},
        yaxis={"type": "category", "autorange": "reversed", "automargin": True, "dtick": 1},
    )
    layout |= {"shapes": joins, "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"}}
    return go.Figure(traces, layout)
