"""``dissent backup``: a whole store as one archive."""

from argparse import Namespace
from pathlib import Path

from core.command.printing.output import print_json
from core.command.printing.tables import format_counts
from core.command.stores import open_store
from core.errors import BadInput
from core.store.backup.backup import save_backup


def run(arguments: Namespace) -> int:
    """Write the archive, under its own name only once it is complete."""
    target: Path = arguments.file
    if target.exists():
        raise BadInput(f"{target} exists; a backup never overwrites another file")
    with open_store(arguments) as store:
        counts = save_backup(store, target)
    if arguments.format == "json":
        print_json({"file": str(target), "written": counts})
    else:
        print(f"{target}: {format_counts(counts)}")
    return 0
