"""Arguments of ``dissent bundle``."""

from argparse import ArgumentParser
from pathlib import Path

from core.bundle.choices import MEASURES, RUNS
from core.command.arguments.score_files import add_permutations
from core.command.arguments.shared import add_collection, add_format, add_seed


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Write a study bundle: qrels, the rules they were made by, runs, tables, figures and "
        "methods as one ZIP archive, an RO-Crate 1.1. 'dissent reproduce' computes its tables "
        "anew. Nobody's name is in it; labels are only if you ask for them."
    )
    parser.add_argument("file", type=Path, metavar="OUT.zip", help="must not exist yet")
    add_collection(parser)
    parser.add_argument(
        "--version",
        nargs="+",
        default=[],
        metavar="NAME",
        help="qrels versions by name, as on the page 'Qrels versions' (default: the declared "
        "one, 'all, maximum', 'all, median', 'all, minimum' and imported qrels)",
    )
    parser.add_argument(
        "--labels",
        action="store_true",
        help="with the labels of those who consented, under codes",
    )
    parser.add_argument(
        "--imported-labels",
        action="store_true",
        help="with --labels: also those of assessors known by imported files only, whom nobody "
        "can ask here; you vouch for their consent",
    )
    parser.add_argument(
        "--runs", choices=RUNS, default=RUNS[0], help="whole runs (default) or only their hashes"
    )
    parser.add_argument(
        "--measure",
        nargs="+",
        default=None,
        metavar="M",
        help=f"for the scores (default: {', '.join(MEASURES)}, and the declared one)",
    )
    add_permutations(parser)
    parser.add_argument(
        "--licence", default="", metavar="TEXT", help="what others may do: an address or a text"
    )
    add_seed(parser)
    add_format(parser)
