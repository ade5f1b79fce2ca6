"""Tables in PostgreSQL that are read in a DuckDB copy of this process.

Statements run on the copy, in a transaction of their own, while this server has the turn to write
among all servers: the copy is what PostgreSQL holds then. The rows that they write go to
PostgreSQL, and to its log for the other servers, in one transaction there. When that is committed
the copy commits, too. So a statement is written once, for DuckDB, and what PostgreSQL does not
acknowledge is nowhere.

Who appends needs no turn, only the lock on the log's head: see `core.store.shared.log`.
"""

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import duckdb
import psycopg

from core.errors import NotAllowed, StoreUnreachable
from core.store.backing import Listener
from core.store.file.database import Cursor, Rows, refuse_half
from core.store.file.fresh_file import forget_asked
from core.store.schema.migrations import MIGRATIONS, Migration
from core.store.shared.connections import Connections, Link, say_unreachable
from core.store.shared.log import (
    Entry,
    Written,
    as_arrow,
    cut_log,
    lock_and_read,
    lock_head,
    place_log,
    read_head,
    read_log,
    write_log,
    write_log_ahead,
)
from core.store.shared.mirror import Mirror
from core.store.shared.postgres import FEW, apply_to_postgres, write_vacuum
from core.store.shared.recording import Recording
from core.store.shared.shared_schema import TURN
from core.store.shared.tables import BULKY, Table

_PAUSE = 0.05
"""Seconds between two looks at the log."""

_KEPT = 30.0
"""Minutes for which the log is kept."""

_EVERY = 15.0
"""Seconds between two looks whether the store is still the one that was copied."""

_HEARD = {"labels", "aspect_labels", "topics_seen", "changes"}
"""Tables of whose changes somebody above is told."""

_APPENDED = {"labels", "aspect_labels", "preference_reasons", "passages", "labels_after_seeing"}
"""Tables to which `append` adds."""

_WAIT = 60.0
"""Seconds to wait for the turn."""

