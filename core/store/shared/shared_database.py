"""Tables in PostgreSQL that are read in a DuckDB copy of this process.

Statements run on the copy, in a transaction of their own, while this server has the turn to write
among all servers: the copy is what PostgreSQL holds then. The rows that they write go to
PostgreSQL, and to its log for the other servers, in one transaction there. When that is committed
the copy commits, too. So a statement is written once, for DuckDB, and what PostgreSQL does not
acknowledge is nowhere.

Who appends needs no turn, only the lock on the log's head: see `core.store.shared.log`.
"""

import hashlib
import re
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import duckdb
import psycopg

from core.errors import NotAllowed, StoreInUse, StoreUnreachable
from core.place import Address
from core.store.backing import Listener, Watcher
from core.store.file.database import Cursor, Rows, refuse_half
from core.store.file.fresh_file import ask_to_write_afresh, forget_asked, is_asked
from core.store.schema.migrations import MIGRATIONS, Migration
from core.store.shared.connections import SCHEMA, Connections, Link
from core.store.shared.followed_copy import FollowedCopy
from core.store.shared.log import (
    LOG_TABLE,
    Written,
    as_arrow,
    cut_log,
    lock_and_read,
    lock_head,
    place_log,
    write_log,
    write_log_ahead,
)
from core.store.shared.postgres import (
    FEW,
    apply_to_postgres,
    wait_for_readers,
    write_vacuum,
)
from core.store.shared.recording import Recording
from core.store.shared.shared_schema import TURN, count_steps, prepare
from core.store.shared.tables import BULKY, TableSchema

_WAIT = 60.0
"""Seconds to wait for the turn."""

_LONG = 600.0
"""Seconds that writing a table anew may take."""

_MANY = 2_000
"""Rows from which on what a transaction wrote is sent before it waits to commit."""


