"""Any report at a terminal: its tables for people, its rows in JSON, one table in CSV."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

import numpy as np
import pandas as pd

from core.command.printing.output import with_reason
from core.command.printing.recording import limit_rows, print_data
from core.command.printing.tables import (
    Cell,
    format_cell,
    format_interval,
    format_table,
    name_units,
)
from core.reports.report import Column, Estimated, Report, stack_tables
from core.wording import drop_marks

About = Mapping[str, str]
"""What a report is of, where a command prints several: ``{"facet": "page"}``."""

_TOLD_APART = ("interval", "unit", "units", "reason")


def print_tables(report: Report, asked: Sequence[str], *, most: int = sys.maxsize) -> None:
    """Print tables of a report, each under its title; those without a row are left out."""
    for name in asked:
        if table := format_report_table(report, name, most=most):
            print(f"\n{report.tables[name].title}\n{table}")


def print_csv(reports: Iterable[tuple[About, Report, Sequence[str]]]) -> None:
    """Print one long table of reports: a row says of which, and in ``table`` what it is of.

    Parameters
    ----------
    reports : iterable of tuple
        What each is of, the report, and its tables that are printed.
    """
    parts = []
    for about, report, asked in reports:
        table = stack_tables({name: report.table(name) for name in asked})
        for place, (name, value) in enumerate(about.items()):
            table.insert(place, name, value)
        parts.append(table)
    print_data(pd.concat(parts, ignore_index=True))


def list_rows(
    report: Report, table: str, called: Mapping[str, str] = MappingProxyType({})
) -> list[dict[str, Any]]:
    """Return the rows of a table as JSON has them, each with what its limits are one of.

    ``called`` are columns by what they are called in JSON.
    """
    entries = []
    for row in report.table(table).to_dict("records"):
        entry = {
            called.get(str(name), str(name)): None if value is pd.NA else value
            for name, value in row.items()
            if name not in _TOLD_APART
        }
        if "interval" in row:
            entry["interval"] = report.describe_interval(table, row)
        entries.append(with_reason(entry, row.get("reason", "")))
    return entries


def list_answers(reports: Iterable[tuple[About, Report]]) -> list[dict[str, str]]:
    """Return the answers of several reports as JSON has them."""
    return [{**about, "answer": drop_marks(report.answer)} for about, report in reports]


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
    spread = table.side_by_side(rows) if table.across else (table, rows)
    header, *lines = _list(*spread)
    shown = lines[: limit_rows(most)]
    left = len(lines) - len(shown)
    more = [f"… and {left:,} more; --format json has all"] if left else []
    text = format_table([str(one) for one in header], shown, title=title or table.title)
    return "\n".join([text, *more, *_name_units(rows)])


def _name_units(rows: pd.DataFrame) -> list[str]:
    known = rows[rows["low"].notna()] if {"unit", "low"} <= {*rows} else rows[:0]
    return [name_units(known)] if len(known) else []


def _list(table: Estimated, rows: pd.DataFrame) -> Iterator[list[Cell]]:
    """Yield the header, then a line for each row, with the reason last where one has a reason."""
    columns = table.select(rows)
    if "reason" in rows and rows["reason"].any():
        columns.setdefault("reason", Column(""))
    yield _heads(table, columns, rows)
    for row in rows.to_dict("records"):
        yield _cells(table, columns, row)


def _heads(table: Estimated, columns: Mapping[str, Column], rows: pd.DataFrame) -> list[Cell]:
    return [
        column.head + (" [95 %]" if table.estimate and table.limits(name, rows) else "")
        for name, column in columns.items()
    ]


def _cells(table: Estimated, columns: Mapping[str, Column], row: Mapping[Any, Any]) -> list[Cell]:
    return [
        _cell(column, row[name], [row[end] for end in table.limits(name, row) or ()])
        for name, column in columns.items()
    ]


def _cell(column: Column, value: Any, limits: Sequence[float] = ()) -> Cell:
    """Return a cell: numbers as they are told, yes or no, a dash for what is missing."""
    if column.write is not None:
        return column.write(value)
    if pd.isna(value):
        return None
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, np.integer) and not limits:
        return int(value)
    if not isinstance(value, float | np.integer):
        return cast("Cell", value)
    times, digits, sign = (
        (100, column.digits - 2, " %") if column.percent else (1, column.digits, "")
    )
    if not limits:
        return format_cell(times * float(value), digits) + sign
    low, high = (times * float(end) for end in limits)
    return format_interval(times * float(value), low, high, digits) + sign
