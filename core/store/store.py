"""The store: one place that holds a project's collections, people and labels."""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar, cast

from core.errors import StoreUnreachable
from core.place import Place
from core.store.backing import CUT_OFF, Change
from core.store.events.after_seeing import AfterSeeing
from core.store.events.current_labels import CurrentLabels
from core.store.events.labels import LabelLog
from core.store.file.database import Cursor, Rows, write_insert
from core.store.opening import open_place

_MOST_REMEMBERED = 4_096
_T = TypeVar("_T")

_CHANGES = ("time", "person_id", "collection_id", "what", "subject", "detail")

TAKING = "take"
"""What the record of changes calls it when a batch goes to somebody; no page waits for it."""


def utc_now() -> datetime:
    """Return the time in UTC without a zone, as the store keeps it."""
    return datetime.now(UTC).replace(tzinfo=None)


def note_change(
    cursor: Cursor, collection_id: str, what: str, subject: str, detail: str = "", by: str = ""
) -> None:
    """Add one entry to the record of changes, within the transaction that makes the change."""
    note_changes(cursor, collection_id, [(what, subject, detail, by)])


def note_changes(
    cursor: Cursor, collection_id: str, entries: Iterable[tuple[str, str, str, str]]
) -> None:
    """Add several entries to the record of changes: each is what, subject, detail and by whom."""
    now = utc_now()
    rows = [
        (now, by, collection_id, what, subject, detail) for what, subject, detail, by in entries
    ]
    if rows:
        cursor.execute(*write_insert(Rows("changes", _CHANGES, rows)))


class Store:
    """An open store.

    Parameters
    ----------
    place : Path or Address
        Where it is: a DuckDB file or a PostgreSQL database; created with its schema when absent,
        upgraded when old.
    read_only : bool
        Neither create nor upgrade nor change anything; the schema has to be complete.
    memory : str, optional
        What the database may hold of a file at once; see `Database`.

    Attributes
    ----------
    place : Path or Address
        Where it was opened.
    labels : LabelLog
        The only way in for label events.
    after_seeing : AfterSeeing
        Who had seen what others said, of whose label events it is noted.
    current_labels : CurrentLabels
        What stands after them, for the live pages.
    notice : str
        What whoever opened the store has to be told; empty when all was well.

    Raises
    ------
    StoreInUse, StoreUnusable, StoreUnreachable
        See `Database`, `migrate` and `SharedBacking`.
    """

    def __init__(self, place: Place, *, read_only: bool = False, memory: str = "") -> None:
        self.place = place
        limits = {"memory": memory} if memory else {}
        self._backing = open_place(place, read_only=read_only, **limits)
        self.database = self._backing.database
        self.notice = self._backing.notice
        self._changes: defaultdict[str, int] = defaultdict(int)
        self._changes_lock = threading.Lock()
        self._remembered: OrderedDict[Hashable, tuple[int, object]] = OrderedDict()
        self._remembering = threading.Lock()
        self.after_seeing = AfterSeeing(self.database)
        self.labels = LabelLog(self.database, self._backing.note_labels, self.after_seeing)
        self.current_labels = CurrentLabels(self.database)
        self.database.listen(self._hear)

    @property
    def path(self) -> Path:
        """The DuckDB file that is read: the store's own, or this process's copy."""
        return self.database.path

    def cursor(self) -> Cursor:
        """Return a connection for reading."""
        return self.database.cursor()

    def remember(self, about: Hashable, read: Callable[[], _T]) -> _T:
        """Return what was read of this before, or read it: as long as nothing was written since.

        It must not depend on labels, nor on the time.
        """
        return self._remember(about, read, self.database.writes)

    def keep(self, read: Callable[..., _T], collection_id: str, *more: Hashable) -> _T:
        """Return what ``read(store, collection_id, *more)`` gives, read anew only after a change.

        Only changes of the collection count, as in ``state``; it must not depend on labels, nor on
        the time.
        """
        about = (read, collection_id, *more)
        return self._remember(about, lambda: read(self, *about[1:]), self._changes[collection_id])

    def _remember(self, about: Hashable, read: Callable[[], _T], writes: int) -> _T:
        # The counter was asked first: what is written meanwhile is seen next time.
        with self._remembering:
            held = self._remembered.get(about)
        if held is not None and held[0] == writes:
            return cast(_T, held[1])
        found = read()
        with self._remembering:
            self._remembered[about] = writes, found
            self._remembered.move_to_end(about)
            if len(self._remembered) > _MOST_REMEMBERED:
                self._remembered.popitem(last=False)
        return found

    def refresh(self) -> None:
        """Read what other servers have committed before this call.

        Raises
        ------
        StoreUnreachable
            The database does not answer: what is read stays as it was.
        """
        self.database.refresh()

    def behind(self) -> float:
        """Return for how many seconds what is read may lack what other servers committed."""
        return self.database.behind()

    def is_cut_off(self) -> bool:
        """Tell whether nobody has heard for some seconds of what other servers committed."""
        if self.behind() <= CUT_OFF:
            return False
        with suppress(StoreUnreachable):
            self.refresh()
        return self.behind() > CUT_OFF

    def require_reach(self) -> None:
        """Raise StoreUnreachable where the store is cut off: rights may have ended meanwhile."""
        if self.behind() > CUT_OFF:
            self.refresh()

    @contextmanager
    def change(
        self,
        collection_id: str,
        what: str,
        subject: str,
        detail: str | Callable[[], str] = "",
        by: str = "",
    ) -> Iterator[Cursor]:
        """Run one transaction that is recorded with its author, and wakes the live pages.

        Parameters
        ----------
        collection_id : str
            The collection that is changed; empty for the store as a whole.
        what, subject, detail : str
            What is done ("import"), to what ("topics"), and how ("22 rows from topics.tsv").
            A detail that only the transaction can tell, an old value say, is a function that is
            asked at its end.
        by : str
            The person's id; empty for the command line.
        """
        with self.database.write() as cursor:
            yield cursor
            description = detail if isinstance(detail, str) else detail()
            note_change(cursor, collection_id, what, subject, description, by)
            recorded = self._backing.count_changes(cursor)
        self._backing.note_changes(recorded)
        with self._changes_lock:
            self._changes[collection_id] += 1

    def forget(self) -> None:
        """Have everything computed again that was computed from this store before an erasure."""
        self.current_labels.forget()
        named = self.database.run("SELECT collection_id FROM collections")
        with self._changes_lock:
            for (one,) in named:
                self._changes[one] += 1

    def state(self, collection_id: str) -> tuple[int, int]:
        """Return two counters that together move whenever the collection does.

        The first is the sequence of its latest label event, the second counts its other
        changes since this process opened the store. Anything computed from a collection may
        be kept for as long as they stand still.
        """
        return self.labels.sequence(collection_id), self._changes[collection_id]

    def _hear(self, changes: Sequence[Change] | None) -> None:
        """Wake the live pages of what another server has changed."""
        if changes is None:
            self.forget()
            return
        inserted = [one for one in changes if one.rows.table == "changes" and one.kind == "insert"]
        rows = [row for one in inserted for row in one.rows.pick("collection_id", "what")]
        named = {collection_id for collection_id, what in rows if what != TAKING}
        with self._changes_lock:
            for collection_id in named:
                self._changes[collection_id] += 1

    @property
    def secret(self) -> str:
        """The store's signing key."""
        return self._backing.secret

    def close(self) -> None:
        """Finish writing and let go."""
        self._backing.close()
