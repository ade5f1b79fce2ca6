"""Figures of how the order of systems moves between conditions."""

from collections.abc import Collection

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import LineName, write_names
from core.figures.style import COLOURS, DASHES, MARKERS, lay_out

GREY = "rgba(128,128,128,.55)"
ROW, MARGINS = 17, 110


def draw_rank_lines(
    ranked: pd.DataFrame, movers: Collection[str], by: str = "version"
) -> go.Figure:
    """Draw each system's place under every condition as a line.

    Parameters
    ----------
    ranked : DataFrame
        ``by, system, rank, value`` as `rank_systems` returns it.
    movers : collection of str
        The systems to bring out: thick lines with markers and bold names, the rest thin.
    by : str
        The column that tells the conditions apart.
    """
    conditions = list(ranked[by].unique())
    systems = list(dict.fromkeys(ranked["system"]))
    figure = go.Figure()
    ends: dict[str, list[LineName]] = {"left": [], "right": []}
    thin_first = sorted(systems, key=lambda system: system in movers)
    for system in thin_first:
        rows = ranked[ranked["system"] == system]
        style = _look(system, list(movers))
        figure.add_scatter(
            x=rows[by],
            y=rows["rank"],
            name=system,
            customdata=rows["value"],
            hovertemplate="%{fullData.name}<br>%{x}: place %{y}, %{customdata:.4f}<extra></extra>",
            **style,
        )
        for side, row in (("left", rows.iloc[0]), ("right", rows.iloc[-1])):
            strong, colour = system in movers, str(style["line"]["color"])
            ends[side].append(LineName(system, row[by], float(row["rank"]), colour, strong))
    height = MARGINS + ROW * max(len(systems), 6)
    lay_out(figure, x="Qrels version" if by == "version" else by, y="", height=height, legend=False)
    figure.update_layout(margin={"t": 60, "b": 50})
    figure.update_xaxes(
        type="category", categoryarray=conditions, side="top", range=[0, len(conditions) - 1]
    )
    figure.update_yaxes(range=[len(systems) + 0.5, 0.5], showticklabels=False, showgrid=False)
    pixels = -(height - MARGINS) / len(systems)
    for side, names in ends.items():
        write_names(figure, names, pixels, side=side, size=10, gap=12)
    return figure


def draw_tau_matrix(matrix: pd.DataFrame) -> go.Figure:
    """Draw Kendall's τ between every two conditions, each number in its cell.

    Parameters
    ----------
    matrix : DataFrame
        τ with the conditions as index and columns; NaN where it is not defined.
    """
    names = list(matrix.columns)
    figure = go.Figure(
        go.Heatmap(
            z=matrix.to_numpy(),
            x=names,
            y=names,
            zmin=-1,
            zmid=0,
            zmax=1,
            colorscale=[[0, "#D55E00"], [0.5, "#F5F5F5"], [1, "#0072B2"]],
            texttemplate="%{z:.2f}",
            xgap=2,
            ygap=2,
            colorbar={"title": "τ"},
            showscale=False,
            hovertemplate="%{y} and %{x}: τ = %{z:.4f}<extra></extra>",
        )
    )
    lay_out(figure, x="", y="", height=130 + 34 * max(len(names), 3), legend=False)
    figure.update_xaxes(side="top", showgrid=False, automargin=True, type="category")
    figure.update_yaxes(autorange="reversed", showgrid=False, automargin=True, type="category")
    return figure


def _look(system: str, movers: list[str]) -> dict[str, dict[str, object]]:
    """Return a thick line for movers, each of its own kind, and a thin one for the rest."""
    if system not in movers:
        return {"line": {"color": GREY, "width": 1}, "marker": {"color": GREY, "size": 4}}
    place = movers.index(system)
    colour = COLOURS[place % len(COLOURS)]
    return {
        "line": {"color": colour, "width": 3, "dash": DASHES[place % len(DASHES)]},
        "marker": {"color": colour, "size": 9, "symbol": MARKERS[place % len(MARKERS)]},
    }
