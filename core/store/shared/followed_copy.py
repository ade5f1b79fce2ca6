"""A copy of the store that keeps up with the log: what is heard of it, and then put into the copy.

Whoever appends labels does not wait until they are in the copy, only until they are heard of: who
reads has them put in first.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import duckdb

from core.errors import StoreUnreachable
from core.store.backing import Listener
from core.store.events.after_seeing import SHOWN_ITEM
from core.store.events.contributors import ATTACHMENTS
from core.store.file.database import Cursor
from core.store.schema.migrations import Migration
from core.store.shared.connections import Connections, Link, say_unreachable
from core.store.shared.log import LogEntry, Written, cut_log, read_head, read_log
from core.store.shared.mirror import Mirror
from core.store.shared.tables import TableSchema

_PAUSE = 0.05
"""Seconds between two looks at the log."""

_KEPT = 30.0
"""Minutes for which the log is kept."""

_EVERY = 15.0
"""Seconds between two looks whether the store is still the one that was copied."""

_PASSED_ON: Mapping[str, tuple[str, ...] | None] = {
    "labels": ("collection_id", "assessor_id", "sequence"),
    "aspect_labels": ("collection_id",),
    "topics_seen": ("collection_id",),
    "machine_shown": SHOWN_ITEM,
    "changes": ("collection_id", "what"),
    "slots": None,
    "rounds": (),
    "topics": (),
}
"""Tables of whose changes somebody above is told, and what of their rows: imports are long.

