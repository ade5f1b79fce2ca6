"""``dissent restore``: a new store from a backup."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from core.command.arguments import add_format, add_store, store_place
from core.command.printing.output import print_json
from core.command.printing.tables import format_counts
from core.store.move.restoring import restore_to


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Make a new store from an archive of 'dissent backup' or of the app: a new file, or in an "
        "empty database."
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the archive")
    add_store(parser)
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Restore the archive and print the rows of each table."""
    target = store_place(arguments)
    counts = restore_to(arguments.file, target)
    if arguments.format == "json":
        print_json({"store": str(target), "written": counts})
    else:
        print(f"{target}: {format_counts(counts)}")
    return 0
