"""One DuckDB file: connections, transactions and what goes wrong with files."""

import os
import re
import shutil
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

from core.errors import StoreFull, StoreInUse, StoreUnusable

_STRINGS = {pa.string(): pd.StringDtype(na_value=np.nan)}

_NO_ROOM = re.compile("No space left|File too large|Disk quota exceeded|not enough space", re.I)
_NEVER, _USUAL = "1TB", "16MB"
"""How long the log may grow before it is merged into the file: without end, or DuckDB's default."""

_SPARE = 64_000_000
_CALM = 300.0

Cursor = duckdb.DuckDBPyConnection
UNREADABLE = (duckdb.Error, UnicodeDecodeError)
"""What reading damaged data raises: what DuckDB says of it may hold bytes that are no text."""


class Database:
    """An open database file, shared by the threads of this process.

    Parameters
    ----------
    path : Path
        The file; created when absent.
    read_only : bool
        Leave the file and its log as they are; nothing is created. Otherwise, while it is open,
        every new file of this process is for its owner only.

    Raises
    ------
    StoreInUse
        Another process holds the file.
    StoreUnusable
        The file is not a DuckDB database, or cannot be read or made.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path, self._read_only = path, read_only
        self._merges = _USUAL
        self._calm_at = 0.0
        self._opening = threading.Lock()
        # The file, its log and what it spills are made at any time while it is open.
        self._umask = None if read_only else os.umask(0o077)
        try:
            self._root = _connect(path, read_only, {"checkpoint_threshold": _USUAL})
        except BaseException:
            self._restore_umask()
            raise
        self._write_lock = threading.RLock()

    def cursor(self) -> Cursor:
        """Return a connection of one's own; cheap, for one call or one thread."""
        return self._root.cursor()

    @contextmanager
    def write(self) -> Iterator[Cursor]:
        """Run one transaction at a time; commits at the end, rolls back on any error.

        Raises
        ------
        StoreFull
            The disk has no room for it; nothing was changed.
        """
        with self._write_lock, self._survive(), transaction(self.cursor()) as cursor:
            yield cursor

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run one statement as a transaction of its own, beside others; raises StoreFull."""
        with self._survive():
            return self.cursor().execute(sql, list(values)).fetchall()

    def close(self) -> None:
        """Write everything to the file and let go of it."""
        self._root.close()
        self._restore_umask()

    def _restore_umask(self) -> None:
        if self._umask is not None:
            os.umask(self._umask)
            self._umask = None

    @contextmanager
    def _survive(self) -> Iterator[None]:
        """Say it when the disk is full, and open the file again when DuckDB gives it up."""
        root = self._root
        try:
            self._pace_merges()
            yield
        except duckdb.Error as error:
            if isinstance(error, duckdb.FatalException | duckdb.ConnectionException):
                self._open_again(root)
            if _NO_ROOM.search(str(error)):
                raise StoreFull(_full(self.path)) from error
            raise

    def _pace_merges(self) -> None:
        """Merge the log into the file only while the disk has room for a second copy of both.

        A merge that runs out of room ends the database for reading, too; a log that cannot
        grow refuses one transaction.
        """
        if self._read_only:
            return
        files = (self.path, self.path.with_name(self.path.name + ".wal"))
        size = sum(file.stat().st_size for file in files if file.exists())
        roomy = shutil.disk_usage(self.path.parent).free > size + _SPARE
        wanted = _USUAL if roomy and time.monotonic() > self._calm_at else _NEVER
        if wanted != self._merges:
            self._root.cursor().execute(f"SET GLOBAL checkpoint_threshold = '{wanted}'")
            self._merges = wanted

    def _open_again(self, dead: Cursor) -> None:
        """Open the file anew, once, and let its log grow for a while before the next merge."""
        with self._opening:
            if self._root is not dead:
                return
            with suppress(duckdb.Error):
                dead.close()
            self._calm_at = time.monotonic() + _CALM
            self._root = _connect(self.path, self._read_only, {"checkpoint_threshold": _NEVER})
            self._merges = _NEVER


@contextmanager
def transaction(cursor: Cursor) -> Iterator[Cursor]:
    """Run a block as one transaction on a cursor."""
    cursor.execute("BEGIN")
    try:
        yield cursor
    except BaseException:
        cursor.execute("ROLLBACK")
        raise
    cursor.execute("COMMIT")


def _connect(path: Path, read_only: bool, options: Mapping[str, str]) -> Cursor:
    config: dict[str, Any] = {"autoinstall_known_extensions": "false", **options}
    try:
        return duckdb.connect(str(path), read_only=read_only, config=config)
    except duckdb.Error as error:
        if "set lock" in str(error):
            raise StoreInUse(_in_use(path, str(error))) from error
        raise StoreUnusable(f"The store {path} cannot be opened: {_first_line(error)}") from error


def _in_use(path: Path, message: str) -> str:
    process = re.search(r"PID (\d+)", message)
    holder = f"process {process[1]}" if process else "another process"
    return (
        f"The store {path} is open in {holder}, probably a running Dissent server. "
        "Use the pages of that server, or stop it first."
    )


def _full(path: Path) -> str:
    return (
        f"There is no room left on the disk of the store {path.name}. Nothing of this was saved; "
        "what was saved before is safe. It goes on by itself once there is room."
    )


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def fetch(
    cursor: Cursor, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()
) -> list[dict[str, Any]]:
    """Return the rows of a query as dictionaries by column name."""
    cursor.execute(sql, dict(values) if isinstance(values, Mapping) else list(values))
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def fetch_frame(cursor: Cursor, sql: str, values: Sequence[Any] = ()) -> pd.DataFrame:
    """Return the rows of a query as a frame."""
    # By way of Arrow: pandas takes over its strings as they are, which halves the time.
    table: Any = cursor.sql(sql, params=list(values)).to_arrow_table()
    frame: pd.DataFrame = table.to_pandas(types_mapper=_STRINGS.get)
    return frame
