"""Arguments of commands that score runs against qrels."""

from argparse import ArgumentParser, ArgumentTypeError

from core.collection.files.numbers import parse_number
from core.command.arguments.shared import (
    WEIGHTS_HELP,
    TakesArguments,
    add_qrels_reading,
    add_run_reading,
    parse_count,
    parse_qrels_scale,
)
from core.errors import BadInput


def add_score_files(parser: ArgumentParser) -> None:
    """Add ``--qrels``, ``--run``, ``--measure`` and how they are read."""
    parser.add_argument(
        "--qrels", nargs="+", action="extend", required=True, metavar="Q", help="TREC qrels"
    )
    add_run_files(parser)
    add_qrels_scale(parser)


def add_run_files(parser: TakesArguments, *, required: bool = True) -> None:
    """Add ``--run``, ``--measure`` and how they are read."""
    add_runs(parser, required=required)
    parser.add_argument(
        "--measure",
        nargs="+",
        action="extend",
        required=required,
        dest="measures",
        metavar="M",
        type=parse_measure_text,
        help="such as nDCG@10",
    )
    parser.add_argument(
        "--level",
        type=parse_level,
        metavar="L",
        help="level from which documents count as relevant in measures such as P and AP (default "
        "1), where their own text does not say; they are then shown as P(rel=L)",
    )
    parser.add_argument("--weights", metavar="FILE", help=f"for gain='udm', {WEIGHTS_HELP}")
    parser.add_argument(
        "--documents",
        nargs="+",
        action="extend",
        metavar="D",
        help="documents, whose lengths TBG reckons with; without them all count as equally long",
    )
    parser.add_argument(
        "--empty-topics", action="store_true", help="count topics with nothing to find as 0"
    )
    add_run_reading(parser)
    add_qrels_reading(parser)


def add_runs(parser: TakesArguments, *, required: bool = True) -> None:
    """Add ``--run``."""
    parser.add_argument(
        "--run",
        nargs="+",
        action="extend",
        required=required,
        dest="runs",
        metavar="R",
        help="TREC runs; every tag in them is a system",
    )


def add_qrels_scale(parser: TakesArguments) -> None:
    """Add ``--scale``: the levels that the qrels can have."""
    parser.add_argument(
        "--scale",
        type=parse_qrels_scale,
        action="append",
        default=[],
        metavar="LEVELS",
        help="levels of the qrels' scale, lowest first: 0,1,2,3 or Non,Rel,HRel,Key; measures such "
        "as ERR depend on the highest. Without it, the highest level that occurs in any of the "
        "qrels is taken for it",
    )


def add_test(parser: TakesArguments) -> None:
    """Add ``--test`` and ``--correction``: how differences between systems are tested."""
    from core.comparison.choices import CORRECTIONS, DEFAULT, TESTS
    from core.comparison.significance_test import SignificanceTest

    parser.add_argument(
        "--test",
        choices=tuple(TESTS),
        default=DEFAULT,
        help=f"how differences are tested (default {DEFAULT}); 'dissent compare --help' tells more",
    )
    parser.add_argument(
        "--correction",
        choices=CORRECTIONS,
        default=SignificanceTest.correction,
        help="how p is corrected for the number of pairs in the tests t, randomisation and "
        f"bootstrap (default {SignificanceTest.correction}); the others need no correction",
    )


def add_permutations(parser: TakesArguments) -> None:
    """Add ``--permutations``: how many samples a test draws."""
    from core.comparison.significance_test import SignificanceTest

    parser.add_argument(
        "--permutations",
        type=parse_count(1),
        default=SignificanceTest.samples,
        metavar="B",
        help="random permutations, exchanges or draws of topics (default "
        f"{SignificanceTest.samples:,}); where so many cannot find anything after correction, as "
        "many are made as can",
    )


def parse_measure_text(text: str) -> str:
    """Return the text of a measure, once it is known to be one."""
    from core.measures.catalogue import parse_measure

    try:
        parse_measure(text)
    except BadInput as error:
        raise ArgumentTypeError(str(error)) from error
    return text


def parse_level(text: str) -> float:
    """Return a level from which documents count as relevant."""
    level = parse_number(text)
    if not level > 0:
        raise ArgumentTypeError(f"'{text}' is not a level above 0")
    return level
