"""One DuckDB file: connections, transactions and what goes wrong with files."""

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

from core.errors import StoreInUse, StoreUnusable

_STRINGS = {pa.string(): pd.StringDtype(na_value=np.nan)}

Cursor = duckdb.DuckDBPyConnection


class Database:
    """An open database file, shared by the threads of this process.

    Parameters
    ----------
    path : Path
        The file; created when absent.
    read_only : bool
        Leave the file and its log as they are; nothing is created.

    Raises
    ------
    StoreInUse
        Another process holds the file.
    StoreUnusable
        The file is not a DuckDB database, or cannot be read or made.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._root = _connect(path, read_only)
        self._write_lock = threading.RLock()

    def cursor(self) -> Cursor:
        """Return a connection of one's own; cheap, for one call or one thread."""
        return self._root.cursor()

    @contextmanager
    def write(self) -> Iterator[Cursor]:
        """Run one transaction at a time; commits at the end, rolls back on any error."""
        with self._write_lock, transaction(self.cursor()) as cursor:
            yield cursor

    def close(self) -> None:
        """Write everything to the file and let go of it."""
        self._root.close()


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


def _connect(path: Path, read_only: bool) -> Cursor:
    try:
        return duckdb.connect(
            str(path), read_only=read_only, config={"autoinstall_known_extensions": "false"}
        )
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


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def fetch(cursor: Cursor, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """Return the rows of a query as dictionaries by column name."""
    cursor.execute(sql, list(values))
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def fetch_frame(cursor: Cursor, sql: str, values: Sequence[Any] = ()) -> pd.DataFrame:
    """Return the rows of a query as a frame."""
    # By way of Arrow: pandas takes over its strings as they are, which halves the time.
    table: Any = cursor.sql(sql, params=list(values)).to_arrow_table()
    frame: pd.DataFrame = table.to_pandas(types_mapper=_STRINGS.get)
    return frame
