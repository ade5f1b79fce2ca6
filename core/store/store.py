"""The store: one file that holds a project's collections, people and labels."""

import secrets
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from core.errors import StoreInUse, StoreUnusable
from core.store.events.current_labels import CurrentLabels
from core.store.events.labels import LabelLog
from core.store.file.access import require_access
from core.store.file.acknowledged import Acknowledged, compare_acknowledged, count_changes
from core.store.file.catalogue import refuse_foreign
from core.store.file.database import Cursor, Database, find_file
from core.store.file.disk import put_in_place
from core.store.file.fresh_file import write_afresh_if_asked
from core.store.file.kept_logs import KeptLog, cut_logs, drop_copies, keep_logs, settle
from core.store.file.migrations import migrate, refuse_older
from core.store.file.scratch import clear_leftovers, scratch_folder


def utc_now() -> datetime:
    """Return the time in UTC without a zone, as the store keeps it."""
    return datetime.now(UTC).replace(tzinfo=None)


def note_change(
    cursor: Cursor, collection_id: str, what: str, subject: str, detail: str = "", by: str = ""
) -> None:
    """Add one entry to the record of changes, within the transaction that makes the change."""
    cursor.execute(
        "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?)",
        [utc_now(), by, collection_id, what, subject, detail],
    )


class Store:
    """An open store.

    Parameters
    ----------
    path : Path
        The DuckDB file; created with its schema when absent, upgraded when old.
    read_only : bool
        Neither create nor upgrade nor change anything; the schema has to be complete.

    Attributes
    ----------
    labels : LabelLog
        The only way in for label events.
    current_labels : CurrentLabels
        What stands after them, for the live pages.
    notice : str
        What whoever opened the store has to be told; empty when all was well.

    Raises
    ------
    StoreInUse, StoreUnusable
        See `Database` and `migrate`.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path, self.notice = find_file(path), ""
        self._read_only = read_only
        if not read_only:
            require_access(self.path)
        kept = [] if read_only else keep_logs(self.path)
        self.database = self._open(kept)
        try:
            done = refuse_foreign(self.database)
            if read_only:
                refuse_older(self.database, done)
            else:
                clear_leftovers(self.path)
                migrate(self.database)
                compared = compare_acknowledged(self.cursor(), self.path)
                self.notice = settle(self.path, kept, compared)
                self.database = write_afresh_if_asked(self.database)
            self._acknowledged = Acknowledged(self.path, self.cursor())
        except BaseException:
            self.database.close()
            raise
        self.labels = LabelLog(self.database, self._acknowledged.note_labels)
        self.current_labels = CurrentLabels(self.database)
        self._changes: defaultdict[str, int] = defaultdict(int)
        self._changes_lock = threading.Lock()

    def _open(self, kept: list[KeptLog]) -> Database:
        try:
            return Database(self.path, read_only=self._read_only)
        except StoreInUse:
            drop_copies(kept)
            raise
        except StoreUnusable:
            if not cut_logs(self.path, kept):
                raise
            return Database(self.path)

    def cursor(self) -> Cursor:
        """Return a connection for reading."""
        return self.database.cursor()

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
            told = detail if isinstance(detail, str) else detail()
            note_change(cursor, collection_id, what, subject, told, by)
            recorded = count_changes(cursor)
        self._acknowledged.note_changes(recorded)
        with self._changes_lock:
            self._changes[collection_id] += 1

    def forget(self) -> None:
        """Have everything computed again that was computed from this store before an erasure."""
        self.current_labels.forget()
        with self._changes_lock:
            for (one,) in self.database.run("SELECT collection_id FROM collections"):
                self._changes[one] += 1

    def state(self, collection_id: str) -> tuple[int, int]:
        """Return two counters that together move whenever the collection does.

        The first is the sequence of its latest label event, the second counts its other
        changes since this process opened the store. Anything computed from a collection may
        be kept for as long as they stand still.
        """
        return self.labels.sequence(collection_id), self._changes[collection_id]

    @cached_property
    def secret(self) -> str:
        """Return the store's signing key, kept beside it in a file only its owner can read.

        A store that is only read gets no key: without one, this holds until it is closed.
        """
        file = self.path.with_name(self.path.name + ".key")
        if file.exists() and (known := file.read_text(encoding="ascii").strip()):
            return known
        # Never seen half-written: a crash or a full disk must not leave an empty key to sign with.
        made = secrets.token_urlsafe(48)
        if self._read_only:
            return made
        with scratch_folder(file.absolute().parent) as folder:
            draft = folder / file.name
            draft.touch(mode=0o600)
            draft.write_text(made, encoding="ascii")
            put_in_place(draft, file)
        return made

    def close(self) -> None:
        """Finish writing and release the file."""
        self.database.close()
        self._acknowledged.close()
