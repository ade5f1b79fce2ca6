"""Arguments of ``dissent curves``."""

from argparse import ArgumentParser

from core.command.arguments.score_files import (
    add_qrels_scale,
    add_runs,
    parse_level,
    parse_measure_text,
)
from core.command.arguments.shared import (
    WEIGHTS_HELP,
    add_qrels_reading,
    add_run_reading,
    add_table_format,
    parse_count,
)
from core.measures.choices import AVERAGES, DEPTH, GAIN


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Interpolated precision at the eleven standard levels of recall, precision and recall by "
        "rank, and the gain that adds up by rank beside that of the best list of what was judged; "
        "means over topics. A topic with nothing to find is left out; one that a run does not "
        "answer counts as 0. Differences are not tested: see 'dissent compare'."
    )
    averages = "; ".join(f"{name}, {meaning}" for name, meaning in AVERAGES.items())
    parser.epilog = f"How nCG and nDCG are averaged: {averages}."
    parser.add_argument("--qrels", required=True, metavar="Q", help="TREC qrels")
    add_runs(parser)
    parser.add_argument(
        "--measure",
        type=parse_measure_text,
        default=GAIN,
        metavar="M",
        help=f"CG, nCG, DCG or nDCG, without a cut-off, such as nDCG(gain='exp') (default {GAIN})",
    )
    parser.add_argument("--weights", metavar="FILE", help=f"for gain='udm', {WEIGHTS_HELP}")
    parser.add_argument(
        "--level",
        type=parse_level,
        default=1.0,
        metavar="L",
        help="level from which documents count as relevant (default 1)",
    )
    parser.add_argument(
        "--depth",
        type=parse_count(1),
        default=DEPTH,
        metavar="K",
        help=f"the last rank (default {DEPTH})",
    )
    parser.add_argument(
        "--average", choices=tuple(AVERAGES), default="topics", help="see below (default topics)"
    )
    parser.add_argument(
        "--per-topic",
        action="store_true",
        help="each topic's curves as well, and precision at every relevant document found",
    )
    add_run_reading(parser)
    add_qrels_reading(parser)
    add_qrels_scale(parser)
    add_table_format(parser)
