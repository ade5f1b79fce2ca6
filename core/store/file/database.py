"""One DuckDB file: connections, transactions and what goes wrong with files."""

import os
import re
import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

from core.errors import BadInput, StoreFull, StoreInUse, StoreUnusable
from core.language.translate import t
from core.store.file.disk import SPARE, lacks_room, no_room
from core.store.file.file_blocks import count_entries
from core.store.file.log_names import LogNames, take_outdated_away
from core.store.file.scratch import scratch_place
from core.store.file.statement import read_statement
from core.store.file.write_ahead_log import log_of

_STRINGS = {pa.string(): pd.StringDtype(na_value=np.nan)}

_HALF = re.compile("cannot encode str as UTF-8, surrogate|surrogates not allowed")
_NEVER, _USUAL = "1TB", "16MB"
"""How long the log may grow before it is merged into the file: without end, or DuckDB's default."""

_CALM = 300.0

_FEW = 50
"""As many rows are inserted value by value; of more, DuckDB would take long to read the marks."""

_OPENING = threading.Lock()
"""Held by who opens a file: nobody reads meanwhile what it defines, see `count_entries`."""

Cursor = duckdb.DuckDBPyConnection
UNREADABLE = (duckdb.Error, UnicodeDecodeError)
"""What reading damaged data raises: what DuckDB says of it may hold bytes that are no text."""


