"""Arguments of ``dissent machines``."""

from argparse import ArgumentParser

from core.command.arguments.conclusion_files import add_conclusion_files
from core.command.arguments.judge_files import add_judge_files
from core.command.arguments.shared import add_table_format, parse_count
from core.machines.choices import EPSILON, SAMPLING, SCORINGS


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Agreement of machines with people, and of people with each other on the items that the "
        "machine judged: coefficients of every two, level shift (above 0: the machine is more "
        "lenient), levels of the machine by those of people, and the alternative annotator test "
        "(Calderon, Reichart and Dror 2025). 95 % intervals are by the jackknife over topics. "
        "Figures hold for the judged items only."
    )
    add_judge_files(parser)
    parser.add_argument(
        "--epsilon",
        type=float,
        default=EPSILON,
        metavar="E",
        help="what people may be better by in the alternative annotator test: 0.2 for experts "
        "(default), 0.15 for skilled people, 0.1 for a crowd",
    )
    parser.add_argument(
        "--scoring",
        choices=SCORINGS,
        default=SCORINGS[0],
        help="how close a label is to those of others in that test: the share with the same level "
        "(default), or the root mean squared difference",
    )
    parser.add_argument(
        "--fewest-items",
        type=parse_count(1),
        default=1,
        metavar="N",
        help="people with fewer items take no part in that test (default 1)",
    )
    parser.add_argument(
        "--items",
        choices=tuple(SAMPLING),
        default="unknown",
        help="how the judged items were chosen: at random, or selected, as pools are (default: "
        "unknown)",
    )
    add_conclusion_files(parser)
    add_table_format(parser)
