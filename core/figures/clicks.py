"""Figures of clicks: how often ranks and levels are clicked, and how far users look."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.agreement.intervals import Floats
from core.figures.style import layout_of, look, plain_text
from core.language.translate import t

_RANKS = {"dtick": 1, "zeroline": False}
_SHARES = {"rangemode": "tozero", "tickformat": ".0%"}
_APART = 0.06
"""Between the intervals of levels at one rank."""


def draw_click_rates(
    rates: pd.DataFrame, names: Mapping[float, str] | None = None, *, least: int = 1
) -> go.Figure:
    """Draw how often results are clicked by rank, a line a level where levels are told apart.

    Parameters
    ----------
    rates : DataFrame
        ``rank, shown, value, low, high`` and perhaps ``level``, as `rates_by_rank` and
        `rates_by_level_and_rank` return them.
    names : mapping of float to str, optional
        What levels are called; others by their number, NaN *unjudged*.
    least : int, default 1
        Rates of fewer showings are left out, unless all are: their intervals would hide the rest.
    """
    often = rates["shown"] >= least
    rates = rates[often] if often.any() else rates
    levels = list(rates["level"].unique()) if "level" in rates else [None]
    lines = []
    for index, level in enumerate(levels):
        own = rates
        if level is not None:
            own = rates[rates["level"].isna() if level != level else rates["level"] == level]
        name = t("all results") if level is None else name_level(level, names or {})
        lines.append(_draw_rates(own, name, index, (index - (len(levels) - 1) / 2) * _APART))
    layout = layout_of(
        x=t("rank"),
        y=t("share that was clicked"),
        legend=len(lines) > 1,
        xaxis=_RANKS,
        yaxis=_SHARES,
    )
    return go.Figure(lines, layout)


def name_level(level: float, names: Mapping[float, str]) -> str:
    """Return what a level is called, in words of the person."""
    return t("unjudged") if level != level else names.get(level, f"{level:g}")


def _draw_rates(own: pd.DataFrame, name: str, index: int, shift: float) -> dict[str, object]:
    own = own[own["value"].notna()]
    value, low, high = (own[one].to_numpy(np.float64) for one in ("value", "low", "high"))
    style = look(index)
    return {
        **{"type": "scatter", "mode": "lines+markers", "name": plain_text(name), **style},
        "x": own["rank"].to_numpy() + shift,
        "y": value,
        "error_y": {
            **{"type": "data", "symmetric": False, "thickness": 1, "width": 2},
            "array": high - value,
            "arrayminus": value - low,
            "color": style["marker"]["color"],
        },
        "customdata": np.stack([own["rank"], own["shown"]], axis=1),
        "hovertemplate": t(
            "rank %{customdata[0]}: %{y:.1%} of %{customdata[1]:,} shown"
            "<extra>%{fullData.name}</extra>"
        ),
    }


def draw_perplexity(by_rank: pd.DataFrame) -> go.Figure:
    """Draw how much the clicks at each rank surprise models, a line a model.

    Parameters
    ----------
    by_rank : DataFrame
        ``model, rank, perplexity``, as `HeldOut.by_rank` has them.
    """
    perplexities = {
        str(name): own.sort_values("rank")["perplexity"].to_numpy(np.float64)
        for name, own in by_rank.groupby("model", sort=False)
    }
    lines = _draw_by_rank(perplexities, t("rank %{x}: %{y:.3f}<extra>%{fullData.name}</extra>"))
    return go.Figure(lines, layout_of(x=t("rank"), y=t("perplexity"), xaxis=_RANKS))


def draw_examination(examined: Mapping[str, Floats]) -> go.Figure:
    """Draw how likely each rank is looked at, a line for each name.

    Parameters
    ----------
    examined : mapping of str to array, shape (depth,)
        By what stands beside the line: probabilities.
    """
    lines = _draw_by_rank(examined, t("rank %{x}: %{y:.0%}<extra>%{fullData.name}</extra>"))
    layout = layout_of(
        x=t("rank"), y=t("chance that it is examined"), xaxis=_RANKS,
        yaxis={**_SHARES, "range": [0, 1.05]},
    )  # fmt: skip
    return go.Figure(lines, layout)


def _draw_by_rank(values: Mapping[str, Floats], hover: str) -> list[dict[str, object]]:
    return [
        {
            **{"type": "scatter", "mode": "lines+markers", "name": plain_text(name)},
            **look(index),
            "x": np.arange(1, len(one) + 1),
            "y": one,
            "hovertemplate": hover,
        }
        for index, (name, one) in enumerate(values.items())
    ]