_RESPITE = 1.0
"""Seconds for which nobody waits again for a database that did not answer."""

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
    """

    def __init__(
        self,
        connections: Connections,
        name: str,
        *,
        read_only: bool = False,
        steps: Sequence[Migration] = MIGRATIONS,
    ) -> None:
        self._connections, self._name = connections, name
        self._read_only, self._steps = read_only, steps
        self._listeners: list[Listener] = []
        self._write_lock = threading.RLock()
        self._copy_lock = threading.RLock()
        self._sole: tuple[Link, int] | None = None
        self._writing = False
        self.writes = 0
        self._confirmed = time.monotonic()
        self._given_up_until = 0.0
        self._mirror = self._make_mirror()
        self._pending: list[Written] = []
        self._heard = self._mirror.position
        self._ended = threading.Event()
        self._follower = threading.Thread(target=self._keep_up, name="follower", daemon=True)
        self._follower.start()

    @property
    def path(self) -> Path:
        """The copy's file."""
        return self._mirror.database.path

    @property
    def tables(self) -> Mapping[str, Table]:
        """The tables that are shared, by name."""
        return self._mirror.tables

    def cursor(self) -> Cursor:
        """Return a connection to the copy, with all that has been heard of in it."""
        if self._pending:
            with self._copy_lock:
                self._apply()
        return self._mirror.database.cursor()

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
                    with self._transact(link, position) as cursor:
                        yield cursor
                else:
                    with self._take_turn() as link, self._transact(link, None) as cursor:
                        yield cursor
            finally:
                self._writing = False

    @contextmanager
    def append(self) -> Iterator[list[Rows]]:
        """Yield a list for new rows, which are written as one transaction at the end.

        Until then no other server appends; what they have appended is in the copy.
        """
        self._refuse_if_read_only()
        new: list[Rows] = []
        with _tell_half(), self._connections.use() as link:
            begun = time.monotonic()
            with link.patient(_WAIT):
                position, entries = lock_and_read(link, self._heard)
            with self._copy_lock:
                if entries is None:
                    self._follow(link)
                else:
                    self._hear(entries, begun)
            yield new
            if not new:
                link.rollback()
                return
            schemas = self._mirror.tables
            written = [
                Written("insert", one.table, as_arrow(schemas[one.table].schema, one))
                for one in new
            ]
            if max(one.rows.num_rows for one in written) > FEW:
                self._send(link, written, position)
            else:
                with link.pipeline():
                    self._send(link, written, position)
            with self._copy_lock:
                if self._heard == position - 1:
                    self._pending += written  # nobody who judges waits until it is in the copy
                    self._heard = position
                else:
                    self._follow(link)

    @contextmanager
    def sole(self) -> Iterator[None]:
        """Have the turn to write, and let nobody append anywhere until the `write` within ends."""
        self._refuse_if_read_only()
        with self._write_lock, self._take_turn() as link:
            self._sole = link, lock_head(link, idle="600s")
            try:
                with self._copy_lock:
                    self._follow(link)
                yield
            finally:
                if self._sole is not None:
                    self._sole = None
                    with suppress(Exception):
                        link.rollback()

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run one statement that reads on the copy, and one that writes as a transaction."""
        if sql.lstrip().upper().startswith(("INSERT", "UPDATE", "DELETE")):
            with self.write() as cursor:
                return cursor.execute(sql, list(values)).fetchall()
        return self.cursor().execute(sql, list(values)).fetchall()

    def run_together(self, statements: Iterable[tuple[str, Sequence[Any]]]) -> None:
        """Run statements with their values as one transaction."""
        with self.write() as cursor:
            for sql, values in statements:
                cursor.execute(sql, list(values))

    def listen(self, listener: Listener) -> None:
        """Have somebody told what others change; briefly, as the copy waits for them."""
        self._listeners.append(listener)

    def refresh(self) -> None:
        """Read what was committed anywhere before this call.

        Raises
        ------
        StoreUnreachable
            The database does not answer, or did not a moment ago.
        """
        begun = time.monotonic()
        with self._copy_lock:
            if self._confirmed >= begun:  # another did so while this one waited
                return
            if begun < self._given_up_until:
                raise StoreUnreachable(say_unreachable())
            try:
                with self._connections.use(timeout=1.0) as link:
                    self._follow(link)
            except StoreUnreachable:
                self._given_up_until = time.monotonic() + _RESPITE
                raise

    def behind(self) -> float:
        """Return for how many seconds the copy may lack something."""
        return time.monotonic() - self._confirmed

    def purge(self) -> None:
        """Cut the whole log, and have PostgreSQL write anew the tables that people are named in.

        Where that cannot be done now it is done when a server next opens the store.
        """
        with suppress(StoreUnreachable, psycopg.Error), self._connections.use() as link:
            link.autocommit = True
            try:
                cut_log(link, 0.0)
                with link.patient(_LONG):
                    for table in self.tables:
                        if table not in BULKY:
                            link.execute(write_vacuum(table))
            finally:
                link.autocommit = False
            with self.write() as cursor:
                forget_asked(cursor)

    def close(self) -> None:
        """Let go of the database and throw the copy away."""
        self._ended.set()
        self._follower.join()
        self._connections.close()
        self._mirror.close()

    def _refuse_if_read_only(self) -> None:
        if self._read_only:
            raise NotAllowed("This store was opened for reading only.")

    @contextmanager
    def _take_turn(self) -> Iterator[Link]:
        with self._connections.use() as link:
            with link.patient(_WAIT):
                link.execute("SELECT pg_advisory_xact_lock(%s)", [TURN])
            yield link

    @contextmanager
    def _transact(self, link: Link, position: int | None) -> Iterator[Cursor]:
        """Run a block on the copy, and write what it wrote to PostgreSQL and then to the copy."""
        with self._copy_lock:
            self._follow(link)
            mirror = self._mirror
            cursor, before = mirror.database.cursor(), mirror.database.cursor()
            for one in (cursor, before):
                one.execute("BEGIN")
                one.execute("FROM settings LIMIT 0").fetchall()  # it sees this moment from now on
        recording = Recording(cursor, before, mirror.tables)
        try:
            yield cast(Cursor, recording)
            if written := recording.written():
                self._publish(link, position, written, mirror, cursor)
            else:
                cursor.execute("COMMIT")
        finally:
            for one in (cursor, before):
                with suppress(duckdb.Error):
                    one.execute("ROLLBACK")
            if position is not None:
                self._sole = None

    def _publish(
        self,
        link: Link,
        position: int | None,
        written: Sequence[Written],
        mirror: Mirror,
        cursor: Cursor,
    ) -> None:
        apply_to_postgres(link, mirror.tables, written)
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
        with self._copy_lock:
            self._follow(link, until=position)
            link.commit()
            if self._mirror is mirror and self._heard == position - 1:
                try:
                    cursor.execute("COMMIT")
                    mirror.position = self._heard = position
                    self.writes += 1
                    return
                except duckdb.Error:
                    with suppress(duckdb.Error):
                        cursor.execute("ROLLBACK")
            self._follow(link)

    def _send(self, link: Link, written: Sequence[Written], position: int) -> None:
        apply_to_postgres(link, self._mirror.tables, written)
        write_log(link, position, written)
        link.commit()

    def _follow(self, link: Link, until: int | None = None) -> None:
        """Take over what others have committed, before a position; who calls holds the copy."""
        begun = time.monotonic()
        self._hear(
            [
                entry
                for portion in read_log(link, self._heard)
                for entry in portion
                if until is None or entry.position < until
            ],
            begun,
        )
        self._apply()

    def _hear(self, entries: Sequence[Entry], begun: float) -> None:
        """Take note of what had been committed at a moment; who calls holds the copy."""
        entries = [entry for entry in entries if entry.position > self._heard]
        if entries:
            if entries[0].position != self._heard + 1:
                self._copy_anew()
                return
            self._pending += [entry.written for entry in entries]
            self._heard = entries[-1].position
            if any(entry.written.table not in _APPENDED for entry in entries):
                self.writes += 1
            told = [entry.written.as_change() for entry in entries if entry.written.table in _HEARD]
            if told:
                for listener in self._listeners:
                    listener(told)
        self._confirmed = begun

    def _apply(self) -> None:
        """Put into the copy what has been heard of; who calls holds it."""
        if self._pending:
            try:
                self._mirror.apply(self._pending, self._heard)
            except duckdb.Error:  # whatever it was, a new copy is what PostgreSQL has
                self._copy_anew()
            self._pending = []

    def _keep_up(self) -> None:
        """Follow the log until the end; whatever goes wrong, try again."""
        while not self._ended.is_set():
            with suppress(Exception), self._connections.use() as link:
                self._watch(link)
            self._ended.wait(10 * _PAUSE)

    def _watch(self, link: Link) -> None:
        looked = 0.0
        link.autocommit = True
        try:
            while not self._ended.wait(_PAUSE):
                with self._copy_lock:
                    self._follow(link)
                if time.monotonic() > looked + _EVERY:
                    looked = time.monotonic()
                    self._look_after(link)
        finally:
            with suppress(Exception):
                link.autocommit = False

    def _look_after(self, link: Link) -> None:
        """Copy everything anew where the database is another one; cut the log."""
        with self._copy_lock:
            position, store_id = read_head(link)
            mirror = self._mirror
            if (store_id, position >= self._heard) != (mirror.store_id, True):
                self._copy_anew()
        if not self._read_only:
            cut_log(link, _KEPT)

    def _make_mirror(self) -> Mirror:
        mirror = Mirror(self._name, self._steps)
        try:
            with self._connections.use() as link:
                mirror.fill(link)
        except BaseException:
            mirror.close()
            raise
        return mirror

    def _copy_anew(self) -> None:
        """Replace the copy; everything that was computed from the one before is forgotten."""
        begun = time.monotonic()
        former, self._mirror = self._mirror, self._make_mirror()
        self._pending, self._heard = [], self._mirror.position
        former.close()
        self._confirmed = begun
        self.writes += 1
        for listener in self._listeners:
            listener(None)


@contextmanager
def _tell_half() -> Iterator[None]:
    try:
        yield
    except (duckdb.Error, UnicodeEncodeError) as error:
        refuse_half(error)
        raise
