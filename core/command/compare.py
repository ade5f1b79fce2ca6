"""``dissent compare``: which systems differ, under one or several qrels, topic sets, measures."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from core.analysis.frames.conditions import examine_conditions
from core.command.arguments import add_format, add_seed, parse_count
from core.command.files.compare_files import list_facts, score_conditions
from core.command.files.score_files import add_score_files
from core.command.printing.compare_tables import print_comparison_json, print_comparison_tables
from core.command.printing.output import show_progress
from core.comparison.conditions import compare_conditions
from core.comparison.difference_tests import CORRECTIONS, TESTS
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
    tests = "; ".join(f"{name}, {meaning}" for name, meaning in TESTS.items())
    parser.epilog = f"Tests: {tests}."
    add_score_files(parser)
    parser.add_argument(
        "--test", choices=tuple(TESTS), default="tukey", help="default: tukey; see below"
    )
    parser.add_argument(
        "--correction",
        choices=CORRECTIONS,
        default="holm",
        help="how p is corrected for the number of pairs in the tests t and randomisation (default "
        "holm); Tukey's tests need no correction",
    )
    parser.add_argument(
        "--permutations",
        type=parse_count(1),
        default=10_000,
        metavar="B",
        help="random permutations in the tests tukey and randomisation (default 10000)",
    )
    parser.add_argument(
        "--alpha",
        type=_alpha,
        default=0.05,
        metavar="A",
        help="a difference is significant when p is below A (default 0.05)",
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
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Print how systems compare."""
    significance = SignificanceTest(
        arguments.test,
        arguments.correction,
        arguments.permutations,
        arguments.alpha,
        arguments.seed,
    )
    scored = score_conditions(arguments)
    conditions = examine_conditions(scored, significance, show_progress)
    comparison = compare_conditions(conditions, significance.alpha)
    show = print_comparison_json if arguments.format == "json" else print_comparison_tables
    show(comparison, [list_facts(one) for one in scored], significance)
    return 0


def _topic_set(text: str) -> tuple[str, str]:
    name, mark, path = text.partition("=")
    if not name.strip() or (mark and not path):
        raise ArgumentTypeError(f"'{text}' is not written SET=FILE")
    return name.strip(), path


def _alpha(text: str) -> float:
    try:
        alpha = float(text)
    except ValueError:
        alpha = 0.0
    if not 0 < alpha < 1:
        raise ArgumentTypeError(f"'{text}' is not a level of significance between 0 and 1")
    return alpha
