"""Figures on paper: as SVG and PDF in one size and one type, drawn without a browser.

Pages draw with Plotly in the browser. Its own way to files needs a Chrome at run time, so that what
a figure holds is drawn once more by Matplotlib, which the extra ``paper`` brings.
"""

import io
import json
import re
from base64 import b64decode
from collections.abc import Mapping, Sequence
from html import unescape
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.errors import BadInput

WIDTH, ROW, LEAST, MOST = 3.5, 0.17, 2.3, 8.5
"""Inches: a column of a conference's page, a row of a list, and the least and greatest height."""

FIGURE_FORMATS = ("svg", "pdf")

_MARKERS = {
    **{"circle": "o", "square": "s", "diamond": "D", "cross": "P", "triangle-up": "^"},
    **{"x": "X", "star": "*", "triangle-down": "v"},
}
_DASHES = {
    **{"solid": "-", "dash": (0, (5, 2)), "dot": ":", "dashdot": "-."},
    **{"longdash": (0, (8, 2)), "longdashdot": (0, (8, 2, 1, 2))},
}
_STYLE: Any = {
    "font.size": 8,
    "font.family": "DejaVu Sans",
    "svg.fonttype": "none",
    "svg.hashsalt": "dissent",
    "pdf.fonttype": 42,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.2,
    "legend.frameon": False,
    "text.usetex": False,
    "text.parse_math": False,
}
_WIDE = 7
"""Columns of a matrix up to which its numbers stand in type of 6 points."""

_TAG = re.compile(r"<[^<>]*>")


def print_figure(figure: go.Figure, form: str) -> bytes:
    """Return a figure as a file.

    Parameters
    ----------
    figure : Figure
        Of lines, dots with intervals, bars, or a matrix.
    form : {'svg', 'pdf'}

    Returns
    -------
    bytes
        The same for the same figure: no date is in it. 3.5 inches wide, type of 8 points.

    Raises
    ------
    BadInput
        The format is none of these, a part of the figure cannot be printed, or Matplotlib is not
        installed.
    """
    if form not in FIGURE_FORMATS:
        raise BadInput(f"'{form}' is none of {', '.join(FIGURE_FORMATS)}", field="format")
    try:
        import matplotlib
        from matplotlib.figure import Figure as Sheet
    except ImportError as error:
        raise BadInput(
            "figures on paper need Matplotlib: pip install 'dissent-ir[paper]'", field="figures"
        ) from error
    content = {
        "data": [trace.to_plotly_json() for trace in figure.data],
        "layout": figure.layout.to_plotly_json(),
    }
    with matplotlib.rc_context(_STYLE):
        sheet = Sheet(figsize=(WIDTH, _height_of(content)), layout="constrained")
        axes = sheet.add_subplot()
        for trace in content["data"]:
            _DRAW.get(trace["type"], _refuse)(axes, trace)
        _lay_out(axes, content)
        out = io.BytesIO()
        dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
        sheet.savefig(out, format=form, metadata=dated[form])
    return out.getvalue()


def _height_of(content: Mapping[str, Any]) -> float:
    """Return the height in inches: more where there are many rows."""
    rows = [
        len({*map(str, trace["y"])})
        for trace in content["data"]
        if len(trace.get("y", ())) and isinstance(trace["y"][0], str)
    ]
    is_matrix = any(trace["type"] == "heatmap" for trace in content["data"])
    return min(max(LEAST, (1.6 if is_matrix else 0.9) + ROW * max(rows, default=0)), MOST)


def _refuse(_axes: Any, trace: Mapping[str, Any]) -> None:
    raise BadInput(f"a figure with '{trace['type']}' cannot be printed", field="figure")


def _plain(text: object) -> str:
    """Return what a figure shows of a text: without its little HTML."""
    return unescape(_TAG.sub("", str(text).replace("<br>", "\n")))


def _points(values: Sequence[Any]) -> list[Any]:
    return [_plain(one) if isinstance(one, str) else one for one in values]


