"""``dissent progress``: how far a round of a collection is, and when it ends."""

from argparse import Namespace

from core.analysis.base.study import Study
from core.analysis.judging.progress import ask_progress
from core.command.printing.output import print_json, print_notes
from core.command.printing.reports import list_rows, print_csv, print_tables
from core.command.stores import open_collection
from core.reports.progress import Progress, ProgressQuestion
from core.wording import drop_marks

SHOWN = 20
"""Rows of a table for people; JSON has them all."""

PRINTED = ("end", "topics", "people", "rounds")
"""What people see at a terminal; JSON and CSV have all tables."""


def run(arguments: Namespace) -> int:
    """Print how far a round is."""
    with open_collection(arguments) as (store, collection_id):
        study = Study(store, collection_id, is_masked=not arguments.names)
        _print(ask_progress(study, ProgressQuestion(arguments.round)), arguments.format)
    return 0


def _print(found: Progress, form: str) -> None:
    print_notes(found.notes)
    if form == "csv":
        print_csv([({}, found, [*found.tables])])
        return
    answer = drop_marks(found.answer)
    if form != "json":
        print(answer)
        print_tables(found, PRINTED, most=SHOWN)
        return
    complete, items = found.complete
    print_json(
        {
            "answer": answer,
            "round": found.rules and found.rules.round_id,
            "name": found.rules and found.rules.name,
            **{name: getattr(found, name) for name in ("judged", "required", "left", "imported")},
            "fully_judged": complete,
            "asked": items,
            **{name: list_rows(found, name) for name in found.tables},
        }
    )
