"""Arguments of ``dissent restore``."""

from argparse import ArgumentParser
from pathlib import Path

from core.command.arguments.shared import add_format, add_store


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Make a new store from an archive of 'dissent backup' or of the app: a new file, or in an "
        "empty database."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the archive")
    add_store(parser)
    add_format(parser)