None: all of each row, as long as they are few.
"""

_FEW = 100

_APPENDED = {
    "labels", *(one.table for one in ATTACHMENTS), "labels_after_seeing",
    "machine_shown", "machine_requests", "machine_replies",
}  # fmt: skip
"""Tables to which rows are appended: labels, and what machines are sent and answer."""

_RESPITE = 1.0
"""Seconds for which nobody waits again for a database that did not answer."""


class FollowedCopy:
    """A copy, and a thread that follows the log for it.

    Parameters
    ----------
    connections : Connections
        Ways to the database, whose tables are there.
    name : str
        How the store is called.
    steps : sequence of Migration
        What defines the tables.
    keeps_log : bool
        Remove from the log what is old.

    Attributes
    ----------
    lock : RLock
        Held by whoever moves the copy on.
    mirror : Mirror
        The copy as it is now; another one takes its place where the log was cut too early.
    heard : int
        The position of the log up to which everything is known here.
    writes : int
        That of `StoreDatabase`.
    """

    def __init__(
        self, connections: Connections, name: str, steps: Sequence[Migration], *, keeps_log: bool
    ) -> None:
        self._connections, self._name, self._steps = connections, name, steps
        self._keeps_log = keeps_log
        self._listeners: list[Listener] = []
        self.lock = threading.RLock()
        self.writes = 0
        self._confirmed = time.monotonic()
        self._given_up_until = 0.0
        self.mirror = self._make_mirror()
        self._pending: list[Written] = []
        self.heard = self.mirror.position
        self._ended = threading.Event()
        self._follower = threading.Thread(target=self._keep_up, name="follower", daemon=True)
        self._follower.start()

    @property
    def path(self) -> Path:
        """The copy's file."""
        return self.mirror.database.path

    @property
    def tables(self) -> Mapping[str, TableSchema]:
        """The tables that are shared, by name."""
        return self.mirror.tables

    def cursor(self) -> Cursor:
        """Return a connection to the copy, with all that has been heard of in it."""
        if self._pending:
            with self.lock:
                self._apply()
        return self.mirror.database.cursor()

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
        with self.lock:
            if self._confirmed >= begun:  # another did so while this one waited
                return
            if begun < self._given_up_until:
                raise StoreUnreachable(say_unreachable())
            try:
                with self._connections.use(timeout=1.0) as link:
                    self.follow(link)
            except StoreUnreachable:
                self._given_up_until = time.monotonic() + _RESPITE
                raise

    def behind(self) -> float:
        """Return for how many seconds the copy may lack something."""
        return time.monotonic() - self._confirmed

    def close(self) -> None:
        """Follow no more, and throw the copy away."""
        self._ended.set()
        self._follower.join()
        self.mirror.close()

    def follow(self, link: Link, until: int | None = None) -> None:
        """Take over what others have committed, before a position; who calls holds the lock."""
        begun = time.monotonic()
        entries = [
            entry
            for portion in read_log(link, self.heard)
            for entry in portion
            if until is None or entry.position < until
        ]
        self.hear(entries, begun)
        self._apply()

    def hear(self, entries: Sequence[LogEntry], begun: float) -> None:
        """Take note of all that was committed at a moment; who calls holds the lock."""
        entries = [entry for entry in entries if entry.position > self.heard]
        if entries:
            if entries[0].position != self.heard + 1:
                self.copy_anew()
                return
            self._pending += [entry.written for entry in entries]
            self.heard = entries[-1].position
            if any(entry.written.table not in _APPENDED for entry in entries):
                self.writes += 1
            written = [entry.written for entry in entries if entry.written.table in _PASSED_ON]
            if changes := [one.as_change(_list_changed(one)) for one in written]:
                for listener in self._listeners:
                    listener(changes)
        self._confirmed, self._given_up_until = begun, 0.0

    def add_appended(self, link: Link, written: Sequence[Written], position: int) -> None:
        """Take note of what this process itself has appended and committed."""
        with self.lock:
            if self.heard == position - 1:
                self._pending += written
                self.heard = position
            else:  # the log was followed meanwhile
                self.follow(link)

    def commit(self, link: Link, mirror: Mirror, cursor: Cursor, position: int) -> None:
        """Commit a transaction in PostgreSQL, and then its like on the copy; holding the lock.

        ``mirror`` is what it began on. Where its like cannot be committed, or another copy has
        taken its place, it comes by the log, as others' do.
        """
        self.follow(link, until=position)
        link.commit()
        if self.mirror is mirror and self.heard == position - 1:
            try:
                cursor.execute("COMMIT")
                mirror.position = self.heard = position
                self.writes += 1
                return
            except duckdb.Error:
                with suppress(duckdb.Error):
                    cursor.execute("ROLLBACK")
        self.follow(link)

    def copy_anew(self) -> None:
        """Replace the copy, and forget what was computed from it; who calls holds the lock."""
        begun = time.monotonic()
        former, self.mirror = self.mirror, self._make_mirror()
        self._pending, self.heard = [], self.mirror.position
        former.close()
        self._confirmed, self._given_up_until = begun, 0.0
        self.writes += 1
        for listener in self._listeners:
            listener(None)

    def _apply(self) -> None:
        """Put into the copy what has been heard of."""
        if self._pending:
            try:
                self.mirror.apply(self._pending, self.heard)
            except duckdb.Error:  # whatever it was, a new copy is what PostgreSQL has
                self.copy_anew()
            self._pending = []

    def _make_mirror(self) -> Mirror:
        mirror = Mirror(self._name, self._steps)
        try:
            with self._connections.use() as link:
                mirror.fill(link)
        except BaseException:
            mirror.close()
            raise
        return mirror

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
                with self.lock:
                    self.follow(link)
                if time.monotonic() > looked + _EVERY:
                    looked = time.monotonic()
                    self._look_after(link)
        finally:
            with suppress(Exception):
                link.autocommit = False

    def _look_after(self, link: Link) -> None:
        """Copy everything anew where the database is another one; cut the log."""
        with self.lock:
            position, store_id = read_head(link)
            if store_id != self.mirror.store_id or position < self.heard:
                self.copy_anew()
        if self._keeps_log:
            cut_log(link, _KEPT)


def _list_changed(written: Written) -> Sequence[str]:
    """Return the columns of which somebody is told the rows that were written."""
    columns = _PASSED_ON[written.table]
    if written.kind == "remove":
        return ()
    if columns is None:
        columns = tuple(written.rows.column_names) if written.rows.num_rows <= _FEW else ()
    return columns
