"""Arguments of ``dissent declare``."""

from argparse import ArgumentParser

from core.command.arguments.score_files import parse_measure_text
from core.command.arguments.shared import add_collection, add_format, parse_count


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Say, or without options print, what a study declares: by which measure and qrels version "
        "systems are compared, at which α, on which topics. Pages, commands on the store, the API, "
        "the public page, bundles and paper packs begin there. The change is on record. While a "
        "server has the store open, use its page Collection."
    )
    add_collection(parser)
    parser.add_argument("--facet", choices=("page", "snippet"), help="whose labels count")
    parser.add_argument(
        "--measure", metavar="M", type=parse_measure_text, help="the primary measure, as nDCG@10"
    )
    parser.add_argument("--version", metavar="NAME", help="the qrels version, as 'all, median'")
    parser.add_argument(
        "--users", type=parse_count(1), metavar="N", help="users for whom the UDM stands"
    )
    parser.add_argument(
        "--at-least", type=parse_count(1), metavar="M", help="so many of them find an item top"
    )
    parser.add_argument("--alpha", type=float, metavar="A", help="of tests, above 0 and below 1")
    parser.add_argument(
        "--baseline", metavar="SYSTEM", help="what others are compared with; '' for none"
    )
    parser.add_argument(
        "--topics", nargs="*", metavar="ID", help="topics to score on; none named: all"
    )
    add_format(parser)
