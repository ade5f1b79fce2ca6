"""The same tests on PostgreSQL: what they name by a file is opened in a database of its own.

With ``--engine postgresql`` a store that a test opens by a path is one in PostgreSQL, with what the
file holds if there is one. Fixtures that last longer than a test make files, as before, and tests
take copies of them.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest

from core.errors import StoreUnreachable
from core.place import Address, Place
from core.store import store as stores
from core.store.backing import Backing
from core.store.file.database import Cursor
from core.store.move.contents import read_contents
from core.store.move.to_database import move_to_database
from core.store.opening import open_place
from core.store.shared.connections import SCHEMA, Connections
from core.store.shared.mirror import Mirror
from core.store.shared.shared_backing import SharedBacking
from tests.postgres import QUICK, Cluster

FILE = "file"


class Places:
    """Databases that stand for files."""

    def __init__(self, cluster: Cluster, *, compares: bool = False) -> None:
        self._cluster, self._compares = cluster, compares
        self._known: dict[str, Address] = {}
        self._template = self._make_template()

    def _make_template(self) -> str:
        address = Address(self._cluster.make())
        SharedBacking(address).close()
        return address.name

    def open(self, place: Place, *, read_only: bool = False) -> Backing:
        """Open the database that stands for a file; an address as usual."""
        if isinstance(place, Address):
            return open_place(place, read_only=read_only)
        name = os.path.realpath(place)
        if name not in self._known:
            has_file = Path(name).exists()
            made = self._cluster.make(template="" if has_file else self._template)
            self._known[name] = Address(made)
            if not has_file:
                give_key(self._known[name])
            if has_file:
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(stores, "open_place", open_place)
                    move_to_database(Path(name), self._known[name], lambda *_: None)
            else:
                Path(name).touch()
        opened = Compared if self._compares else SharedBacking
        return opened(self._known[name], read_only=read_only)


class Compared(SharedBacking):
    """Asserts, before it is closed, that its copy holds what a fresh one would."""

    _is_closed = False

    def close(self) -> None:
        """Compare every table, and close."""
        if self._is_closed:
            return
        self._is_closed = True
        try:
            with suppress(StoreUnreachable):
                self.database.refresh()
                compare_with_fresh(self.database.cursor(), self.address)
        finally:
            super().close()


def compare_with_fresh(held: Cursor, address: Address) -> None:
    """Assert that a copy is what a new server would copy."""
    with closing(Connections(address)) as connections, closing(Mirror("fresh")) as fresh:
        with connections.use() as link:
            fresh.fill(link)
        found = read_contents(held, fresh.tables)
        assert found == read_contents(fresh.database.cursor(), fresh.tables)


def give_key(address: Address) -> None:
    """Give a copy of a store a key of its own."""
    with closing(Connections(address)) as connections, connections.use() as link:
        link.execute(f"UPDATE {SCHEMA}.head SET secret = %s", [secrets.token_urlsafe(48)])


@contextmanager
def run_cluster() -> Iterator[Cluster]:
    """Run a cluster of which nothing is to last."""
    cluster = Cluster(*QUICK, "max_connections=200")
    try:
        yield cluster
    finally:
        cluster.close()
