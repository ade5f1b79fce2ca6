"""``dissent estimate``: mean scores from few topics that people judged and many a machine did."""

from argparse import ArgumentParser, Namespace

from core.analysis.frames.estimate import estimate_scores
from core.command.arguments import add_table_format
from core.command.files.score_files import (
    add_run_files,
    read_measures,
    read_qrels,
    read_runs,
    read_score_weights,
)
from core.command.printing.estimate_tables import print_estimate_json, print_estimate_tables
from core.command.printing.output import print_notes


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Estimates each system's mean score, and the difference of every two, in three ways: from "
        "the topics that people judged; prediction-powered, from these and from many more that a "
        "machine judged; and from the machine's labels alone. A prediction-powered estimate "
        "corrects the machine's mean by what people and the machine gave on the same topics, and "
        "is unbiased whatever the machine does. The machine's labels alone are biased by an "
        "unknown amount, which their limits take no notice of."
    )
    parser.epilog = (
        "Topics that people judged are those of --human; --machine has to judge them, too. λ says "
        "how far the machine is trusted: 0 gives the classical interval. It is learnt from all "
        "systems together, and is 0 for fewer than four topics that people judged. 95 % limits "
        "take topics for a sample and hold for each mean and each difference alone. The table of "
        "widths says what more topics judged by people would bring."
    )
    for name, what in (("--human", "people's labels"), ("--machine", "the machine's labels")):
        parser.add_argument(name, required=True, metavar="QRELS", help=f"TREC qrels: {what}")
    add_run_files(parser)
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--finite",
        action="store_true",
        help="the topics are all there are: means over these very topics, with the "
        "finite-population factor",
    )
    form.add_argument(
        "--normal",
        action="store_true",
        help="normal limits and a λ for each system, as the package ppi-python has them; too "
        "narrow with few topics that people judged",
    )
    add_table_format(parser)


def run(arguments: Namespace) -> int:
    """Print the estimates."""
    found = estimate_scores(
        read_runs(arguments),
        read_qrels(arguments.human),
        read_qrels(arguments.machine),
        read_measures(arguments),
        read_score_weights(arguments),
        finite=arguments.finite,
        normal=arguments.normal,
        empty_topics=arguments.empty_topics,
    )
    print_notes(found.notes)
    if arguments.format == "json":
        print_estimate_json(found, finite=arguments.finite, normal=arguments.normal)
    else:
        print_estimate_tables(found)
    return 0
