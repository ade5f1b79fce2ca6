"""The same tests on PostgreSQL: what they name by a file is opened in a database of its own.

With ``--engine postgresql`` a store that a test opens by a path is one in PostgreSQL, with what the
file holds if there is one. Fixtures that last longer than a test make files, as before, and tests
take copies of them.
"""

import hashlib
import os
import secrets
import shutil
import tempfile
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
from core.store.shared.shared_database import SharedBacking
from tests.postgres import QUICK, Cluster

FILE = "file"


class Places:
    """Databases that stand for files."""

    def __init__(self, cluster: Cluster, *, compares: bool = False) -> None:
        self._cluster, self._compares = cluster, compares
        self._known: dict[str, Address] = {}
        self._moved: dict[bytes, str] = {}
        self._template = self._make_template()

    def _make_template(self) -> str:
        address = Address(self._cluster.make())
        SharedBacking(address).close()
        return address.name

    def open(self, place: Place, *, read_only: bool = False, memory: str = "") -> Backing:
        """Open the database that stands for a file, which needs no limit; an address as usual."""
        if isinstance(place, Address):
            return open_place(place, read_only=read_only)
        name = os.path.realpath(place)
        if name not in self._known:
            self._known[name] = self._make(Path(name))
            Path(name).touch()
        opened = Compared if self._compares else SharedBacking
        return opened(self._known[name], read_only=read_only)

    def drop(self) -> None:
        """Remove the databases of a test that is over; what others are copies of stays."""
        for address in self._known.values():
            self._cluster.drop(address.name)
        self._known.clear()

    def _make(self, file: Path) -> Address:
        """Make a database with what a file holds; with no file, that of an empty store.

        Most files are copies of few: each is moved once, and its database copied then.
        """
        if any(file.with_name(file.name + ending).exists() for ending in (".wal", ".key")):
            return self._move(file)
        template = self._template
        if file.exists():
            content = hashlib.sha256(file.read_bytes()).digest()
            if content not in self._moved:
                with tempfile.TemporaryDirectory() as folder:
                    self._moved[content] = self._move(Path(shutil.copy(file, folder))).name
            template = self._moved[content]
        made = Address(self._cluster.make(template=template))
        give_key(made)
        return made

    def _move(self, file: Path) -> Address:
        made = Address(self._cluster.make())
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(stores, "open_place", open_place)
            move_to_database(file, made, lambda *_: None)
        return made


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
