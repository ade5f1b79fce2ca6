"""Figure of what runs would lose that had not contributed to the pool."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import shorten
from core.figures.style import GREY, layout_of, look, plain_text

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
