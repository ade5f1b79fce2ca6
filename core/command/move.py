"""``dissent move``: a store from a file to a database, or back."""

from argparse import Namespace

from core.command.printing.output import print_json, show_progress
from core.command.printing.tables import format_counts
from core.store.move.move import move_store


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
