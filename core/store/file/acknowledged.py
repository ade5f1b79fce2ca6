"""How much of a store was acknowledged, kept in a file beside it.

A log that was cut off where a transaction ends looks like a shorter log. So the store notes, after
each commit and before it is acknowledged, the sequence of the latest label event and the number of
recorded changes. The note is not flushed to disk: it outlives the process, and where the machine
itself fails it may be older than the store and claim less, never more.
"""

import os
import re
import threading
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from core.store.file.database import Cursor

_LINE = "acknowledged: label events {:>15}, changes {:>15}, of store {:>20}\n"
_PARSED = re.compile(r"acknowledged: label events +(\d+), changes +(\d+), of store +(\d+)\n")


class Counts(NamedTuple):
    """The sequence of the latest label event, and how many changes are on record."""

    labels: int
    changes: int


@dataclass(frozen=True)
class LabelComparison:
    """What was acknowledged beside what is there."""

    acknowledged: Counts
    here: Counts

    @property
    def missing(self) -> tuple[str, ...]:
        """What was acknowledged and is not there, in words; empty when all is."""
        pairs = zip(("label events", "changes"), self.acknowledged, self.here, strict=True)
        return tuple(
            f"{then - now:,} {noun}: {then:,} were acknowledged, {now:,} are there"
            for noun, then, now in pairs
            if then > now
        )


def record_of(store: Path) -> Path:
    """Return where a store keeps what it acknowledged."""
    return store.with_name(store.name + ".last")


def count_changes(cursor: Cursor) -> int:
    """Return how many changes are on record; within a transaction, its own as well."""
    row = cursor.execute("SELECT count(*) FROM changes").fetchone()
    return int(row[0]) if row else 0


class Acknowledged:
    """Takes down what a store is about to acknowledge.

    Parameters
    ----------
    store : Path
        The store's file.
    cursor : Cursor
        A connection to it, for what is there by now.
    """

    def __init__(self, store: Path, cursor: Cursor) -> None:
        self._file = record_of(store)
        # A store is known by the microsecond in which it was made: a restored one is another.
        sql = (
            "SELECT (SELECT coalesce(max(sequence), 0) FROM labels), (SELECT count(*) FROM "
            "changes), (SELECT coalesce(epoch_us(min(applied_at)), 0) FROM migrations)"
        )
        ((self._labels, self._changes, self._store),) = cursor.execute(sql).fetchall()
        self._lock = threading.Lock()
        self._handle: int | None = None

    def compare(self) -> LabelComparison | None:
        """Compare what is there with what was acknowledged; None where nothing is known of that.

        Nothing is known without the file, or where it is that of another store: of one that had
        this name before, say.
        """
        with suppress(OSError, UnicodeDecodeError):
            found = _PARSED.fullmatch(self._file.read_text(encoding="ascii"))
            if found and int(found[3]) == self._store:
                here = Counts(self._labels, self._changes)
                return LabelComparison(Counts(int(found[1]), int(found[2])), here)
        return None

    def note_labels(self, sequence: int) -> None:
        """Note that all label events up to a sequence are on disk."""
        with self._lock:
            self._labels = max(self._labels, sequence)
            self._write()

    def note_changes(self, count: int) -> None:
        """Note that so many recorded changes are on disk."""
        with self._lock:
            self._changes = max(self._changes, count)
            self._write()

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._handle is not None:
                os.close(self._handle)
                self._handle = None

    def _write(self) -> None:
        # Where it cannot be written it claims less than it could; no label waits for it.
        with suppress(OSError):
            if self._handle is None:
                self._handle = os.open(self._file, os.O_WRONLY | os.O_CREAT, 0o600)
            os.lseek(self._handle, 0, os.SEEK_SET)
            line = _LINE.format(self._labels, self._changes, self._store)
            os.write(self._handle, line.encode("ascii"))
