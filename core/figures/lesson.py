"""Figures for a class, large enough for a projector."""

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.figures.style import COLOURS, layout_of, plain_text
from core.language.translate import t

FILLS = ("#595959", "#8F6B00", "#007D5A", "#0065A0", "#A6447D")
"""Dark enough for white numbers."""

PATTERNS = ("", "/", ".", "x", "-")
LARGE = 18
ROW = 30


def draw_label_counts(rows: pd.DataFrame, levels: Sequence[str]) -> go.Figure:
    """Draw how many students gave each item each level, stacked from the lowest.

    Parameters
    ----------
    rows : DataFrame
        ``item`` (its name), ``level`` (the level's name), ``labels``; items from top to bottom.
    levels : sequence of str
        The names of all levels, lowest first.
    """
    items = list(dict.fromkeys(rows["item"]))
    traces = []
    for index, level in enumerate(levels):
        part = rows[rows["level"] == level].set_index("item")["labels"].reindex(items).fillna(0)
        shape = PATTERNS[index % len(PATTERNS)]
        pattern = {"shape": shape, "fillmode": "overlay", "fgcolor": "#000000", "fgopacity": 0.35}
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "y": list(map(plain_text, items)),
                "x": part.to_numpy(),
                "name": plain_text(level),
                "text": [f"{int(count):,}" if count else "" for count in part],
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "constraintext": "none",
                "textfont": {"size": LARGE - 2, "color": "#FFFFFF"},
                "marker": {"color": FILLS[index % len(FILLS)], "pattern": pattern},
                "hovertemplate": t("%{y}: %{x:,} said %{fullData.name}<extra></extra>"),
            }
        )
    layout = layout_of(
        x=t("labels"),
        y="",
        height=120 + ROW * len(items),
        margin={"l": 10, "t": 50, "b": 60},
        xaxis={"tickfont": {"size": LARGE}, "dtick": _step(rows)},
        yaxis={
            "type": "category",
            "autorange": "reversed",
            "automargin": True,
            "tickfont": {"size": LARGE},
            "showgrid": False,
        },
    )
    layout["barmode"] = "stack"
    layout["legend"] = {
        "orientation": "h",
        "y": 1.01,
        "yanchor": "bottom",
        "traceorder": "normal",
        "font": {"size": LARGE},
    }
    return go.Figure(traces, layout)


def draw_level_weights(rows: pd.DataFrame) -> go.Figure:
    """Draw the weight of every level as a bar with its value.

    Parameters
    ----------
    rows : DataFrame
        ``name`` (of the level, lowest first), ``weight`` in [0, 1] or NaN, ``written``.
    """
    bars = {
        "type": "bar",
        "x": list(map(plain_text, rows["name"])),
        "y": rows["weight"].fillna(0).to_numpy(),
        "text": rows["written"].tolist(),
        "textposition": "outside",
        "textfont": {"size": LARGE + 6},
        "cliponaxis": False,
        "marker": {"color": COLOURS[0]},
        "hovertemplate": "%{x}: %{y:.3f}<extra></extra>",
    }
    layout = layout_of(
        x="",
        y=t("weight"),
        height=120 + ROW * 10,
        legend=False,
        margin={"t": 50},
        xaxis={"type": "category", "tickfont": {"size": LARGE}, "showgrid": False},
        yaxis={"range": [0, 1.12], "dtick": 0.25, "tickfont": {"size": LARGE}},
    )
    return go.Figure([bars], layout)


def _step(rows: pd.DataFrame) -> int:
    """Return a whole step of the axis that gives about ten marks."""
    most = int(rows.groupby("item")["labels"].sum().max())
    return max(1, -(-most // 10))