class Noting:
    """A cursor that takes down which tables its statements write."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self.tables: set[str] = set()

    def execute(self, sql: str, values: Any = None) -> Self:
        """Run one statement."""
        self._note(sql)
        self._cursor.execute(sql, values)
        return self

    def executemany(self, sql: str, rows: Sequence[Any]) -> Self:
        """Run one statement for each of several lists of values."""
        self._note(sql)
        self._cursor.executemany(sql, rows)
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)

    def _note(self, sql: str) -> None:
        if statement := read_statement(sql):
            self.tables.add(statement.table)


class Rows(NamedTuple):
    """Rows of a table, with the names of the columns that they have."""

    table: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    def pick(self, *names: str) -> list[tuple[Any, ...]]:
        """Return some columns of each row; raises ValueError where one is not there."""
        places = [self.columns.index(name) for name in names]
        return [tuple(row[place] for place in places) for row in self.rows]


def write_insert(new: Rows) -> tuple[str, list[Any]]:
    """Return the statement that adds rows, in either engine, and its values one by one."""
    marks = f"({', '.join('?' * len(new.columns))})"
    values = [value for row in new.rows for value in row]
    return f"{_into(new)} VALUES {', '.join([marks] * len(new.rows))}", values


def write_columns(new: Rows) -> tuple[str, list[Any]]:
    """Return the statement that adds rows to DuckDB, and a list of values for each column."""
    columns = [list(column) for column in zip(*new.rows, strict=True)]
    return f"{_into(new)} SELECT {', '.join(['unnest(?)'] * len(columns))}", columns


def _into(new: Rows) -> str:
    names = ", ".join(f'"{name}"' for name in new.columns)
    return f"INSERT INTO {new.table} ({names})"


def find_file(path: Path) -> Path:
    """Return the file that a path leads to by links: beside it lie its log and its key.

    Raises
    ------
    StoreUnusable
        A log or a key lies beside the link, where nobody would look for it.
    """
    file = Path(os.path.realpath(path))
    for suffix in (".wal", ".key"):
        own, stray = (Path(f"{place}{suffix}") for place in (file, path))
        if stray.exists() and not own.exists():
            raise StoreUnusable(
                f"{path} is a link to {file}, and {stray.name} lies beside the link: move it "
                f"beside the store, to {own}, or it is not used."
            )
    return file


class Database:
    """An open database file, shared by the threads of this process.

    It reads and writes no other file than its own and those in scratch folders beside it,
    whatever it is asked, and takes no other settings.

    Parameters
    ----------
    path : Path
        The file, or a link to it; created when absent.
    read_only : bool
        Leave the file and its log as they are; nothing is created. Otherwise, while it is open,
        every new file of this process is for its owner only.
    memory : str, optional
        What it may hold at once, such as ``256MiB``, beside what waits on disk; DuckDB's default
        without it.

    Attributes
    ----------
    entries : int or None
        How many things the file defined when it was opened; see `count_entries`.

    Raises
    ------
    StoreInUse
        Another process holds the file.
    StoreUnusable
        The file is not a DuckDB database, or cannot be read or made.
    """

    def __init__(self, path: Path, *, read_only: bool = False, memory: str = "") -> None:
        self.path, self._read_only = find_file(path), read_only
        self.writes = 0
        self._merges = _USUAL
        self._calm_at = 0.0
        self._opening = threading.Lock()
        self._log_names = LogNames(self.path)
        # The file, its log and what it spills are made at any time while it is open.
        self._umask = None if read_only else os.umask(0o077)
        try:
            with _OPENING:
                _refuse_others(self.path)
                self.entries = count_entries(self.path)
                options = {"checkpoint_threshold": _USUAL}
                options |= {"memory_limit": memory} if memory else {}
                self._root = _connect(self.path, read_only, options)
        except BaseException:
            self._restore_umask()
            raise
        self._write_lock = threading.RLock()
        self._watchers: list[Callable[[Collection[str] | None], None]] = []
        self._held: set[str] = set()

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
        BadInput
            A text holds half a character, as JSON can escape one; nothing was changed.
        """
        with self._write_lock:
            try:
                with self._survive(), transaction(self.cursor()) as cursor:
                    noting = Noting(cursor)
                    yield cast(Cursor, noting)
            except BaseException:
                self._tell(None)
                raise
            self.writes += 1
            self._tell(noting.tables)

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run one statement as a transaction of its own, beside others; raises StoreFull."""
        with self._survive():
            rows = self.cursor().execute(sql, list(values)).fetchall()
        if statement := read_statement(sql):
            self._tell({statement.table})
        return rows

    def run_together(self, statements: Iterable[tuple[str, Sequence[Any]]]) -> None:
        """Run statements with their values as one transaction, beside others.

        Raises StoreFull; nothing was changed then.
        """
        with self._survive(), transaction(self.cursor()) as cursor:
            for sql, values in statements:
                cursor.execute(sql, list(values))

    @contextmanager
    def append(self) -> Iterator[list[Rows]]:
        """Yield a list for new rows, which are written as one transaction at the end.

        Raises StoreFull; nothing was written then.
        """
        new: list[Rows] = []
        yield new
        statements = [
            write_columns(one) if len(one.rows) > _FEW else write_insert(one) for one in new
        ]
        if len(statements) == 1:
            self.run(*statements[0])
        elif statements:
            self.run_together(statements)

    @contextmanager
    def sole(self) -> Iterator[None]:
        """Do nothing: who appends in this process waits for each other above."""
        yield

    @contextmanager
    def hold(self, name: str) -> Iterator[Callable[[], bool]]:
        """Have a name among all threads of this process, as no other has the file."""
        with self._opening:
            if name in self._held:
                raise StoreInUse(f"Something else holds {name}.")
            self._held.add(name)
        try:
            yield lambda: True
        finally:
            with self._opening:
                self._held.discard(name)

    def listen(self, listener: object) -> None:
        """Do nothing: nobody else writes to the file."""

    def watch(self, watcher: Callable[[Collection[str] | None], None]) -> None:
        """Have somebody told which tables each transaction wrote; None: it failed."""
        self._watchers.append(watcher)

    def _tell(self, tables: Collection[str] | None) -> None:
        for watcher in self._watchers:
            watcher(tables)

    def refresh(self) -> None:
        """Do nothing: what was committed is read."""

    def purge(self) -> None:
        """Have the log merged into the file, unless somebody is reading."""
        with suppress(duckdb.Error):
            self.cursor().execute("CHECKPOINT")

    def behind(self) -> float:
        """Return 0: what was committed is read."""
        return 0.0

    def close(self) -> None:
        """Write everything to the file and let go of it."""
        self._root.close()
        self._log_names.close()
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
            self._log_names.flush_changes()
        except duckdb.Error as error:
            if isinstance(error, duckdb.FatalException | duckdb.ConnectionException):
                self._open_again(root)
            if lacks_room(error):
                raise StoreFull(_full(self.path)) from error
            refuse_half(error)
            raise

    def _pace_merges(self) -> None:
        """Merge the log into the file only while the disk has room for a second copy of both.

        A merge that runs out of room ends the database for reading, too; a log that cannot
        grow refuses one transaction.
        """
        if self._read_only:
            return
        files = (self.path, log_of(self.path))
        size = sum(file.stat().st_size for file in files if file.exists())
        roomy = shutil.disk_usage(self.path.parent).free > size + SPARE
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


def _refuse_others(file: Path) -> None:
    """Raise StoreUnusable for what is no file, or has several names.

    StoreInUse where one with several names is open by another.
    """
    if file.exists() and not file.is_file():  # a pipe would be waited for
        raise StoreUnusable(f"{file} is no file, and so no store.")
    if file.is_file() and (names := file.stat().st_nlink) > 1:
        _connect(file, True, {}).close()
        raise StoreUnusable(
            f"{file} has {names} names (hard links), and what was saved last lies in a log beside "
            "one of them. Copy it together with its log and open the copy, or remove the others."
        )


def _connect(path: Path, read_only: bool, options: Mapping[str, str]) -> Cursor:
    config: dict[str, Any] = {"autoinstall_known_extensions": "false", **options}
    try:
        root = duckdb.connect(str(path), read_only=read_only, config=config)
        _shut_off(root, path)
        return root
    except duckdb.Error as error:
        if "set lock" in str(error):
            raise StoreInUse(_in_use(path, str(error))) from error
        if lacks_room(error):
            raise no_room(path.parent) from error
        if not read_only and take_outdated_away(path, str(error)):
            return _connect(path, read_only, options)
        raise StoreUnusable(f"The store {path} cannot be opened: {first_line(error)}") from error


def _shut_off(root: Cursor, path: Path) -> None:
    """Let a connection reach its own files and scratch folders only; the file may be hostile.

    The order counts, so these cannot be options of the connection. They are values, as even what
    makes a list of literals is a function, which the file may have defined anew.
    """
    for name, value in (
        ("allowed_directories", [str(scratch_place(path.parent))]),
        ("enable_external_access", False),
        ("allowed_configs", ["checkpoint_threshold"]),
        ("lock_configuration", True),
    ):
        root.execute(f"SET GLOBAL {name} = ?", [value])


def _in_use(path: Path, message: str) -> str:
    process = re.search(r"PID (\d+)", message)
    holder = f"process {process[1]}" if process else "another process"
    return (
        f"The store {path} is open in {holder}, probably a running Dissent server. "
        "Use the pages of that server, or stop it first."
    )


def _full(path: Path) -> str:
    return t(
        "There is no room left on the disk of the store {name}. Nothing of this was saved; "
        "what was saved before is safe. It goes on by itself once there is room.",
        name=path.name,
    )


def first_line(error: Exception) -> str:
    """Return what an error says first: the database adds where in its own code it came up."""
    return str(error).partition("\n")[0]


def refuse_half(error: Exception) -> None:
    """Raise BadInput where an error says that a text holds half a character."""
    if _HALF.search(str(error)):
        raise BadInput(
            t("a text holds half a character, as a cut emoji leaves it, and cannot be stored")
        ) from error


def fetch(
    cursor: Cursor, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()
) -> list[dict[str, Any]]:
    """Return the rows of a query as dictionaries by column name.

    Raises
    ------
    BadInput
        A value is a text with half a character.
    """
    try:
        cursor.execute(sql, dict(values) if isinstance(values, Mapping) else list(values))
    except duckdb.InvalidInputException as error:
        refuse_half(error)
        raise
    names = [column[0] for column in cursor.description or []]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def fetch_frame(cursor: Cursor, sql: str, values: Sequence[Any] = ()) -> pd.DataFrame:
    """Return the rows of a query as a frame."""
    # By way of Arrow: pandas takes over its strings as they are, which halves the time.
    table: Any = cursor.sql(sql, params=list(values)).to_arrow_table()
    frame: pd.DataFrame = table.to_pandas(types_mapper=_STRINGS.get)
    return frame
