"""Tables in plain text for people at a terminal."""

import math
import re
from collections.abc import Mapping, Sequence

import pandas as pd

from core.collection.export.table_formats import TextTable
from core.command.printing.recording import hold_table
from core.numerals import ABSENT, tell_limits_apart

Cell = str | int | float | None

_NUMBER = re.compile(rf"(?:< )?[-\d,.]+(?: %)?|{ABSENT}")
_NO_ZERO = re.compile(r"-(?=[0.,]+$)")
_IRREGULAR = {"people": "person", "entries": "entry", "replies": "reply"}


def format_table(
    header: Sequence[str], rows: Sequence[Sequence[Cell]], digits: int = 3, title: str = ""
) -> str:
    """Return rows under a header; columns of numbers stand to the right.

    Where tables are recorded, what is returned only marks the table's place.

    Parameters
    ----------
    header : sequence of str
    rows : sequence of sequences
        Texts, whole numbers, floats (shown with ``digits`` decimals) or None; what is not a
        number is shown as a dash.
    title : str
        What the table is, for formats that have captions.
    """
    cells = [[format_cell(value, digits) for value in row] for row in rows]
    if place := hold_table(TextTable(tuple(header), tuple(map(tuple, cells)), title)):
        return place
    right = [all(map(_NUMBER.fullmatch, column)) for column in zip(*cells, strict=True)]
    right += [False] * (len(header) - len(right))
    widths = [max(map(len, column)) for column in zip(header, *cells, strict=True)]
    rule = ["-" * width for width in widths]
    return "\n".join(_line(row, widths, right) for row in (header, rule, *cells))


def format_cell(value: Cell, digits: int = 3) -> str:
    """Return a value as text; a dash where there is none."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ABSENT
    if isinstance(value, float):
        return _write(value, digits)
    return f"{value:,}" if isinstance(value, int) else value


def format_interval(value: float, low: float, high: float, digits: int = 3) -> str:
    """Return ``value [low, high]``, without limits where they are unknown, ∞ for no bound.

    Where so many decimals would write limits alike, there are more.
    """
    if math.isnan(value) or math.isnan(low):
        return format_cell(value, digits)
    digits = tell_limits_apart(low, high, digits)
    ends = ", ".join(_write(end, digits) for end in (low, high))
    return f"{_write(value, digits)} [{ends}]"


def _write(value: float, digits: int) -> str:
    """Return a number with a minus sign that other programs read, which zero never has."""
    return _NO_ZERO.sub("", f"{value:,.{digits}f}").replace("inf", "∞")


METHODS = {
    "jackknife": "by the jackknife",
    "bootstrap": "by the bootstrap",
    "wilson": "Wilson's",
    "clopper-pearson": "Clopper and Pearson's",
}
"""Methods of intervals in words; others stand for themselves."""


def name_units(frame: pd.DataFrame) -> str:
    """Return what the limits of rows are over, with their method.

    Parameters
    ----------
    frame : DataFrame
        ``interval, unit, units``: method, what is sampled and how many of them.

    Returns
    -------
    str
        Such as ``95 % limits over topics (12), by the jackknife``.
    """
    units = []
    for (method, unit), own in frame.groupby(["interval", "unit"], sort=False)["units"]:
        least, most = own.min(), own.max()
        number = f"{most:,}" if least == most else f"{least:,} to {most:,}"
        units.append(f"over {unit}s ({number}), {METHODS.get(str(method), method)}")
    return f"95 % limits {'; '.join(units)}"


def format_counts(counts: Mapping[str, int]) -> str:
    """Return counts with what they count, zeros left out: ``1 collection, 22 topics``."""
    shown = [
        f"{count:,} {_name_one(what) if count == 1 else what}".replace("_", " ")
        for what, count in counts.items()
        if count
    ]
    return ", ".join(shown) or "nothing"


def _name_one(several: str) -> str:
    """Return the singular of what is counted, where it is a plural."""
    if several in _IRREGULAR:
        return _IRREGULAR[several]
    return several.removesuffix("s") if not several.endswith("ss") else several


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    aligned = [
        cell.rjust(width) if is_number else cell.ljust(width)
        for cell, width, is_number in zip(cells, widths, right, strict=True)
    ]
    return "  ".join(aligned).rstrip()
