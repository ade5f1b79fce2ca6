"""``dissent passages``: how far assessors marked the same passages."""

from argparse import Namespace

from core.analysis.agreement.passages import ask_passages
from core.analysis.base.declared import declared_first
from core.analysis.base.study import Study
from core.collection.records import FACETS
from core.command.printing.output import print_json, print_notes
from core.command.printing.reports import list_answers, list_rows, print_csv, print_tables
from core.command.stores import open_collection
from core.reports.passages import PassageAgreement
from core.wording import drop_marks

SHOWN = 20
"""Items for people; JSON has them all."""


def run(arguments: Namespace) -> int:
    """Print the agreement on passages of each facet."""
    with open_collection(arguments) as (store, collection_id):
        study = Study(store, collection_id, is_masked=True)
        facets = [arguments.facet] if arguments.facet else declared_first(study, FACETS)
        reports = [ask_passages(study, facet) for facet in facets]
    for one in reports:
        print_notes(f"{one.facet}: {note}" for note in one.notes)
    named = [({"facet": one.facet}, one) for one in reports]
    if arguments.format == "json":
        print_json(
            {
                "answers": list_answers(named),
                **{
                    name: [
                        about | row for about, one in named for row in list_rows(one, name, _CALLED)
                    ]
                    for name in PassageAgreement.tables
                },
            }
        )
    elif arguments.format == "csv":
        print_csv((about, one, [*one.tables]) for about, one in named)
    else:
        for one in reports:
            print(f"{one.facet}: {drop_marks(one.answer)}")
            print_tables(one, [*one.tables], most=SHOWN)
            print()
    return 0


_CALLED = {"topic_id": "topic", "document_id": "document", "coefficient": "name"}
"""What columns are called in JSON."""
