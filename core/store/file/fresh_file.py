"""A store's file written anew, so that nothing is left in it of what was erased.

The database leaves what it deletes in blocks that are free from then on, until it needs them for
something else. So a store in which somebody was erased is copied into a new file when it is next
opened for work: the copy has what can be read, and nothing besides.
"""

from contextlib import suppress
from pathlib import Path

import duckdb

from core.errors import StoreUnusable
from core.store.file.database import Cursor, Database
from core.store.file.disk import lacks_room, put_in_place
from core.store.file.scratch import scratch_folder
from core.store.file.write_ahead_log import logs_of

try:
    import fcntl
except ImportError:  # where files cannot be locked
    fcntl = None  # type: ignore[assignment]

_ASKED = "write afresh"
"""The setting that asks for it; the new file is without."""


def ask_to_write_afresh(cursor: Cursor) -> None:
    """Have the file written anew when the store is next opened for work."""
    cursor.execute("INSERT OR REPLACE INTO settings VALUES (?, 'erased')", [_ASKED])


def is_asked(cursor: Cursor) -> bool:
    """Tell whether the file is to be written anew."""
    asked = cursor.execute("SELECT 1 FROM settings WHERE name = ?", [_ASKED]).fetchone()
    return asked is not None


def forget_asked(cursor: Cursor) -> None:
    """Note that it has been done."""
    cursor.execute("DELETE FROM settings WHERE name = ?", [_ASKED])


def write_afresh_if_asked(database: Database) -> Database:
    """Return the database of a new file where that was asked for, else the one given.

    Where there is no room for a second file for a while, all stays as it is until the next time.

    Raises
    ------
    StoreUnusable
        The new file does not hold what the old one does; the old one stays.
    """
    if not is_asked(database.cursor()):
        return database
    path = database.path
    with scratch_folder(path.parent) as folder:
        draft = folder / "afresh.duckdb"
        try:
            _copy(database.cursor(), draft)
        except Exception as error:
            if not lacks_room(error):
                raise
            with suppress(duckdb.Error):
                database.cursor().execute("DETACH afresh")
            return database
        database.close()
        _replace(draft, path)
    return Database(path)


def _copy(cursor: Cursor, draft: Path) -> None:
    """Copy everything into a new file, in the same order, and read it back."""
    (name,) = cursor.execute("SELECT current_database()").fetchone() or ("",)
    place = str(draft).replace("'", "''")
    cursor.execute(f"ATTACH '{place}' AS afresh")
    cursor.execute(f'COPY FROM DATABASE "{name}" TO afresh')
    for table in _list_tables(cursor, name):
        if _read(cursor, f'"{name}".{table}') != _read(cursor, f"afresh.{table}"):
            raise StoreUnusable(f"Table {table} could not be copied; the store stays as it was.")
    cursor.execute("DELETE FROM afresh.settings WHERE name = ?", [_ASKED])
    cursor.execute("DETACH afresh")


def _list_tables(cursor: Cursor, name: str) -> list[str]:
    sql = "SELECT table_name FROM duckdb_tables() WHERE database_name = ? ORDER BY table_name"
    return [str(table) for (table,) in cursor.execute(sql, [name]).fetchall()]


def _read(cursor: Cursor, table: str) -> object:
    """Return how many rows a table has and what they hold, each in its place."""
    return cursor.execute(
        f"SELECT count(*), sum(hash(rows, place)::HUGEINT) FROM "
        f"(SELECT rows, row_number() OVER () AS place FROM {table} AS rows)"
    ).fetchone()


def _replace(draft: Path, path: Path) -> None:
    """Put the new file in place, unless another process has opened the old one meanwhile."""
    with path.open("rb+") as held:
        try:
            if fcntl is not None:
                fcntl.lockf(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return
        # What is still in a log beside it is in the old file only once that is opened again.
        if not logs_of(path) and not logs_of(draft):
            put_in_place(draft, path)
