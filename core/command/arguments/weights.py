"""Arguments of ``dissent weights``."""

from argparse import ArgumentParser

from core.command.arguments.label_files import add_label_files
from core.command.arguments.shared import add_table_format, parse_count


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "The User Disagreement Model: p(top | level), the probability that another assessor finds "
        "an item top to which one assessor gave that level, with its number of cases and 95 % "
        "interval; and the weight, the probability that at least M of N users find it top. "
        "Topics are what is sampled. Estimates from fewer than 50 cases or 5 topics are marked as "
        "few. The facet is that of the file, or page where it has both. The JSON is what "
        "'dissent evaluate --weights' reads."
    )
    add_label_files(parser)
    parser.add_argument(
        "--top",
        required=True,
        metavar="LEVEL",
        help="the top level, by number or, with --scale, by name; with --combined one for both "
        "facets or SNIPPET,PAGE",
    )
    count = parse_count(1)
    parser.add_argument("--users", required=True, type=count, metavar="N", help="how many users")
    parser.add_argument(
        "--at-least",
        required=True,
        type=count,
        metavar="M",
        help="how many of the users have to find it top",
    )
    parser.add_argument(
        "--combined", action="store_true", help="weights of pairs (snippet level, page level)"
    )
    parser.add_argument(
        "--keep-lowest",
        action="store_true",
        help="keep the lowest level's p; otherwise it counts as mistakes and the level has weight "
        "0",
    )
    parser.add_argument(
        "--pairs",
        action="store_true",
        help="count every pair of labels once, instead of every item as one double judgement",
    )
    add_table_format(parser)
