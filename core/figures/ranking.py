"""Figures of how the order of systems moves between conditions."""

from collections.abc import Collection, Sequence

import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import LineName, write_names
from core.figures.matrix import draw_matrix, square
from core.figures.style import COLOURS, DASHES, MARKERS, lay_out

GREY = "rgba(128,128,128,.55)"
ROW, WIDE_ROW, MANY, MARGINS = 17, 34, 12, 110


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
    systems = list(dict.fromkeys(ranked["system"]))
    figure = go.Figure()
    ends: dict[str, list[LineName]] = {"left": [], "right": []}
    for system in sorted(systems, key=lambda system: system in movers):
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
        for side, at in (("left", 0), ("right", -1)):
            end = (rows[by].iloc[at], float(rows["rank"].iloc[at]))
            ends[side].append(_name(system, end, style, system in movers))
    height = _lay_out_places(figure, list(ranked[by].unique()), by, len(systems))
    for side, names in ends.items():
        write_names(figure, names, -height / len(systems), side=side, size=10, gap=12)
    return figure


def _name(
    system: str, end: tuple[object, float], style: dict[str, dict[str, object]], strong: bool
) -> LineName:
    symbol = str(style["marker"].get("symbol", ""))
    return LineName(system, *end, str(style["line"]["color"]), symbol, strong)


def _lay_out_places(figure: go.Figure, conditions: list[str], by: str, systems: int) -> float:
    """Set the axes and return the height that the places share, in pixels."""
    height = float(systems * (ROW if systems > MANY else WIDE_ROW))
    title = "Qrels version" if by == "version" else by
    lay_out(figure, x="", y="", height=int(height) + MARGINS, legend=False)
    figure.update_layout(margin={"t": MARGINS - 40, "b": 40})
    below = {"xref": "paper", "yref": "paper", "x": 0.5, "y": 0, "yanchor": "top"}
    figure.add_annotation(text=title, showarrow=False, **below)
    last = max(len(conditions) - 1, 0.5)
    figure.update_xaxes(
        type="category", categoryarray=conditions, side="top", range=[0, last], automargin=True
    )
    figure.update_yaxes(range=[systems + 0.5, 0.5], showticklabels=False, showgrid=False)
    return height


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
