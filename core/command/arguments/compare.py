"""Arguments of ``dissent compare``."""

from argparse import ArgumentParser, ArgumentTypeError

from core.command.arguments.score_files import add_permutations, add_score_files, add_test
from core.command.arguments.shared import add_seed, add_table_format, parse_named
from core.comparison.choices import MEANING, TESTS, UNITS
from core.comparison.significance_test import SignificanceTest


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Tests every two systems and compares the results between qrels: the orders of systems, "
        "how many pairs differ significantly, and which of them do so under both. Several topic "
        "sets, or several measures, are compared like several qrels. The order of a run is "
        "trec_eval's; a topic that a run does not answer scores 0; a topic with nothing to find is "
        "left out."
    )
    tests = " ".join(f"{one.name}: {one.meaning}. {one.error_rate}" for one in TESTS.values())
    units = "; ".join(f"{unit}, {meaning}" for unit, meaning in MEANING.items())
    parser.epilog = (
        f"Tests. {tests} 95 % limits of differences take topics for a sample, and hold for all "
        f"pairs at once. Limits of τ: {units}."
    )
    add_score_files(parser)
    add_test(parser)
    add_permutations(parser)
    parser.add_argument(
        "--over-conditions",
        action="store_true",
        help="correct p for the number of conditions, too (Bonferroni); otherwise each condition "
        "has its own chance of an error",
    )
    parser.add_argument(
        "--rope",
        type=_width,
        metavar="W",
        help="also compare by posterior probabilities; differences below W are practically none "
        "(say 0.01)",
    )
    parser.add_argument(
        "--tau-interval",
        choices=UNITS,
        default=UNITS[0],
        help=f"what limits of τ take for the sample (default {UNITS[0]}); see below",
    )
    parser.add_argument(
        "--judged-by",
        nargs="+",
        action="extend",
        default=[],
        type=parse_named("QRELS=FILE"),
        metavar="QRELS=FILE",
        help="who judged each topic of these qrels, lines of topic and assessor; for limits of τ "
        "that take assessors for a sample",
    )
    parser.add_argument(
        "--alpha",
        type=_alpha,
        default=SignificanceTest.alpha,
        metavar="A",
        help=f"a difference is significant when p is below A (default {SignificanceTest.alpha:g})",
    )
    parser.add_argument(
        "--topics",
        nargs="+",
        action="extend",
        default=[],
        type=_topic_set,
        metavar="SET=FILE",
        help="compare on this set of topics, one topic id a line; SET alone stands for all topics",
    )
    parser.add_argument(
        "--common-topics",
        action="store_true",
        help="use only those topics that count under all qrels and measures",
    )
    add_seed(parser)
    add_table_format(parser, "trec_eval")


def _topic_set(text: str) -> tuple[str, str]:
    name, mark, path = text.partition("=")
    if not name.strip() or (mark and not path):
        raise ArgumentTypeError(f"'{text}' is not written SET=FILE")
    return name.strip(), path


def _width(text: str) -> float:
    try:
        width = float(text)
    except ValueError:
        width = -1.0
    if not 0 <= width < float("inf"):
        raise ArgumentTypeError(f"'{text}' is not a width of 0 or more")
    return width


def _alpha(text: str) -> float:
    try:
        alpha = float(text)
    except ValueError:
        alpha = 0.0
    if not 0 < alpha < 1:
        raise ArgumentTypeError(f"'{text}' is not a level of significance between 0 and 1")
    return alpha
