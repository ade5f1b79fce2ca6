"""A store moved from a file to PostgreSQL, or back: whole, verified, and resumed if cut off."""

from pathlib import Path

from core.errors import BadInput
from core.place import Address, Place
from core.store.backup.backup import restore_backup
from core.store.file.scratch import scratch_folder
from core.store.move.contents import Tell


def move_store(source: Place, target: Place, tell: Tell) -> dict[str, int]:
    """Copy everything, read it back, and compare it by the hashes of its rows.

    The source stays as it is. What was cut off goes on where it ended when it is asked for again.

    Returns
    -------
    dict
        Rows by table.

    Raises
    ------
    BadInput
        It is not from a file to a database or back, or the target holds something else; or what
        was read back differs.
    StoreInUse, StoreUnusable, StoreUnreachable
        One of the two cannot be opened.
    """
    # Late: they need a package that a store in a file does without.
    if isinstance(source, Path) and isinstance(target, Address):
        from core.store.move.to_database import move_to_database

        if not source.exists():
            raise BadInput(f"there is no store {source}")
        return move_to_database(source, target, tell)
    if isinstance(source, Address) and isinstance(target, Path):
        from core.store.move.to_file import move_to_file

        return move_to_file(source, target, tell)
    raise BadInput(
        "a store is moved from a file to a database (postgresql://…), or back; to copy a file use "
        "'dissent backup' and 'dissent restore'"
    )


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
