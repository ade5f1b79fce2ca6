"""Arguments of ``dissent reproduce``."""

from argparse import ArgumentParser
from pathlib import Path

from core.command.arguments.shared import add_format


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Compute every table, figure and qrels version of a study bundle anew from what it holds, "
        "and compare each with what was published. Exit status 0: nothing differs; 1: something "
        "does, was changed, or nothing could be checked."
    )
    parser.add_argument("file", type=Path, metavar="STUDY.zip", help="of 'dissent bundle'")
    parser.add_argument(
        "--run",
        dest="runs",
        nargs="+",
        default=[],
        metavar="R",
        help="runs that the bundle has the hashes of only",
    )
    add_format(parser)
