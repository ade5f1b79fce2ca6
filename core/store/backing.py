"""What a store stands on: one DuckDB file, or PostgreSQL with a DuckDB copy in each server.

This is the seam. Above it nobody knows which of the two is below: statements are DuckDB's, reads
go to `cursor`, and whatever is to last goes through `write` or `append`.
"""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from core.store.file.database import Cursor, Rows

BEHIND = 2.0
"""Seconds of others' work that may be missing before whoever reads is told."""


CUT_OFF = 5.0
"""Seconds after which what is read does not tell any more who may come in: it may have ended."""


@dataclass(frozen=True)
class Change:
    """Rows of one table that another server has written, with the columns that are of use above.

    ``kind`` is "insert" (new rows), "put" (rows as they are now, by their key) or "remove" (then
    nothing is told of the rows).
    """

    kind: str
    rows: Rows


Listener = Callable[[Sequence[Change] | None], None]
"""Told what other servers have changed; None where it may be anything."""

Watcher = Callable[[Collection[str] | None], None]
"""Told, in its thread, which tables a transaction of this process wrote; None where it failed."""


class StoreDatabase(Protocol):
    """Tables, and how they are written and read."""

    @property
    def writes(self) -> int:
        """A count that moves after each `write` anywhere, once it can be read; not by appending."""

    @property
    def path(self) -> Path:
        """The DuckDB file that is read."""

    def cursor(self) -> Cursor:
        """Return a connection for reading, for one call or one thread."""

    def write(self) -> AbstractContextManager[Cursor]:
        """Run one transaction; no other such one runs anywhere meanwhile."""

    def append(self) -> AbstractContextManager[list[Rows]]:
        """Yield a list for new rows, which are written as one transaction at the end.

        It runs beside `write`, but while one is open no other is anywhere: what was appended
        before can be read, and numbers that are counted on from there are in the order of commits.
        """

    def sole(self) -> AbstractContextManager[None]:
        """Let nobody append anywhere while the one `write` inside of this is under way."""

    def hold(self, name: str) -> AbstractContextManager[Callable[[], bool]]:
        """Have a name that nobody else has anywhere meanwhile, and what tells whether it is kept.

        It ends with its holder, however that ends. Raises StoreInUse where somebody has it.
        """

    def run(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        """Run one statement as a transaction of its own."""

    def listen(self, listener: Listener) -> None:
        """Have somebody told what other servers change."""

    def watch(self, watcher: Watcher) -> None:
        """Have somebody told of what this process writes, by appending excepted, once it is read.

        While they are told of a `write` no other one begins.
        """

    def refresh(self) -> None:
        """Read what was committed anywhere before this call; raises StoreUnreachable."""

    def behind(self) -> float:
        """Return for how many seconds what is read may lack something; 0 for a file."""

    def purge(self) -> None:
        """Leave nothing of what was erased where it can be; the rest when it is next opened."""

    def close(self) -> None:
        """Write everything and let go."""


class Backing(Protocol):
    """An opened place, fit to work on."""

    @property
    def database(self) -> StoreDatabase:
        """The tables."""

    @property
    def notice(self) -> str:
        """What whoever opened the store has to be told; empty when all was well."""

    @property
    def secret(self) -> str:
        """The key that signs."""

    def note_labels(self, sequence: int) -> None:
        """Note that all label events up to a sequence are safe."""

    def count_changes(self, cursor: Cursor) -> int:
        """Return how many changes are on record, within the transaction that adds one."""

    def note_changes(self, count: int) -> None:
        """Note that so many recorded changes are safe."""

    def close(self) -> None:
        """Write everything and let go."""
