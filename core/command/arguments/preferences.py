"""Arguments of ``dissent preferences``."""

from argparse import ArgumentParser

from core.collection.records import FACETS, FACETS_OF
from core.command.arguments.label_files import add_label_options
from core.command.arguments.shared import WEIGHTS_HELP, add_table_format
from core.preference.choices import MODELS


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Wins, losses and ties of each pair with the share of wins (a tie is half a win) and a "
        "sign test; Bradley-Terry strengths; intransitive triples; side bias of the assessors and "
        "their agreement; with 95 % intervals. Systems are compared over all topics, which are "
        "what is sampled: limits come from leaving each topic out, and a trial of the sign test "
        "is a topic, won by the system that most of its preferences favour; tied topics are "
        "dropped. Documents are compared within their topic: limits of strengths are over its "
        "assessors, those of shares over preferences. Strengths to which the data set no bound "
        "have no finite limits. Hidden repeats count for side bias only."
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="TSV, CSV or JSONL with topic, left, right, choice (left, right, tie), perhaps "
        "strength, assessor, kind, facet, occasion; or lines 'topic documentA documentB winner'; "
        "may be .gz; - for stdin",
    )
    parser.add_argument(
        "--kind",
        choices=tuple(FACETS_OF),
        default="",
        help="only preferences between these; also what they are between where the file does not "
        "say (documents by default)",
    )
    parser.add_argument("--facet", choices=FACETS, default="", help="only snippets or only pages")
    parser.add_argument(
        "--model",
        choices=MODELS,
        default=MODELS[0],
        help="how strengths treat ties: half a win each (default), or Davidson's model",
    )
    parser.add_argument(
        "--per-topic", action="store_true", help="also the outcomes of systems topic by topic"
    )
    parser.add_argument(
        "--reasons",
        metavar="FILE",
        help="also count why things were preferred, from a file that 'dissent export reasons' has "
        "written",
    )
    parser.add_argument(
        "--labels",
        nargs="+",
        action="extend",
        metavar="LABELS",
        help="also how often the document of the higher mean level is preferred, from labels of "
        "the same documents, read as below",
    )
    parser.add_argument(
        "--weights", metavar="FILE", help=f"with --labels, also by mean weight: {WEIGHTS_HELP}"
    )
    add_label_options(parser)
    add_table_format(parser)
