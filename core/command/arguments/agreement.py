"""Arguments of ``dissent agreement``."""

from argparse import ArgumentParser

from core.agreement.choices import ANALYTIC
from core.command.arguments.label_files import add_label_files
from core.command.arguments.shared import add_seed, add_table_format, parse_list
from core.registered import list_values


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Agreement of every two assessors with common items: confusion matrix, coefficients with "
        "95 % intervals; of all assessors together, by group, by engine and by round; and topic by "
        "topic (linear weighted kappa). Without --facet each facet in the file is analysed, and a "
        "topic agrees when every pair agrees in every facet."
    )
    known = ", ".join(f"{entry.name} ({entry.description})" for entry in list_values("coefficient"))
    parser.epilog = f"Coefficients: {known}."
    add_label_files(parser)
    parser.add_argument(
        "--binary-at", metavar="LEVEL", help="also binarise: levels from this one up count as one"
    )
    parser.add_argument(
        "--run",
        nargs="+",
        action="extend",
        dest="runs",
        metavar="R",
        help="TREC runs: also alpha with items weighted by the best rank that a run gives them",
    )
    parser.add_argument(
        "--interval",
        choices=("jackknife", "bootstrap", *ANALYTIC),
        default="jackknife",
        help="intervals of pairs. Topics are taken for sampled by the jackknife with Student's t "
        "(default) and by the bootstrap, which covers less with few topics; items, as if all "
        "topics were alike, by each coefficient's own formula (analytic; Cohen 1968 for kappa) "
        "and that of Fleiss, Cohen and Everitt (fleiss1969). Those of single topics are over "
        "items: by the jackknife, or by formula where one is chosen. All others are by the "
        "jackknife",
    )
    parser.add_argument(
        "--differences",
        action="store_true",
        help="also compare linear weighted kappa between every two pairs of groups, or of "
        "assessors where the file has no groups; at most 20,000 differences",
    )
    parser.add_argument(
        "--rounds",
        type=parse_list,
        metavar="A,B,…",
        help="only labels given in these rounds, by the column 'round' (default all)",
    )
    add_seed(parser)
    add_table_format(parser)
