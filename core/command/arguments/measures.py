"""Arguments of ``dissent measures``."""

from argparse import ArgumentParser

from core.command.arguments.shared import add_table_format


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "The measures, how they are written, and what else they are called: names of trec_eval, "
        "ndeval and ir_measures are understood in any case, such as map, P_10, ndcg_cut_10, "
        "ndcg@10, recip_rank, nDCG(dcg='exp-log2')@10. With NAME, one measure and its parameters."
    )
    parser.add_argument("name", nargs="?", metavar="NAME", help="one measure, by any of its names")
    add_table_format(parser)
