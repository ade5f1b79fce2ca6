"""``dissent ab``: whether users fare otherwise in one arm of an A/B test than in the other."""

from argparse import Namespace
from typing import Any

from core.collection.click_logs.ab_log import read_ab_log
from core.command.files.reading import open_source
from core.command.printing.output import print_json, print_notes, with_reason
from core.command.printing.recording import print_data
from core.command.printing.reports import format_report_table
from core.reports.ab_test import ABQuestion, ABTest
from core.reports.report import stack_tables
from core.wording import drop_marks


def run(arguments: Namespace) -> int:
    """Print whether the arms of a log differ."""
    log = read_ab_log(open_source(arguments.log))
    found = ABTest(log, ABQuestion(arguments.first, arguments.share, arguments.alpha))
    tables = {name: found.table(name) for name in found.tables}
    print_notes(found.notes)
    if arguments.format == "csv":
        print_data(stack_tables(tables))
    elif arguments.format == "json":
        content: dict[str, Any] = {"answer": drop_marks(found.answer)}
        for name, table in tables.items():
            rows = table.to_dict("records")
            content[name] = (
                [_describe(found, row) for row in rows] if name == "difference" else rows
            )
        print_json(content)
    else:
        print(drop_marks(found.answer) + "\n")
        shown = [name for name, table in tables.items() if len(table)]
        for name in shown:
            print(f"{found.tables[name].title}\n{format_report_table(found, name)}\n")
    return 0


def _describe(found: ABTest, row: dict[Any, Any]) -> dict[str, Any]:
    interval = found.describe_interval("difference", row)
    left = ("interval", "unit", "units", "reason")
    kept = {str(name): value for name, value in row.items() if name not in left}
    return with_reason({**kept, "interval": interval}, row["reason"])
