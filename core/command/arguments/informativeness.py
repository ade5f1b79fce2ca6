"""Arguments of ``dissent informativeness``."""

from argparse import ArgumentParser

from core.command.arguments.score_files import (
    add_qrels_scale,
    add_runs,
    parse_level,
    parse_measure_text,
)
from core.command.arguments.shared import (
    add_qrels_reading,
    add_run_reading,
    add_table_format,
    parse_count,
)
from core.informativeness.choices import DEPTHS, PAPER, RECURSIONS


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Infers each ranking from the value of one measure and the number of relevant documents, "
        "by maximum entropy, and compares the result with the actual ranking: precision-recall "
        "curves and the values of the other measures. Labels are binary, from --level; several "
        "iterations of the qrels are intents. A topic with nothing relevant is left out."
    )
    recursions = "; ".join(f"{name}, {meaning}" for name, meaning in RECURSIONS.items())
    parser.epilog = f"Recursions of cascade measures: {recursions}."
    parser.add_argument("--qrels", required=True, metavar="Q", help="TREC qrels")
    add_runs(parser)
    parser.add_argument(
        "--measure",
        nargs="+",
        action="extend",
        dest="measures",
        metavar="M",
        type=parse_measure_text,
        help=f"default: {', '.join(PAPER)}, those by intent where the qrels have intents",
    )
    parser.add_argument(
        "--depth",
        type=parse_count(DEPTHS[0]),
        default=10,
        metavar="N",
        help="how many ranks are used (default 10)",
    )
    parser.add_argument(
        "--level",
        type=parse_level,
        default=1.0,
        metavar="L",
        help="level from which documents count as relevant, for all measures (default 1)",
    )
    parser.add_argument(
        "--recursion", choices=tuple(RECURSIONS), default="exact", help="see below (default exact)"
    )
    parser.add_argument(
        "--intents",
        metavar="TOPICS",
        help="topics with subtopics whose probabilities weight the intents (default: equal "
        "weights)",
    )
    for what in ("topics", "systems"):
        parser.add_argument(
            f"--most-{what}",
            type=parse_count(1),
            metavar="N",
            help=f"only the N {what} with the most relevant documents",
        )
    add_run_reading(parser)
    add_qrels_reading(parser)
    add_qrels_scale(parser)
    add_table_format(parser)