def _draw_scatter(axes: Any, trace: Mapping[str, Any]) -> None:
    mode, marker, line = trace.get("mode", "lines"), trace.get("marker", {}), trace.get("line", {})
    x, y = _points(trace["x"]), _points(trace["y"])
    if mode == "text":
        size = 6 if len({*x}) <= _WIDE else 4.5
        for at, down, words in zip(x, y, trace["text"], strict=True):
            axes.text(at, down, _plain(words), ha="center", va="center", fontsize=size)
        return
    symbol, colour = str(marker.get("symbol", "circle")), marker.get("color", line.get("color"))
    hollow = symbol.endswith("-open")
    axes.errorbar(
        x,
        y,
        xerr=_limits(trace.get("error_x")),
        yerr=_limits(trace.get("error_y")),
        color=colour,
        linestyle=_DASHES.get(line.get("dash", "solid"), "-") if "lines" in mode else "none",
        marker=_MARKERS.get(symbol.removesuffix("-open"), "o") if "markers" in mode else "",
        markersize=3.5,
        markerfacecolor="white" if hollow else colour,
        elinewidth=0.9,
        capsize=1.8,
        label=_plain(trace.get("name", "")),
    )
    if "text" in mode:
        for at, up, words in zip(x, y, trace["text"], strict=True):
            place = {"xytext": (5, 0), "textcoords": "offset points", "va": "center"}
            axes.annotate(_plain(words), (at, up), fontsize=7, **place)


def _limits(error: Mapping[str, Any] | None) -> Any:
    """Return how far intervals reach down and up; nothing where there are none."""
    if not error:
        return None
    ends = (error["arrayminus"], error["array"])
    return np.nan_to_num(np.array([np.asarray(one, dtype=float) for one in ends])).clip(min=0)


def _draw_bar(axes: Any, trace: Mapping[str, Any]) -> None:
    x, y = _points(trace["x"]), _points(trace["y"])
    colour, name = trace.get("marker", {}).get("color"), _plain(trace.get("name", ""))
    if trace.get("orientation") == "h":
        axes.barh(y, x, color=colour, label=name)
    else:
        axes.bar(x, y, color=colour, label=name)


def _draw_heatmap(axes: Any, trace: Mapping[str, Any]) -> None:
    across, down = _points(trace["x"]), _points(trace["y"])
    axes.xaxis.update_units(across)
    axes.yaxis.update_units(down)
    shade = np.asarray(trace["z"], dtype=float)
    # What is drawn on it is written in black, so that it never becomes dark.
    axes.imshow(np.ma.masked_invalid(shade * 0.6), cmap="Blues", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(across)), across, rotation=90 if len(across) > 4 else 0)
    axes.set_yticks(range(len(down)), down)
    axes.grid(visible=False)


_DRAW = {"scatter": _draw_scatter, "bar": _draw_bar, "heatmap": _draw_heatmap}


def _lay_out(axes: Any, content: Mapping[str, Any]) -> None:
    """Give the axes their titles, ranges and order, and name the series."""
    layout = content["layout"]
    for shape in layout.get("shapes", ()):
        if shape.get("type") == "line" and shape["x0"] == shape["x1"]:
            axes.axvline(shape["x0"], color="#7f7f7f", linestyle=":", linewidth=0.9)
    for name, label, limit in (
        ("xaxis", axes.set_xlabel, axes.set_xlim),
        ("yaxis", axes.set_ylabel, axes.set_ylim),
    ):
        axis = layout.get(name, {})
        label(_plain(axis.get("title", {}).get("text", "")))
        if axis.get("range") is not None:
            limit(*axis["range"])
    if layout.get("yaxis", {}).get("autorange") == "reversed" and not axes.yaxis_inverted():
        axes.invert_yaxis()
    named = [one for one in content["data"] if one.get("name") and "lines" in one.get("mode", "")]
    if len(named) > 1:
        columns = 1 if len(named) < 4 else 2
        axes.figure.legend(loc="outside upper left", ncols=columns, fontsize=7)


def read_figure(drawn: bytes) -> go.Figure:
    """Return the figure that Plotly's JSON describes, its packed numbers as lists.

    Raises
    ------
    ValueError
        It is no JSON, or describes no figure.
    """
    return go.Figure(_unpack(json.loads(drawn)))


def _unpack(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpack(one) for one in value]
    if not isinstance(value, dict):
        return value
    if {"bdata", "dtype"} <= set(value):
        return np.frombuffer(b64decode(value["bdata"]), np.dtype(value["dtype"])).tolist()
    return {key: _unpack(one) for key, one in value.items()}
