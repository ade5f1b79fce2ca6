"""The tables of any report as people read them at a terminal."""

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from core.command.printing.recording import limit_rows
from core.command.printing.tables import (
    Cell,
    format_cell,
    format_interval,
    format_table,
    name_units,
)
from core.reports.report import Column, Estimated, Report


def format_report_table(
    report: Report,
    name: str,
    rows: pd.DataFrame | None = None,
    *,
    title: str = "",
    most: int = sys.maxsize,
) -> str:
    """Return a table of a report as people see it, with what its limits are over; '' if empty.

    Parameters
    ----------
    report : Report
    name : str
        One of its tables that says which columns people see.
    rows : DataFrame, optional
        Those of its rows that are shown; all, without.
    title : str, optional
        What it is called; as the report calls it, without.
    most : int, optional
        How many lines are shown to people; a table that is written in another format has all.
    """
    table = report.tables[name]
    rows = report.table(name) if rows is None else rows
    if rows.empty:
        return ""
    header, *lines = _spread(table, rows) if table.across else _list(table, rows)
    shown = lines[: limit_rows(most)]
    left = len(lines) - len(shown)
    more = [f"… and {left:,} more; --format json has all"] if left else []
    text = format_table([str(one) for one in header], shown, title=title or table.title)
    return "\n".join([text, *more, *_name_units(rows)])


def _name_units(rows: pd.DataFrame) -> list[str]:
    known = rows[rows["low"].notna()] if "unit" in rows else rows[:0]
    return [name_units(known)] if len(known) else []


def _list(table: Estimated, rows: pd.DataFrame) -> Iterator[list[Cell]]:
    """Yield the header, then a line for each row, with the reason last where one has a reason."""
    columns = {name: column for name, column in table.columns.items() if name in rows}
    if "reason" in rows and rows["reason"].any():
        columns.setdefault("reason", Column(""))
    yield _heads(table, columns, rows)
    for row in rows.to_dict("records"):
        yield _cells(table, columns, row)


def _spread(table: Estimated, rows: pd.DataFrame) -> Iterator[list[Cell]]:
    """Yield the header, then a line for all rows that differ in one column alone.

    What no row of a value has is left out there.
    """
    spread = {name: table.columns[name] for name in table.spread}
    across = table.columns[table.across]
    keys = {
        name: column
        for name, column in table.columns.items()
        if name in rows and name not in (table.across, *spread)
    }
    shown = {
        value: {
            name: column
            for at, (name, column) in enumerate(spread.items())
            if at == 0 or own[name].notna().any()
        }
        for value, own in rows.groupby(table.across, sort=False)
    }
    heads = [
        head
        for value, columns in shown.items()
        for head in (_cell(across, value), *(one.head for one in [*columns.values()][1:]))
    ]
    yield [*_heads(table, keys, rows), *heads]
    for _, own in rows.groupby([*keys], sort=False, dropna=False):
        by = {row[table.across]: row for row in own.to_dict("records")}
        line = _cells(table, keys, next(iter(by.values())))
        for value, columns in shown.items():
            line += _cells(table, columns, by[value]) if value in by else [None] * len(columns)
        yield line


def _heads(table: Estimated, columns: Mapping[str, Column], rows: pd.DataFrame) -> list[Cell]:
    limits = " [95 %]" if "low" in rows else ""
    return [
        column.head + (limits if name == table.estimate else "") for name, column in columns.items()
    ]


def _cells(table: Estimated, columns: Mapping[str, Column], row: Mapping[Any, Any]) -> list[Cell]:
    return [
        format_interval(row[name], row["low"], row["high"], column.digits)
        if name == table.estimate and "low" in row
        else _cell(column, row[name])
        for name, column in columns.items()
    ]


def _cell(column: Column, value: Any) -> Cell:
    """Return a cell: numbers as they are told, yes or no, a dash for what is missing."""
    if column.write is not None:
        return column.write(value)
    if pd.isna(value):
        return None
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, np.integer):
        return int(value)
    return format_cell(value, column.digits) if isinstance(value, float) else value
