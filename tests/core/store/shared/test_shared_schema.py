"""The tables in PostgreSQL: made once, upgraded while servers of the version before go on."""

import threading
import uuid
from contextlib import closing

import pytest

from core.errors import StoreUnusable
from core.place import Address
from core.store.content.collections import create_collection, list_collections
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent
from core.store.schema.migrations import MIGRATIONS, Migration
from core.store.shared.connections import SCHEMA, Connections
from core.store.shared.shared_database import SharedBacking, has_tables
from core.store.shared.shared_schema import translate
from core.store.store import Store
from tests.core.store.shared.test_following import compare_with_database
from tests.postgres import Cluster
from tests.short import long

NEXT = (
    *MIGRATIONS,
    Migration(
        "what the next version adds",
        "ALTER TABLE collections ADD COLUMN colour VARCHAR DEFAULT 'blue'; "
        "ALTER TABLE labels ADD COLUMN mood VARCHAR DEFAULT ''; "
        "CREATE TABLE moods (collection_id VARCHAR PRIMARY KEY, mood VARCHAR NOT NULL)",
    ),
)


def open_next(address: Address, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Open a store as a server of the next version does."""
    with monkeypatch.context() as patch:
        patch.setattr(
            "core.store.store.open_place",
            lambda place, read_only: SharedBacking(place, read_only=read_only, steps=NEXT),
        )
        return Store(address)


def label(number: int) -> LabelEvent:
    key = Key("t1", f"d{number}", "page", "", "anna", 0)
    return LabelEvent(str(uuid.uuid4()), None, key, "level", 1)


def test_servers_that_start_together_make_the_tables_once(cluster: Cluster):
    address = Address(cluster.make())
    assert not has_tables(address)
    opened: list[Store] = []
    errors: list[Exception] = []

    def start() -> None:
        try:
            opened.append(Store(address))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    for one in opened:
        one.close()
    assert errors == []
    assert len(opened) == 4
    assert has_tables(address)
    with closing(Connections(address)) as connections, connections.use() as link:
        rows = link.execute(f"SELECT number FROM {SCHEMA}.migrations ORDER BY 1").fetchall()
    assert [number for (number,) in rows] == list(range(1, len(MIGRATIONS) + 1))


@long
def test_old_and_new_servers_go_on_beside_each_other(
    open_server, address: Address, monkeypatch: pytest.MonkeyPatch
):
    old = open_server()
    collection_id = create_collection(old, "Study")
    old.labels.append(collection_id, [label(1)])
    with closing(open_next(address, monkeypatch)) as new:
        new.database.run("UPDATE collections SET colour = 'red'")
        new.database.run("INSERT INTO moods VALUES (?, 'good')", [collection_id])
        new.labels.append(collection_id, [label(2)])
        old.labels.append(collection_id, [label(3)])  # it is told of columns it does not know
        with old.change(collection_id, "edit", "name") as cursor:
            cursor.execute("UPDATE collections SET name = 'Renamed'")
        create_collection(old, "Another")
        new.refresh()
        assert new.database.run("SELECT name, colour FROM collections ORDER BY name") == [
            ("Another", "blue"),
            ("Renamed", "red"),
        ]
        assert new.database.run("SELECT mood FROM labels") == [("",)] * 3
        assert {one.name for one in list_collections(old)} == {"Renamed", "Another"}
        assert len(read_labels(old, collection_id)) == 3
    compare_with_database(old, address)
    with pytest.raises(StoreUnusable, match="newer version"):
        Store(address)  # one of the version before that starts now is to be upgraded, too


def test_a_store_that_is_only_read_is_not_made(cluster: Cluster):
    address = Address(cluster.make())
    with pytest.raises(StoreUnusable, match="earlier version"):
        Store(address, read_only=True)
    assert not has_tables(address)


@long
def test_a_failing_step_leaves_everything_as_it_was(
    open_server, address: Address, monkeypatch: pytest.MonkeyPatch
):
    open_server()
    broken = (*MIGRATIONS, Migration("broken", "CREATE TABLE more (x INTEGER); SELECT 1/0"))
    with pytest.raises(Exception, match="division by zero"):
        SharedBacking(address, steps=broken)
    with closing(Connections(address)) as connections, connections.use() as link:
        (row,) = link.execute(f"SELECT to_regclass('{SCHEMA}.more')").fetchall()
    assert row == (None,)
    with closing(Store(address)) as again:
        create_collection(again, "Study")


def test_a_database_that_is_not_there_is_named(cluster: Cluster):
    with pytest.raises(StoreUnusable, match=r"nothing.* does not exist"):
        Store(Address(cluster.address("nothing")))


def test_steps_are_translated():
    (one, *_) = translate(MIGRATIONS[0].statements)
    assert one.startswith("CREATE TABLE collections")
    everything = "\n".join(part for step in MIGRATIONS for part in translate(step.statements))
    assert "DOUBLE PRECISION" in everything
    assert "CREATE VIEW" not in everything
    assert "{" not in everything
