"""Figures of how the order of systems moves between conditions."""

from collections.abc import Collection, Sequence

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import LineName, write_names
from core.figures.matrix import draw_matrix, square
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
            cliponaxis=False,
            hovertemplate="%{fullData.name}<br>%{x}: place %{y}, %{customdata:.4f}<extra></extra>",
            **style,
        )
        for side, row in (("left", rows.iloc[0]), ("right", rows.iloc[-1])):
            strong, colour = system in movers, str(style["line"]["color"])
            symbol = str(style["marker"].get("symbol", ""))
            name = LineName(system, row[by], float(row["rank"]), colour, symbol, strong)
            ends[side].append(name)
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


def draw_tau_matrix(pairs: pd.DataFrame, conditions: Sequence[str]) -> go.Figure:
    """Draw Kendall's τ between every two conditions, each number in its cell.

    Parameters
    ----------
    pairs : DataFrame
        ``first, second, tau`` as `compare_rankings` returns it; NaN where τ is not defined.
    conditions : sequence of str
        Their order, from the left and from the top.
    """
    turned = pairs.rename(columns={"first": "second", "second": "first"})
    tau = square(pd.concat([pairs, turned]), "first", "second", "tau", (conditions, conditions))
    for name in conditions:
        tau.loc[name, name] = 1.0
    text = tau.map(lambda value: "–" if pd.isna(value) else f"{value:.2f}")
    hover = "%{y} and %{x}<br>τ = %{customdata:.4f}"
    height = 110 + 34 * max(len(conditions), 3)
    figure = draw_matrix(_shade(tau), text, tau, hover, x="", y="", height=height)
    return figure.update_xaxes(side="top")


def _shade(tau: pd.DataFrame) -> pd.DataFrame:
    """Return how dark a cell is: the steps near 1, where orders mostly lie, are the largest."""
    return tau.clip(lower=0) ** 4


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
