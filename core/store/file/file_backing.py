"""A store in one file: opened with what lies beside it, checked, and brought up to date."""

import secrets
from functools import cached_property
from pathlib import Path

from core.errors import StoreInUse, StoreUnusable
from core.store.file.acknowledged import Acknowledged, count_changes
from core.store.file.database import Cursor, Database, find_file
from core.store.file.disk import put_in_place, require_access
from core.store.file.fresh_file import write_afresh_if_asked
from core.store.file.kept_logs import KeptLog, cut_logs, drop_copies, keep_logs, settle
from core.store.file.scratch import clear_leftovers, scratch_folder
from core.store.schema.catalogue import refuse_foreign
from core.store.schema.migrations import MIGRATIONS, migrate, refuse_older


class FileBacking:
    """The file of a store, and its log, key and record of what was acknowledged beside it.

    Parameters
    ----------
    path : Path
        The DuckDB file; created with its schema when absent, upgraded when old.
    read_only : bool
        Neither create nor upgrade nor change anything; the schema has to be complete.
    memory : str, optional
        What the database may hold at once; see `Database`.

    Raises
    ------
    StoreInUse, StoreUnusable
        See `Database` and `migrate`.
    """

    def __init__(self, path: Path, *, read_only: bool = False, memory: str = "") -> None:
        self._path, self.notice, self._read_only = find_file(path), "", read_only
        self._memory = memory
        if not read_only:
            require_access(self._path)
        kept = [] if read_only else keep_logs(self._path)
        self.database = self._open(kept)
        try:
            done = refuse_foreign(self.database)
            if read_only:
                refuse_older(self._path, done)
            else:
                clear_leftovers(self._path)
                if done < len(MIGRATIONS):
                    migrate(self.database)
            self._acknowledged = Acknowledged(self._path, self.database.cursor())
            if not read_only:
                self.notice = settle(self._path, kept, self._acknowledged.compare())
                self.database = write_afresh_if_asked(self.database)
        except BaseException:
            self.database.close()
            raise

    def _open(self, kept: list[KeptLog]) -> Database:
        try:
            return Database(self._path, read_only=self._read_only, memory=self._memory)
        except StoreInUse:
            drop_copies(kept)
            raise
        except StoreUnusable:
            if not cut_logs(self._path, kept):
                raise
            return Database(self._path, memory=self._memory)

    @cached_property
    def secret(self) -> str:
        """The signing key, kept beside the file in one that only its owner can read.

        A store that is only read gets no key: without one, this holds until it is closed.
        """
        file = self._path.with_name(self._path.name + ".key")
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

    def note_labels(self, sequence: int) -> None:
        """Note that all label events up to a sequence are on disk."""
        self._acknowledged.note_labels(sequence)

    def count_changes(self, cursor: Cursor) -> int:
        """Return how many changes are on record."""
        return count_changes(cursor)

    def note_changes(self, count: int) -> None:
        """Note that so many recorded changes are on disk."""
        self._acknowledged.note_changes(count)

    def close(self) -> None:
        """Finish writing and release the file."""
        self.database.close()
        self._acknowledged.close()
