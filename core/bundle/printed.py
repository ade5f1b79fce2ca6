"""Tables as a bundle prints them, and where two of them differ."""

import csv
import io
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.collection.export.delimited import write_cell
from core.errors import BadInput

DIGITS = 4
"""Decimals of every real number in a table: more than papers print, fewer than libraries differ."""

MOST_CELLS = 20
"""So many differing cells of a table are told one by one."""


@dataclass(frozen=True)
class Cell:
    """A cell that differs: its row, from 1 below the header, and its column."""

    row: int
    column: str
    published: str
    found: str


@dataclass(frozen=True)
class Difference:
    """How a table found differs from the one published; ``number`` counts the cells that do.

    ``reason`` is empty unless the tables differ in shape.
    """

    cells: tuple[Cell, ...] = ()
    number: int = 0
    reason: str = ""


def print_table(frame: pd.DataFrame) -> bytes:
    """Return a table as CSV: real numbers with four decimals, and nothing where there is none."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(map(write_cell, map(str, frame.columns)))
    columns = [[_print(value) for value in frame[name].tolist()] for name in frame]
    writer.writerows(zip(*columns, strict=True))
    return out.getvalue().encode()


def _print(value: Any) -> str:
    """Return a value as a cell; only a text can be taken for a formula."""
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        written = f"{value:.{DIGITS}f}"
        return written.removeprefix("-") if not float(written) else written
    return str(value) if isinstance(value, int) else write_cell(str(value))


def read_printed(content: bytes, name: str) -> list[list[str]]:
    """Return the rows of a printed table, its header first.

    Raises
    ------
    BadInput
        It is no table.
    """
    try:
        return list(csv.reader(io.StringIO(content.decode(), newline=""), strict=True))
    except (ValueError, csv.Error) as error:
        raise BadInput(f"is no table: {error}", file=name) from error


def compare_printed(
    published: bytes, found: bytes, name: str, left_out: Collection[str] = ()
) -> Difference:
    """Return where two printed tables differ, but for the columns that are left out.

    Raises
    ------
    BadInput
        What was published is no table.
    """
    if published == found:
        return Difference()
    first, second = read_printed(published, name), read_printed(found, name)
    if first[:1] != second[:1]:
        return Difference(reason="it has other columns", number=1)
    header = second[0] if second else []
    cells = [
        Cell(number, column, one, other)
        for number, (row, own) in enumerate(zip(first[1:], second[1:], strict=False), start=1)
        for column, one, other in zip(header, _fill(row, header), own, strict=True)
        if one != other and column not in left_out
    ]
    reason = ""
    if len(first) != len(second):
        reason = f"it has {len(first) - 1:,} rows, and {len(second) - 1:,} are found"
    elif not cells and left_out:
        return Difference()
    elif not cells:
        reason = "its cells are the same, but they are written in another way"
    number = len(cells) + abs(len(first) - len(second)) + (not cells and len(first) == len(second))
    return Difference(tuple(cells[:MOST_CELLS]), number, reason)


def _fill(row: Sequence[str], header: Sequence[str]) -> list[str]:
    """Return a row with as many cells as the header."""
    return [*row, *[""] * len(header)][: len(header)]
