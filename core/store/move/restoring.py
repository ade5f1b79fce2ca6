"""A backup restored where the store is to be: in a new file, or in an empty database."""

from pathlib import Path

from core.place import Address, Place
from core.store.backup.backup import restore_backup
from core.store.file.scratch import scratch_folder
from core.store.move.move import move_store


def restore_to(archive: Path, target: Place) -> dict[str, int]:
    """Make a new store from a backup and return its rows by table.

    For a database the backup becomes a file first, which is moved there.

    Raises
    ------
    BadInput, StoreFull
        See `restore_backup` and `move_store`; no store is left behind.
    """
    if not isinstance(target, Address):
        return restore_backup(archive, target)
    with scratch_folder() as folder:
        file = folder / "restored.duckdb"
        counts = restore_backup(archive, file)
        move_store(file, target, lambda *_: None)
    return counts
