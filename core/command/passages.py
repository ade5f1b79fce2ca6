"""``dissent passages``: how far assessors marked the same passages."""

from argparse import Namespace
from typing import Any

import pandas as pd

from core.analysis.agreement.passages import ask_passages
from core.analysis.base.study import Study
from core.collection.records import FACETS
from core.command.printing.output import print_json, print_notes, with_reason
from core.command.printing.recording import print_data
from core.command.printing.report_tables import format_report_table
from core.command.stores import open_collection
from core.reports.passages import PassageAgreement
from core.reports.report import stack_tables
from core.wording import drop_marks

SHOWN = 20
"""Items for people; JSON has them all."""


def run(arguments: Namespace) -> int:
    """Print the agreement on passages of each facet."""
    facets = [arguments.facet] if arguments.facet else FACETS
    with open_collection(arguments) as (store, collection_id):
        study = Study(store, collection_id, is_masked=True)
        reports = [ask_passages(study, facet) for facet in facets]
    for one in reports:
        print_notes(f"{one.facet}: {note}" for note in one.notes)
    if arguments.format == "json":
        print_json(_make_content(reports))
    elif arguments.format == "csv":
        stacked = [
            stack_tables({name: one.table(name) for name in one.tables}).assign(facet=one.facet)
            for one in reports
        ]
        print_data(pd.concat(stacked, ignore_index=True))
    else:
        _print_tables(reports)
    return 0


def _print_tables(reports: list[PassageAgreement]) -> None:
    for one in reports:
        print(f"{one.facet}: {drop_marks(one.answer)}\n")
        for name, table in one.tables.items():
            title = f"{table.title}, {one.facet}s"
            if text := format_report_table(one, name, title=title, most=SHOWN):
                print(f"{text}\n")


_CALLED = {"topic_id": "topic", "document_id": "document", "coefficient": "name"}


def _make_content(reports: list[PassageAgreement]) -> dict[str, list[dict[str, Any]]]:
    return {
        "answers": [{"facet": one.facet, "answer": drop_marks(one.answer)} for one in reports],
        "overall": [_entry(one, row) for one in reports for row in one.overall.to_dict("records")],
        "items": [
            {
                "facet": one.facet,
                **{_CALLED.get(name, name): row[name] for name in map(str, one.items)},
            }
            for one in reports
            for row in one.items.to_dict("records")
        ],
    }


def _entry(report: PassageAgreement, row: dict[Any, Any]) -> dict[str, Any]:
    numbers = {name: row[name] for name in ("n", "value", "low", "high")}
    interval = report.describe_interval("overall", row)
    entry = {"facet": report.facet, "name": row["coefficient"], **numbers, "interval": interval}
    return with_reason(entry, row["reason"])
