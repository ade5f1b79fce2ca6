"""Arguments of ``dissent pool``."""

from argparse import ArgumentParser

from core.command.arguments.shared import add_seed, add_store, add_table_format, parse_count
from core.orders.choices import BATCH
from core.registered import list_values


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Count the pairs of topic and document among the first K of every run, of a collection "
        "or of run files; with -o write them as TSV, best rank first. With --order they come in "
        "the order in which they would be judged: what it has chosen it learns from --judgements, "
        "or from the labels of the collection; what neither has stays without a label."
    )
    add_store(parser)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--collection", metavar="NAME", help="the collection's name or id")
    source.add_argument(
        "--run", nargs="+", action="extend", dest="runs", metavar="R", help="TREC runs instead"
    )
    parser.add_argument("--depth", required=True, type=parse_count(1), metavar="K", help="how far")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the pairs: topic, document, rank, systems"
    )
    _add_order(parser)
    add_table_format(parser)


def _add_order(parser: ArgumentParser) -> None:
    known = ", ".join(one.name for one in list_values("order of judging"))
    parser.add_argument("--order", metavar="NAME", help=f"what would be judged first: {known}")
    parser.add_argument("--judgements", metavar="Q", help="qrels that an order learns from")
    parser.add_argument(
        "--relevant-from", type=float, default=1.0, metavar="LEVEL",
        help="from which level on a label says relevant; by default 1",
    )  # fmt: skip
    parser.add_argument(
        "--budget", type=parse_count(1), metavar="N", help="the most that would be judged"
    )
    parser.add_argument(
        "--batch", type=parse_count(1), default=BATCH, metavar="N",
        help=f"documents that are handed out together; by default {BATCH}",
    )  # fmt: skip
    add_seed(parser)
