"""``dissent move``: a store from a file to a database, or back."""

from argparse import ArgumentParser, Namespace

from core.command.arguments import add_format
from core.command.printing.output import print_json, show_progress
from core.command.printing.tables import format_counts
from core.place import read_place
from core.store.move.move import move_store


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Copy a whole store from a file to an empty PostgreSQL database, or back to a new file, "
        "and compare the hashes of all rows. No server may use it meanwhile. The store that it is "
        "copied from stays as it is: keep it until you have seen the other, then serve only one "
        "of the two. If it is cut off, run it again: it goes on where it ended."
    )
    for name, help_ in (
        ("from", "the store: a file, or postgresql://user@host/name"),
        ("to", "where it is to be: an empty database, or a new file"),
    ):
        parser.add_argument(
            f"--{name}",
            dest=f"{name}_place",
            type=read_place,
            required=True,
            metavar="PLACE",
            help=help_,
        )
    add_format(parser)


def run(arguments: Namespace) -> int:
    """Move the store and print the rows of each table."""
    counts = move_store(arguments.from_place, arguments.to_place, _tell)
    if arguments.format == "json":
        print_json({"store": str(arguments.to_place), "moved": counts})
    else:
        print(f"{arguments.to_place}: {format_counts(counts)}; every table is as it was")
    return 0


def _tell(table: str, done: int, total: int) -> None:
    if total:
        show_progress(done / total, table)
