"""Figures of how the order of systems moves between conditions."""

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import LETTER_WIDTH, LineName, cut, spread
from core.figures.matrix import draw_matrix, square
from core.figures.style import MANY, lay_out, look, plain_names, plain_text
from core.numerals import write_number

GREY = "rgba(128,128,128,.55)"
LOW_ROW, ROW, WIDE_ROW, FEW, MARGINS = 11.5, 17, 34, 12, 95
BLANK = "\u2002\u2009"
"""Room for a marker; figures swallow ordinary spaces."""
LEAST_GAP = 0.7
"""Between two names, in ranks."""

Style = dict[str, dict[str, object]]
THIN: Style = {"line": {"color": GREY, "width": 1}, "marker": {"color": GREY, "size": 4}}


def draw_rank_lines(
    ranked: pd.DataFrame, movers: Collection[str], by: str = "version"
) -> go.Figure:
    """Draw each system's rank under every condition as a line.

    Parameters
    ----------
    ranked : DataFrame
        ``by, system, rank, value`` as `rank_systems` returns it.
    movers : collection of str
        The systems to bring out: thick lines with markers and bold names, the rest thin.
    by : str
        The column that tells the conditions apart.
    """
    ranked = plain_names(ranked, by)
    conditions = list(ranked[by].unique())
    thick = {system: _look(index) for index, system in enumerate(movers)}
    ranked = ranked.sort_values("system", key=lambda names: names.isin(thick), kind="stable")
    lines = [_draw_rest(ranked[~ranked["system"].isin(thick)], by)]
    names = []
    for system, rows in ranked.groupby("system", sort=False):
        style = thick.get(str(system), THIN)
        names.append(_name(str(system), rows, by, style, system in thick))
        if system in thick:
            lines.append(_draw_line(str(system), rows, rows[by], rows["rank"], style))
    size = 9 if len(names) > MANY else 10
    figure = go.Figure([*lines, _write_ends(names, 0, size), _write_ends(names, 1, size)])
    longest = max(len(cut(pair[0].text)) for pair in names)
    _lay_out_places(figure, conditions, by, len(names), longest)
    return figure


def _draw_rest(rows: pd.DataFrame, by: str) -> go.Scatter:
    """Return the thin lines as one trace, for speed: a gap parts one system from the next."""
    rows = rows.sort_values("system", kind="stable")
    ends = rows["system"] != rows["system"].shift(-1)
    gaps = rows[ends].assign(**{by: None, "rank": np.nan})
    rows = pd.concat([rows, gaps]).sort_values("system", kind="stable")
    return _draw_line("others", rows, rows[by], rows["rank"], THIN)


def _draw_line(
    name: str, rows: pd.DataFrame, x: "pd.Series[str]", y: "pd.Series[float]", style: Style
) -> go.Scatter:
    return go.Scatter(
        x=x,
        y=y,
        name=plain_text(name),
        mode="lines+markers",
        customdata=plain_names(rows[["system", "value"]], "system").to_numpy(),
        cliponaxis=False,
        connectgaps=False,
        hovertemplate="%{customdata[0]}<br>%{x}: rank %{y}, %{customdata[1]:.3f}<extra></extra>",
        **style,
    )


def _name(
    system: str, rows: pd.DataFrame, by: str, style: Style, strong: bool
) -> tuple[LineName, LineName]:
    """Return the name of a line at its first and at its last point."""
    colour = str(style["line"]["color"])
    x, y = rows[by].tolist(), rows["rank"].astype("float64").tolist()
    first, last = (LineName(system, x[at], y[at], colour, strong=strong) for at in (0, -1))
    return first, last


def _write_ends(names: Sequence[tuple[LineName, LineName]], side: int, size: int) -> go.Scatter:
    """Return the names of all lines at one side as text; systems of equal rank move apart."""
    ends = [pair[side] for pair in names]
    texts = [end.write() for end in ends]
    return go.Scatter(
        x=[end.x for end in ends],
        y=spread([end.y for end in ends], LEAST_GAP),
        text=[f"{BLANK}{text}" if side else f"{text}{BLANK}" for text in texts],
        name=("first", "last")[side],
        mode="text",
        textposition=("middle left", "middle right")[side],
        textfont={"size": size},
        cliponaxis=False,
        hoverinfo="skip",
    )


def _lay_out_places(
    figure: go.Figure, conditions: list[str], by: str, systems: int, longest: int
) -> None:
    row = LOW_ROW if systems > MANY else ROW if systems > FEW else WIDE_ROW
    lay_out(figure, x="", y="", height=int(systems * row) + MARGINS, legend=False)
    room = 30 + LETTER_WIDTH * longest
    figure.update_layout(margin={"t": MARGINS - 30, "b": 30, "l": room, "r": room})
    below = {"xref": "paper", "yref": "paper", "x": 0.5, "y": 0, "yanchor": "top"}
    title = "Qrels version" if by == "version" else by
    figure.add_annotation(text=title, showarrow=False, **below)
    last = max(len(conditions) - 1, 0.5)
    figure.update_xaxes(
        type="category", categoryarray=conditions, side="top", range=[0, last], automargin=True
    )
    figure.update_yaxes(range=[systems + 0.5, 0.5], showticklabels=False, showgrid=False)


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
    text = tau.map(write_number)
    hover = "%{y} and %{x}<br>τ = %{customdata:.3f}"
    height = 110 + 34 * max(len(conditions), 3)
    figure = draw_matrix(_shade(tau), text, tau, hover, x="", y="", height=height)
    return figure.update_xaxes(side="top")


def _shade(tau: pd.DataFrame) -> pd.DataFrame:
    """Return how dark a cell is: the steps near 1, where orders mostly lie, are the largest."""
    return tau.clip(lower=0) ** 4


def _look(index: int) -> Style:
    """Return a thick line, each of its own kind."""
    style = look(index)
    return {"line": {**style["line"], "width": 3}, "marker": {**style["marker"], "size": 9}}
