"""Arguments of ``dissent clicks``, which reads click logs."""

from argparse import ArgumentParser

from core.clicks.choices import USUAL
from core.command.arguments.shared import WEIGHTS_HELP, add_seed, add_table_format, parse_count
from core.registered import list_values

EVERY = "all"


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Click-through rates by rank and, with judgements, by level; click models, compared in "
        "sessions that they were not fitted to with the click-through rate by rank; preferences "
        "read from clicks beside those of people, as lift over the share that position alone "
        "gives; how attractive results of each level are once they are examined; which results "
        "people and clicks contradict each other about most; and what clicks are worth for "
        "predicting levels. 95 % limits are over sessions, unless they say otherwise."
    )
    known = ", ".join(entry.name for entry in list_values("click model"))
    parser.epilog = (
        f"Models: {known}. Those that go down lists (DCM, SDBN, DBN) "
        "take their time with long logs. A lift of 1: clicks tell nothing beyond position."
    )
    add_click_files(parser)
    parser.add_argument(
        "--judgements",
        metavar="Q",
        help="TREC qrels, or a table with a header: topic (or query), document, level (or grade); "
        "topics and documents named as in the log",
    )
    parser.add_argument(
        "--model",
        dest="models",
        nargs="+",
        action="extend",
        metavar="NAME",
        help=f"click models, or {EVERY} (default: {' '.join(USUAL)}); the first "
        "with attractiveness tells that of levels",
    )
    parser.add_argument(
        "--weights", metavar="FILE", help=f"also the lift against weights: {WEIGHTS_HELP}"
    )
    parser.add_argument(
        "--preferences",
        metavar="FILE",
        help="also the lift against side-by-side preferences between documents",
    )
    parser.add_argument(
        "--cut",
        type=float,
        metavar="L",
        help="results of at least this level count as high where people and clicks contradict each "
        "other (default: above the middle of the levels)",
    )
    parser.add_argument(
        "--folds",
        type=parse_count(2),
        default=5,
        metavar="N",
        help="parts into which sessions are dealt to be held out (default 5)",
    )
    add_seed(parser)
    add_table_format(parser)


def add_click_files(parser: ArgumentParser) -> None:
    """Add the files of a log, and how they are read."""
    parser.add_argument(
        "logs",
        nargs="+",
        metavar="LOG",
        help="a click log in Yandex' format, TSV or JSONL, in one file or several; may be .gz; - "
        "for stdin",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="refuse the log for one malformed session; otherwise these are left out and counted",
    )