class SharedDatabase:
    """The tables of a store in PostgreSQL, and this process's copy of them.

    Parameters
    ----------
    connections : Connections
        Ways to the database, whose tables are there.
    name : str
        How the store is called.
    read_only : bool
        Refuse to write.
    steps : sequence of Migration
        What defines the tables.

    Attributes
    ----------
    copy : FollowedCopy
        What is read.
    """

    def __init__(
        self,
        connections: Connections,
        name: str,
        *,
        read_only: bool = False,
        steps: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self._connections, self._read_only = connections, read_only
        self._write_lock = threading.RLock()
        self._sole: tuple[Link, int] | None = None
        self._writing = False
        self._watchers: list[Watcher] = []
        self.copy = FollowedCopy(connections, name, steps, keeps_log=not read_only)

    @property
    def path(self) -> Path:
        """The copy's file."""
        return self.copy.path

    @property
    def tables(self) -> Mapping[str, TableSchema]:
        """The tables that are shared, by name."""
        return self.copy.tables

    @property
    def writes(self) -> int:
        """That of `StoreDatabase`."""
        return self.copy.writes

    def cursor(self) -> Cursor:
        """Return a connection to the copy."""
        return self.copy.cursor()

    @contextmanager
    def write(self) -> Iterator[Cursor]:
        """Run one transaction while no other server runs one.

        Raises
        ------
        StoreUnreachable
            The database went away. Where that was during the commit it is not known whether it
            was done: it is read again once the database is back.
        """
        self._refuse_if_read_only()
        with self._write_lock, _tell_half():
            if self._writing:
                raise RuntimeError("a transaction cannot begin inside another one")
            self._writing = True
            try:
                if self._sole is not None:
                    link, position = self._sole
                    with self._transact(link, position) as recording:
                        yield cast(Cursor, recording)
                else:
                    with self._take_turn() as link, self._transact(link, None) as recording:
                        yield cast(Cursor, recording)
            except BaseException:
                self._tell(None)
                raise
            finally:
                self._writing = False
            self._tell({one.table for one in recording.written})

    @contextmanager
    def append(self) -> Iterator[list[Rows]]:
        """Yield a list for new rows, which are written as one transaction at the end.

        Until then no other server appends; what they have appended can be read.
        """
        self._refuse_if_read_only()
        new: list[Rows] = []
        with _tell_half(), self._connections.use() as link:
            begun = time.monotonic()
            with link.patient(_WAIT):
                position, entries = lock_and_read(link, self.copy.heard)
            with self.copy.lock:
                if entries is None:
                    self.copy.follow(link)
                else:
                    self.copy.hear(entries, begun)
            yield new
            if not new:
                link.rollback()
                return
            written = [
                Written("insert", one.table, as_arrow(self.tables[one.table].schema, one))
                for one in new
            ]
            if max(one.rows.num_rows for one in written) > FEW:
                self._send(link, written, position)
            else:
                with link.pipeline():
                    self._send(link, written, position)
            self.copy.add_appended(link, written, position)

    @contextmanager
    def sole(self) -> Iterator[None]:
        """Have the turn to write, and let nobody append anywhere until the `write` within ends."""
        self._refuse_if_read_only()
        with self._write_lock, self._take_turn() as link:
            self._sole = link, lock_head(link, idle="600s")
            try:
                with self.copy.lock:
                    self.copy.follow(link)
                yield
            finally:
                if self._sole is not None:
                    self._sole = None
                    with suppress(Exception):
                        link.rollback()

    @contextmanager
    def hold(self, name: str) -> Iterator[Callable[[], bool]]:
        """Have a name among all servers, by a lock that ends with a connection of its own."""
        number = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), signed=True)
        using = threading.Lock()
        with self._connections.own() as link:
            row = link.execute("SELECT pg_try_advisory_lock(%s)", [number]).fetchone()
            if row is None or not row[0]:
                raise StoreInUse(f"Something else holds {name}.")

            def is_held() -> bool:
                with using, suppress(psycopg.Error):
                    link.execute("SELECT 1")
                    return True
                return False

            try:
                yield is_held
            finally:
                # Else it would be let go a moment after the connection has ended.
                with using, suppress(psycopg.Error):
                    link.execute("SELECT pg_advisory_unlock(%s)", [number])

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run one statement that reads on the copy, and one that writes as a transaction."""
        if sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE")):
            with self.write() as cursor:
                return cursor.execute(sql, list(values)).fetchall()
        return self.cursor().execute(sql, list(values)).fetchall()

    def listen(self, listener: Listener) -> None:
        """Have somebody told what others change; briefly, as the copy waits for them."""
        self.copy.listen(listener)

    def watch(self, watcher: Watcher) -> None:
        """Have somebody told which tables each `write` wrote; None: it failed."""
        self._watchers.append(watcher)

    def refresh(self) -> None:
        """Read what was committed anywhere before this call; raises StoreUnreachable."""
        self.copy.refresh()

    def behind(self) -> float:
        """Return for how many seconds the copy may lack something."""
        return self.copy.behind()

    def purge(self) -> None:
        """Cut the whole log, and have PostgreSQL write it and the tables with people anew.

        Where that cannot be done now it is done when a server next opens the store.
        """
        with suppress(StoreUnreachable, psycopg.Error), self._connections.use() as link:
            with self.write() as cursor:
                ask_to_write_afresh(cursor)  # the last entry of a log stays: it is not the erasing
            link.autocommit = True
            try:
                cut_log(link, 0.0)
                if not wait_for_readers(link):
                    return
                with link.patient(_LONG):
                    for table in (LOG_TABLE, *(one for one in self.tables if one not in BULKY)):
                        link.execute(write_vacuum(table))
            finally:
                link.autocommit = False
            with self.write() as cursor:
                forget_asked(cursor)

    def close(self) -> None:
        """Let go of the database and throw the copy away."""
        self.copy.close()
        self._connections.close()

    def _refuse_if_read_only(self) -> None:
        if self._read_only:
            raise NotAllowed("This store was opened for reading only.")

    def _tell(self, tables: Collection[str] | None) -> None:
        for watcher in self._watchers:
            watcher(tables)

    @contextmanager
    def _take_turn(self) -> Iterator[Link]:
        with self._connections.use() as link:
            with link.patient(_WAIT):
                link.execute("SELECT pg_advisory_xact_lock(%s)", [TURN])
            yield link

    @contextmanager
    def _transact(self, link: Link, position: int | None) -> Iterator[Recording]:
        """Run a block on the copy, and write what it wrote to PostgreSQL and then to the copy."""
        with self.copy.lock:
            self.copy.follow(link)
            mirror = self.copy.mirror
            cursor, before = mirror.database.cursor(), mirror.database.cursor()
            for one in (cursor, before):
                one.execute("BEGIN")
                one.execute("FROM settings LIMIT 0").fetchall()  # it sees this moment from now on
        recording = Recording(cursor, before, mirror.tables)
        try:
            yield recording
            if written := recording.end():
                position = self._write_down(link, written, position)
                with self.copy.lock:
                    self.copy.commit(link, mirror, cursor, position)
            else:
                cursor.execute("COMMIT")
        finally:
            for one in (cursor, before):
                with suppress(duckdb.Error):
                    one.execute("ROLLBACK")
            self._sole = None

    def _write_down(self, link: Link, written: Sequence[Written], position: int | None) -> int:
        """Write to tables and log what is to be committed next; returns its position."""
        apply_to_postgres(link, self.tables, written)
        stand_in = None
        if sum(one.rows.num_rows for one in written) > _MANY:
            stand_in = write_log_ahead(link, written)
        if position is None:
            with link.patient(_WAIT):
                position = lock_head(link)
        if stand_in is None:
            write_log(link, position, written)
        else:
            place_log(link, stand_in, position)
        return position

    def _send(self, link: Link, written: Sequence[Written], position: int) -> None:
        apply_to_postgres(link, self.tables, written)
        write_log(link, position, written)
        link.commit()


@contextmanager
def _tell_half() -> Iterator[None]:
    try:
        yield
    except (duckdb.Error, UnicodeEncodeError) as error:
        refuse_half(error)
        raise


_FOREIGN = re.compile(r"[^\w.-]")
"""What is not in the names of files."""


class SharedBacking:
    """A database that several servers share.

    Parameters
    ----------
    address : Address
        Where it is.
    read_only : bool
        Change nothing; the schema has to be complete.

    Raises
    ------
    StoreUnreachable, StoreUnusable
        See `Connections` and `prepare`.
    """

    def __init__(
        self,
        address: Address,
        *,
        read_only: bool = False,
        steps: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self.notice, self.address = "", address
        self._connections = Connections(address)
        try:
            with self._connections.use() as link:
                prepare(link, address, steps, read_only=read_only)
                row = link.execute(f"SELECT secret FROM {SCHEMA}.head").fetchone()
            self.secret = str(row[0]) if row else ""
            self.database = SharedDatabase(
                self._connections, _FOREIGN.sub("_", address.name), read_only=read_only, steps=steps
            )
        except BaseException:
            self._connections.close()
            raise
        if not read_only and is_asked(self.database.cursor()):
            self.database.purge()

    def note_labels(self, sequence: int) -> None:
        """Do nothing: the database remembers what it has acknowledged."""

    def count_changes(self, cursor: Cursor) -> int:
        """Return 0: see `note_labels`."""
        return 0

    def note_changes(self, count: int) -> None:
        """Do nothing: see `note_labels`."""

    def close(self) -> None:
        """Let go of the database."""
        self.database.close()


def has_tables(address: Address) -> bool:
    """Tell whether there is a store at an address."""
    with closing(Connections(address)) as connections, connections.use() as link:
        return count_steps(link) > 0
