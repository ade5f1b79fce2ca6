"""What any report is at a terminal: its answer and tables, its rows in JSON, one table in CSV."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import pandas as pd

from core.command.printing.output import with_reason
from core.command.printing.recording import print_data
from core.command.printing.report_tables import format_report_table
from core.reports.report import Report, stack_tables
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
