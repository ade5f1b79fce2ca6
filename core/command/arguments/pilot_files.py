"""Arguments with which ``dissent plan`` reads a pilot."""

from argparse import ArgumentParser

from core.collection.records import FACETS
from core.command.arguments.label_files import add_label_options
from core.command.arguments.score_files import add_run_files


def add_pilot_files(parser: ArgumentParser) -> None:
    """Add ``--scores``, or runs with qrels, and ``--labels``: what serves as a pilot."""
    group = parser.add_argument_group("the pilot's scores")
    group.add_argument(
        "--scores",
        metavar="FILE",
        help="a table with system, topic and value (perhaps measure), or the JSON of 'dissent "
        "evaluate --per-topic'; may be .gz; - for stdin",
    )
    group.add_argument("--qrels", metavar="Q", help="instead: TREC qrels, with --run and --measure")
    add_run_files(group, required=False)
    people = parser.add_argument_group("the pilot's labels")
    people.add_argument(
        "--labels",
        nargs="+",
        action="extend",
        metavar="LABELS",
        help="for items judged twice: TSV, CSV or JSONL with assessor, topic, document, level",
    )
    people.add_argument("--facet", choices=FACETS, help="only the labels of snippets or of pages")
    add_label_options(parser)
