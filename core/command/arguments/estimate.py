"""Arguments of ``dissent estimate``."""

from argparse import ArgumentParser

from core.command.arguments.score_files import add_qrels_scale, add_run_files
from core.command.arguments.shared import add_table_format


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
    add_qrels_scale(parser)
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
