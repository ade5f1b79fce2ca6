"""Arguments of ``dissent enough``."""

from argparse import ArgumentParser, ArgumentTypeError

from core.collection.files.numbers import parse_number
from core.command.arguments.score_files import add_qrels_scale, parse_level, parse_measure_text
from core.command.arguments.shared import (
    add_qrels_reading,
    add_run_reading,
    add_store,
    add_table_format,
    parse_count,
)


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "How far today's ranking of the runs is from the one that judging their whole pool would "
        "give: Kendall's τ with 95 % limits, and how probable it is that the best system stays "
        "best; whose unjudged documents matter, how low and how high scores can be, what was told "
        "earlier, and what the rest costs. Of a collection it also tells which documents lack "
        "opinions that open rounds ask for: while one does, nothing is proposed."
    )
    parser.epilog = (
        "Both are predictions by a model, of this pool, these topics and these assessors; the "
        "handbook tells, under orders of judging, how often they held. Of a collection its stop "
        "rule is asked, else the declared measure and version."
    )
    add_store(parser)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--collection", metavar="NAME", help="the collection's name or id")
    source.add_argument("--qrels", metavar="Q", help="TREC qrels instead, with --run")
    parser.add_argument(
        "--run",
        nargs="+",
        action="extend",
        dest="runs",
        metavar="R",
        help="TREC runs; every tag in them is a system",
    )
    parser.add_argument("--version", metavar="NAME", help="of the qrels of a collection")
    parser.add_argument(
        "--measure",
        type=parse_measure_text,
        metavar="M",
        help="what systems are ranked by: AP (default of files), P, RBP, DCG or nDCG",
    )
    parser.add_argument(
        "--level",
        type=parse_level,
        metavar="L",
        help="level from which documents count as relevant in measures such as P and AP "
        "(default 1)",
    )
    parser.add_argument(
        "--depth",
        type=parse_count(1),
        metavar="K",
        help="the pool is the first K documents of every run; by default that of the deepest "
        "round, else as deep as the runs, at most 100",
    )
    parser.add_argument(
        "--best-stays",
        type=_number,
        metavar="P",
        help="the least probability that the best system stays best from which it is enough",
    )
    parser.add_argument(
        "--tau-low", type=_number, metavar="T", help="the least lower limit of τ for that"
    )
    for what in ("hour", "label"):
        parser.add_argument(
            f"--{what}-price",
            type=_number,
            default=0.0,
            metavar="MONEY",
            help=f"what {'an' if what == 'hour' else 'a'} {what} costs, in any currency",
        )
    add_qrels_scale(parser)
    add_run_reading(parser)
    add_qrels_reading(parser)
    add_table_format(parser)


def _number(text: str) -> float:
    number = parse_number(text)
    if number != number:
        raise ArgumentTypeError(f"'{text}' is not a number")
    return number
