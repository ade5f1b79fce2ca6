"""``dissent restore``: a new store from a backup."""

from argparse import Namespace

from core.command.printing.output import print_json
from core.command.printing.tables import format_counts
from core.command.stores import store_place
from core.store.move.move import restore_to


def run(arguments: Namespace) -> int:
    """Restore the archive and print the rows of each table."""
    target = store_place(arguments)
    counts = restore_to(arguments.file, target)
    if arguments.format == "json":
        print_json({"store": str(target), "written": counts})
    else:
        print(f"{target}: {format_counts(counts)}")
    return 0
