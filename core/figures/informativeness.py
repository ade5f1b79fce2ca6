"""Figures of what measures tell about rankings: errors, what they predict, single curves."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.figures.line_names import shorten
from core.figures.matrix import draw_matrix, square
from core.figures.style import COLOURS, GREY, layout_of, look, plain_text
from core.numerals import write_number

ROW, FRAME = 34, 110
NAMED = 3
NAME_ROOM = (0.4, 0.06)
ERRORS = {"rms": ("RMS", "circle", COLOURS[0]), "mae": ("MAE", "diamond", COLOURS[1])}

STATISTICS = {"tau": "Kendall's τ-b", "rmsr": "RMSR", "mare": "MARE"}
"""What tells how well one measure predicts another."""


def draw_curve_errors(errors: pd.DataFrame, names: Mapping[str, str]) -> go.Figure:
    """Draw how far each measure's inferred precision is off, beside what the number alone gives.

    Parameters
    ----------
    errors : DataFrame
        ``measure, rms, mae, uniform_rms, uniform_mae``, a row for each measure, from the top.
        Filled signs are the measure's errors, hollow ones those of p = Rret / N.
    names : mapping of str to str
        What each measure is called.
    """
    labels = [plain_text(names[text]) for text in errors["measure"]]
    signs: list[dict[str, Any]] = []
    for column, (title, symbol, colour) in ERRORS.items():
        for prefix, hollow, of in (("", "", title), ("uniform_", "-open", f"{title}, number only")):
            marker = {"symbol": symbol + hollow, "size": 11, "color": colour}
            signs.append(
                {
                    "type": "scatter",
                    "x": errors[prefix + column].to_numpy(),
                    "y": labels,
                    "mode": "markers",
                    "marker": {**marker, "line": {"width": 2, "color": colour}},
                    "name": of,
                    "hovertemplate": f"%{{y}}<br>{of}: %{{x:.3f}}<extra></extra>",
                }
            )
    layout = layout_of(
        x="error of the inferred precision",
        y="",
        height=FRAME + ROW * len(labels),
        margin={"l": 10, "t": 50},
        xaxis={"rangemode": "tozero"},
        yaxis={"type": "category", "autorange": "reversed", "automargin": True, "dtick": 1},
    )
    layout["legend"] = {"orientation": "h", "y": 1, "yanchor": "bottom", "font": {"size": 11}}
    return go.Figure(signs, layout)


def draw_inference(inference: pd.DataFrame, names: Mapping[str, str], statistic: str) -> go.Figure:
    """Draw how well each measure predicts each other one as a matrix.

    Parameters
    ----------
    inference : DataFrame
        ``target, measure, tau, rmsr, mare, reason``, as `compare_inferences` returns it.
    names : mapping of str to str
        What each measure is called, in the order of the matrix.
    statistic : str
        A name of ``STATISTICS``. A darker cell is a larger number.
    """
    rows = inference.assign(
        target=inference["target"].map(names),
        measure=inference["measure"].map(names),
        text=list(map(write_number, inference[statistic])),
        said=[
            write_number(value) if value == value else plain_text(reason)
            for value, reason in zip(inference[statistic], inference["reason"], strict=True)
        ],
    )
    order = [list(names.values())] * 2
    value, text, reasons = (
        square(rows, "target", "measure", column, order) for column in (statistic, "text", "said")
    )
    shade = value.clip(lower=0) ** 4 if statistic == "tau" else value / max(_largest(value), 1e-9)
    return draw_matrix(
        shade.mask(shade.isna() & text.notna(), 0.0),
        text.fillna(""),
        reasons.fillna("known, so there is nothing to infer"),
        f"%{{x}} inferred from %{{y}}<br>{STATISTICS[statistic]}: %{{customdata}}",
        x="inferred measure",
        y="known measure",
        height=FRAME + ROW * len(names),
    )


def draw_inferred_means(means: pd.DataFrame, target: str, measure: str) -> go.Figure:
    """Draw each run's inferred mean of a measure against its actual one.

    Parameters
    ----------
    means : DataFrame
        ``system, inferred, actual, topics`` with a row for each run. On the diagonal both are
        equal; the runs that are farthest from it have their names beside them.
    target, measure : str
        The measure that is known, and the inferred one.
    """
    known = means[means["topics"] > 0]
    gap = (known["inferred"] - known["actual"]).to_numpy()
    values = known[["actual", "inferred"]].to_numpy()
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    low, high = (low, high) if low < high else (0.0, 1.0)
    far = _find_far((values - low) / (high - low))
    beside = [shorten(name) if at in far else "" for at, name in enumerate(known["system"])]
    room = 0.08 * (high - low)
    ends = {"x0": low - room, "y0": low - room, "x1": high + room, "y1": high + room}
    scale = {"range": [low - room, high + room], "constrain": "domain"}
    points = {
        "type": "scatter",
        "x": known["actual"].to_numpy(),
        "y": known["inferred"].to_numpy(),
        "mode": "markers+text",
        "marker": {"symbol": "circle-open", "size": 9, "color": COLOURS[0], "line": {"width": 2}},
        "text": beside,
        "textposition": [
            f"{'top' if above else 'bottom'} {'left' if on_right else 'right'}"
            for above, on_right in zip(gap > 0, known["actual"] > (low + high) / 2, strict=True)
        ],
        "textfont": {"size": 11},
        "customdata": [plain_text(name) for name in known["system"]],
        "hovertemplate": "%{customdata}<br>actual %{x:.3f}, inferred %{y:.3f}<extra></extra>",
    }
    layout = layout_of(
        x=f"actual mean {plain_text(measure)}",
        y=f"mean {plain_text(measure)} inferred from {plain_text(target)}",
        height=460,
        legend=False,
        xaxis=scale,
        yaxis={**scale, "scaleanchor": "x", "scaleratio": 1},
    )
    line = {"color": GREY, "width": 1.5, "dash": "dash"}
    layout["shapes"] = [{"type": "line", "layer": "below", "line": line, **ends}]
    return go.Figure([points], layout)


def _find_far(points: "np.ndarray[tuple[int, int], np.dtype[np.float64]]") -> list[int]:
    """Return the points farthest from the diagonal whose names do not cover each other."""
    far: list[int] = []
    for at in np.argsort(-np.abs(points[:, 1] - points[:, 0]), kind="stable").tolist():
        apart = [np.abs(points[at] - points[other]) > NAME_ROOM for other in far]
        if len(far) < NAMED and all(each.any() for each in apart):
            far.append(at)
    return far


def draw_inferred_curves(curves: pd.DataFrame, names: Mapping[str, str]) -> go.Figure:
    """Draw precision by recall of one ranking, inferred from each measure and actual.

    Parameters
    ----------
    curves : DataFrame
        ``measure, rank, matched, recall, precision, actual_recall, actual_precision`` in order of
        rank; precision NaN where nothing was inferred. Signs stand at the ranks of relevant
        documents, where inferred and actual curve are compared.
    names : mapping of str to str
        What each measure is called.
    """
    traces: list[dict[str, Any]] = []
    for index, (text, rows) in enumerate(curves.groupby("measure", sort=False)):
        if not traces:
            traces.append(_draw_actual(rows))
        if rows["precision"].notna().all():
            traces.append(_draw_inferred(rows, plain_text(names[str(text)]), index))
    layout = layout_of(
        x="recall",
        y="precision",
        height=460,
        margin={"t": 70},
        xaxis={"rangemode": "tozero"},
        yaxis={"range": [0, 1.1 * _largest(curves[["precision", "actual_precision"]])]},
    )
    layout["legend"] = {"orientation": "h", "y": 1, "yanchor": "bottom", "font": {"size": 11}}
    return go.Figure(traces, layout)


def _draw_actual(rows: pd.DataFrame) -> dict[str, Any]:
    return {
        "type": "scatter",
        "x": rows["actual_recall"].to_numpy(),
        "y": rows["actual_precision"].to_numpy(),
        "mode": "lines+markers",
        "line": {"color": GREY, "width": 5},
        "marker": {"color": GREY, "size": _sizes(rows, 12), "symbol": "circle"},
        "opacity": 0.6,
        "name": "actual",
        **_hover(rows, "actual"),
    }


def _draw_inferred(rows: pd.DataFrame, name: str, index: int) -> dict[str, Any]:
    style = look(index)
    return {
        "type": "scatter",
        "x": rows["recall"].to_numpy(),
        "y": rows["precision"].to_numpy(),
        "mode": "lines+markers",
        "line": style["line"],
        "marker": {**style["marker"], "size": _sizes(rows, 8)},
        "name": name,
        **_hover(rows, name),
    }


def _sizes(rows: pd.DataFrame, size: int) -> list[int]:
    """Return the size of each rank's sign: none but for relevant documents."""
    return [size if matched else 0 for matched in rows["matched"]]


def _hover(rows: pd.DataFrame, name: str) -> dict[str, Any]:
    return {
        "customdata": rows["rank"].to_numpy(),
        "hovertemplate": f"{name}<br>rank %{{customdata}}: recall %{{x:.3f}}, "
        "precision %{y:.3f}<extra></extra>",
    }


def _largest(value: pd.DataFrame) -> float:
    return float(np.nanmax(value.to_numpy(), initial=0.0))
