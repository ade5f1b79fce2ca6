"""Arguments of ``dissent backup``."""

from argparse import ArgumentParser
from pathlib import Path

from core.command.arguments.shared import add_format, add_store


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Copy every table of a store, as it is at one moment, into a new ZIP archive. While a "
        "server has the store open, make the backup on its export page instead."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the archive; must not exist yet")
    add_store(parser)
    add_format(parser)
