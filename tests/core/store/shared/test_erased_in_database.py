"""Somebody is erased from a store in PostgreSQL: no byte is left in the files of its tables."""

from contextlib import closing

import pytest

from core.place import Address
from core.store.content.collections import create_collection
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent
from core.store.file.fresh_file import is_asked
from core.store.people.accounts import set_email
from core.store.people.erasure import erase_person
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.shared import postgres, shared_database
from core.store.shared.connections import SCHEMA, Connections
from core.store.store import Store
from tests.postgres import Cluster
from tests.short import long

NAME, GROUP = "Zebedee Quux", "Wombatologists"
COMMENT, EMAIL = "Xylophones everywhere", "zebedee@quux.example"
GONE = [text.encode() for text in (NAME, GROUP, COMMENT, EMAIL)]


@pytest.fixture
def zebedee(open_server) -> str:
    """Somebody who has judged, and was renamed, so that older rows of them are there, too."""
    store = open_server()
    add_person(store, "Olga", "organiser")
    collection = create_collection(store, "One", guidelines=f"Ask {NAME}.")
    made = add_person(store, NAME, "assessor")
    add_member(store, collection, made, NAME, group=GROUP)
    set_email(store, made, EMAIL)
    for event, comment in (
        ("0a3f1f0a-7f0e-4c55-8a58-0b57a1d9b001", COMMENT),
        ("0a3f1f0a-7f0e-4c55-8a58-0b57a1d9b002", ""),
    ):
        key = Key("t1", "d1", "page", "", made, 0)
        store.labels.append(collection, [LabelEvent(event, None, key, "level", 2, 0, comment)])
    return made


def read_files(cluster: Cluster, address: Address) -> bytes:
    """Return all that the files of a database hold, once they are written."""
    with closing(Connections(address)) as connections, connections.use() as link:
        link.execute("CHECKPOINT")
        sql = "SELECT oid FROM pg_database WHERE datname = current_database()"
        ((number,),) = link.execute(sql).fetchall()
    folder = cluster.folder / "data" / "base" / str(number)
    return b"".join(file.read_bytes() for file in folder.iterdir())


def test_no_byte_is_left_in_the_files_of_the_tables_and_of_the_log(
    zebedee: str, open_server, cluster: Cluster, address: Address
):
    before = read_files(cluster, address)
    assert all(text in before for text in GONE)
    erase_person(open_server(), zebedee)
    held = read_files(cluster, address)
    assert [text for text in GONE if text in held] == []
    with closing(Store(address)) as again:
        ((collection,),) = again.database.run("SELECT collection_id FROM collections")
        assert read_labels(again, collection)["level"].tolist() == [2]


@long
def test_what_could_not_be_written_anew_is_when_a_server_next_opens_the_store(
    zebedee: str, open_server, cluster: Cluster, address: Address, monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patch:
        patch.setattr(shared_database.SharedDatabase, "purge", lambda self: None)  # it was killed
        erase_person(open_server(), zebedee)
    held = read_files(cluster, address)
    assert all(text in held for text in GONE)
    Store(address).close()
    held = read_files(cluster, address)
    assert [text for text in GONE if text in held] == []


@long
def test_a_table_is_not_written_anew_while_somebody_reads_what_was_there(
    zebedee: str, open_server, cluster: Cluster, address: Address, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(postgres, "_READERS", 0.2)
    with closing(Connections(address)) as connections, connections.use() as link:
        link.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        link.execute(f"SELECT 1 FROM {SCHEMA}.people").fetchall()
        server = open_server()
        erase_person(server, zebedee)
        assert is_asked(server.cursor())
    Store(address).close()
    held = read_files(cluster, address)
    assert [text for text in GONE if text in held] == []
