"""Figures of how systems compare under several conditions: means, τ, overlap, p-values."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.comparison.significance_overlap import SignificanceOverlap
from core.figures.line_names import cut, shorten
from core.figures.matrix import FEW, draw_matrix, square
from core.figures.style import GREY, MANY, layout_of, look, plain_text
from core.numerals import ABSENT, LEAST_P, say_p, write_limits, write_number, write_p

HEIGHT, TOP, LEGEND_ROW, NAMES_IN_ROW = 320, 20, 20, 3
TICK_LETTER = 5.8
FEW_SYSTEMS = 8
DIFFERENCES, DIFFERENCES_ROW, LOW_ROW = 120, 15, 11
MIN_PAIRS = 5
LEAST_SHOWN = 0.15
"""The ASL axis ends here at the latest, as it is small p-values that tell."""


def draw_significance_matrix(
    pairs: pd.DataFrame, systems: Sequence[str], alpha: float, measure: str
) -> go.Figure:
    """Draw the difference of every two means as a triangle, with a dot where it is significant.

    Where few systems leave room for it, the difference is written in the cell.

    Parameters
    ----------
    pairs : DataFrame
        ``first, second, difference, low, high, p`` as `compare_systems` returns it.
    systems : sequence of str
        All of them, the best first.
    alpha : float
        A dot stands where p is below it.
    measure : str
        What the means are of.

    Notes
    -----
    The better system of a pair names the column, the other the row. Darker is a larger difference.
    """
    place = {system: at for at, system in enumerate(systems)}
    swapped = pairs["first"].map(place) > pairs["second"].map(place)
    sign = np.where(swapped, -1, 1)
    cells = pd.DataFrame(
        {
            "better": pairs["second"].where(swapped, pairs["first"]),
            "other": pairs["first"].where(swapped, pairs["second"]),
            "difference": pairs["difference"] * sign,
            "low": (pairs["low"] * sign).where(~swapped, -pairs["high"]),
            "high": (pairs["high"] * sign).where(~swapped, -pairs["low"]),
            "p": pairs["p"],
        }
    )
    largest = cells["difference"].abs().max() or 1.0
    cells["shade"] = cells["difference"].abs() / largest
    dots = np.where(cells["p"] < alpha, "●", "")
    few = len(systems) <= FEW
    cells["written"] = [
        f"{write_number(difference)} {dot}".strip() if few else dot
        for difference, dot in zip(cells["difference"], dots, strict=True)
    ]
    cells["said"] = [_say_difference(row) for row in cells.to_dict("records")]
    order = list(systems[1:]), list(systems[:-1])
    shade, written, verdicts = (
        square(cells, "other", "better", column, order) for column in ("shade", "written", "said")
    )
    figure = draw_matrix(
        shade,
        written.fillna(""),
        verdicts.fillna(""),
        "%{x} minus %{y}: %{customdata}",
        x=f"better by mean {measure} (●: significant)",
        y="",
        height=_height_of(len(systems)),
    )
    if few and len(systems) > FEW_SYSTEMS:
        figure.data[1].textfont.size = 10
    if len(systems) > MANY:
        figure.update_xaxes(tickfont_size=9).update_yaxes(tickfont_size=9)
    return figure


def _height_of(systems: int) -> int:
    """Return the height of a triangle; many systems have low rows, to be seen all at once."""
    row = LOW_ROW if systems > MANY else DIFFERENCES_ROW
    return max(DIFFERENCES + row * (systems - 1), HEIGHT)


def _say_difference(row: dict[Hashable, Any]) -> str:
    limits = "" if pd.isna(row["low"]) else f" {write_limits(row['low'], row['high'])}"
    return f"{write_number(row['difference'])}{limits}, {say_p(row['p'])}"


def draw_means(ranked: pd.DataFrame, measure: str, by: str = "condition") -> go.Figure:
    """Draw each system's mean under every condition, a line for each condition.

    Parameters
    ----------
    ranked : DataFrame
        ``by, system, rank, value`` as `rank_systems` returns it. Systems stand in the order of the
        first condition: a line that never rises has the same order.
    measure : str
        What the values are called.
    by : str
        The column that tells the conditions apart.
    """
    conditions = list(ranked[by].unique())
    systems = ranked.loc[ranked[by] == conditions[0], "system"].tolist()
    labels = _label(systems)
    lines = []
    for index, condition in enumerate(conditions):
        rows = ranked[ranked[by] == condition].set_index("system").reindex(systems)
        lines.append(
            _line(
                condition,
                index,
                x=labels,
                y=rows["value"],
                customdata=rows["rank"],
                hovertemplate=f"%{{x}}<br>{plain_text(condition)}: "
                "%{y:.3f}, rank %{customdata}<extra></extra>",
            )
        )
    names = {
        "type": "category",
        "categoryarray": labels,
        "tickangle": -90 if len(systems) > FEW_SYSTEMS else None,
        "tickfont": {"size": 10},
        "range": [-0.6, len(systems) - 0.4],
    }
    below = 16 + int(TICK_LETTER * max(map(len, labels)))
    return _lay_out(lines, conditions, "", f"mean {measure}", below, {"xaxis": names})


def _label(systems: Sequence[str]) -> list[str]:
    """Return names that fit under a figure, as long as they still tell the systems apart."""
    short = list(map(shorten, systems))
    return short if len(set(short)) == len(short) else list(map(plain_text, systems))


def draw_asl_curves(curves: pd.DataFrame, alpha: float, by: str = "condition") -> go.Figure:
    """Draw the p-values of all pairs of systems, smallest first, a line for each condition.

    Parameters
    ----------
    curves : DataFrame
        ``by, pair, p``: p-values in rising order, ``pair`` counting them from 1.
    alpha : float
        The level of significance, drawn as a line.
    by : str
        The column that tells the conditions apart.
    """
    conditions = list(curves[by].unique())
    lines = []
    for index, condition in enumerate(conditions):
        rows = curves[curves[by] == condition]
        line = _line(
            condition,
            index,
            x=rows["pair"],
            y=rows["p"],
            customdata=[write_p(p) if p < LEAST_P else f"≤ {write_p(p)}" for p in rows["p"]],
            hovertemplate=f"{plain_text(condition)}<br>"
            "%{x} pairs have p %{customdata}<extra></extra>",
        )
        line["marker"] |= {"maxdisplayed": 12}
        lines.append(line)
    highest = max(LEAST_SHOWN, 3 * alpha)
    furthest = max([MIN_PAIRS, *curves.loc[curves["p"] <= highest, "pair"]])
    figure = _lay_out(
        lines,
        conditions,
        "pairs of systems, smallest p first",
        f"p (curves go on beyond {highest:g})" if (curves["p"] > highest).any() else "p",
        50,
        {
            "yaxis": {"range": [-0.02 * highest, highest]},
            "xaxis": {"range": [-0.02 * furthest, 1.05 * furthest]},
        },
    )
    return figure.add_hline(
        y=alpha,
        line={"dash": "dot", "width": 1.5, "color": GREY},
        annotation={"text": f"α = {alpha:g}", "font": {"size": 11}},
        annotation_position="top left",
    )


def draw_tau_intervals(tau: pd.DataFrame, conditions: Sequence[str]) -> go.Figure:
    """Draw Kendall's τ of every two conditions with its interval in the cell.

    Parameters
    ----------
    tau : DataFrame
        ``first, second, tau, low, high, differ``; bold is what is shown to ``differ``.
    conditions : sequence of str
        Their order, from the left and from the top.
    """
    rows = tau.assign(text=list(map(_write_tau, tau.itertuples())))
    turned = rows.rename(columns={"first": "second", "second": "first"})
    shade = _matrix(rows, turned, "tau", conditions)
    # Orders mostly lie near 1, so there the shades differ most.
    return _draw_cells(
        shade.clip(lower=0) ** 4,
        _matrix(rows, turned, "text", conditions),
        shade,
        "%{y} and %{x}<br>τ = %{customdata:.3f}",
        "Kendall's τ-b [95 % interval]; bold: shown to differ",
    )


def draw_overlaps(overlap: pd.DataFrame, conditions: Sequence[str]) -> go.Figure:
    """Draw which significant pairs every two conditions share.

    Parameters
    ----------
    overlap : DataFrame
        ``first, second, only_first, both, only_second, share``; written in a cell as only the
        row's / both / only the column's, with the share of both in either.
    conditions : sequence of str
        Their order, from the left and from the top.
    """
    turned = overlap.rename(
        columns={
            "first": "second",
            "second": "first",
            "only_first": "only_second",
            "only_second": "only_first",
        }
    )
    rows, turned = (part.assign(text=_write_overlaps(part)) for part in (overlap, turned))
    share = _matrix(rows, turned, "share", conditions)
    return _draw_cells(
        share,
        _matrix(rows, turned, "text", conditions),
        share,
        "only %{y} / both / only %{x}<br>%{text}",
        "significant with the row only / both / the column only",
    )


def _write_overlaps(rows: pd.DataFrame) -> list[str]:
    counts = rows[["only_first", "both", "only_second", "share"]].itertuples(index=False)
    return [str(SignificanceOverlap(*row)).replace(" (", "<br>(") for row in counts]


def _write_tau(row: Any) -> str:
    """Return τ over its interval; bold where the orders are shown to differ."""
    if pd.isna(row.tau):
        return ABSENT
    limits = "" if pd.isna(row.low) else f"<br>{write_limits(row.low, row.high)}"
    text = f"{write_number(row.tau)}{limits}"
    return text if pd.isna(row.differ) or not row.differ else f"<b>{text}</b>"


def _matrix(
    rows: pd.DataFrame, turned: pd.DataFrame, value: str, conditions: Sequence[str]
) -> pd.DataFrame:
    """Return a column of both triangles; the diagonal stays empty."""
    both = pd.concat([rows, turned], ignore_index=True)
    return square(both, "first", "second", value, (conditions, conditions))


def _draw_cells(
    shade: pd.DataFrame, text: pd.DataFrame, data: pd.DataFrame, hover: str, title: str
) -> go.Figure:
    height = 110 + 44 * max(len(shade), 2)
    names = list(map(cut, shade.index))
    shade, text, data = (
        part.set_axis(names, axis=0).set_axis(names, axis=1) for part in (shade, text, data)
    )
    text = text.astype("object").where(text.notna(), "")
    figure = draw_matrix(shade.astype("float64"), text, data, hover, x="", y="", height=height)
    figure.layout.xaxis.title = {"text": title, "font": {"size": 11}}
    size = 12 if len(shade) <= 5 else 9
    figure.data[1].textfont.size = size
    figure.layout.xaxis.side = "top"
    return figure


def _line(condition: str, index: int, **more: Any) -> dict[str, Any]:
    style: dict[str, Any] = look(index)
    return {
        "type": "scatter",
        "name": shorten(condition),
        "mode": "lines+markers",
        **style,
        **more,
    }


def _lay_out(
    lines: list[dict[str, Any]],
    conditions: Sequence[str],
    x: str,
    y: str,
    below: int,
    axes: dict[str, dict[str, Any]],
) -> go.Figure:
    """Return lines with their names above them."""
    rows = -(-len(conditions) // NAMES_IN_ROW)
    above = TOP + LEGEND_ROW * rows
    margin = {"t": above, "b": below, "r": 10}
    layout = layout_of(x=x, y=y, height=HEIGHT + above + below, margin=margin)
    layout["legend"] = {"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0}
    for axis, more in axes.items():
        layout[axis] |= more
    return go.Figure(lines, layout)
