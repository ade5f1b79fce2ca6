"""A store in PostgreSQL: reached, brought up to date, and copied for reading."""

import re
from collections.abc import Sequence
from contextlib import closing

from core.place import Address
from core.store.file.database import Cursor
from core.store.file.fresh_file import is_asked
from core.store.schema.migrations import MIGRATIONS, Migration
from core.store.shared.connections import SCHEMA, Connections
from core.store.shared.shared_database import SharedDatabase
from core.store.shared.shared_schema import count_steps, prepare

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
