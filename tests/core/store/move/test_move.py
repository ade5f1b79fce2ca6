"""A store moved to a database and back: every row, verified, resumed where it was cut off."""

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.command.check import check_place
from core.command.main import main
from core.demo import load_demo
from core.errors import BadInput, StoreUnusable
from core.place import Address
from core.settings import ROOT
from core.store.backup.backup import save_backup
from core.store.content.collections import create_collection, list_collections
from core.store.content.imports import write_import
from core.store.move import to_database, to_file
from core.store.move.contents import identify, read_contents
from core.store.move.move import move_store, restore_to
from core.store.shared import mirror
from core.store.shared.connections import SCHEMA, Connections
from core.store.shared.tables import read_tables
from core.store.store import Store
from tests.postgres import Cluster
from tests.short import few, long

pytestmark = pytest.mark.file_only


class Cut(Exception):
    """The process was killed here."""


def tell_nobody(*_: object) -> None:
    """Take no notice."""


def read(place: Path | Address) -> tuple[str, str]:
    """Return what names a store's contents, and its key."""
    with closing(Store(place)) as store:
        tables = read_tables(store.cursor())
        return identify(read_contents(store.cursor(), tables)), store.secret


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the demo, to be copied."""
    path = tmp_path_factory.mktemp("demo") / "store.duckdb"
    with closing(Store(path)) as store:
        load_demo(store)
    return path


@pytest.fixture
def demo(made: Path, tmp_path: Path) -> Path:
    path = Path(shutil.copy(made, tmp_path / "demo.duckdb"))
    with closing(Store(path)) as store:
        odd = 'A \\N and a tab\t, a quote " and\nanother line; é 😀'
        create_collection(store, "Odd", description=odd)
    return path


@pytest.fixture
def empty(cluster: Cluster) -> Address:
    return Address(cluster.make())


def test_there_and_back_nothing_changes(demo: Path, empty: Address, tmp_path: Path):
    before = read(demo)
    there = move_store(demo, empty, tell_nobody)
    assert there["labels"] > 1000
    assert read(empty) == before
    assert [one.proof for one in check_place(empty, by_use=False) if one.faults] == []
    back = tmp_path / "back.duckdb"
    assert move_store(empty, back, tell_nobody) == there
    assert read(back) == before
    assert {file.name for file in tmp_path.iterdir()} >= {"back.duckdb", "back.duckdb.key"}
    assert not [file for file in tmp_path.iterdir() if "moving" in file.name]
    assert read(demo) == before


@long
@pytest.mark.parametrize("after", [1, 5, 20])
def test_cut_off_it_goes_on_where_it_ended(
    demo: Path, empty: Address, after: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(to_database, "_AT_ONCE", 500)
    told: list[tuple[str, int, int]] = []

    def cut(*what: object) -> None:
        told.append(what)  # type: ignore[arg-type]
        if len(told) == after:
            raise Cut

    with pytest.raises(Cut):
        move_store(demo, empty, cut)
    with pytest.raises(StoreUnusable, match="is being moved"):
        Store(empty)
    again: list[tuple[str, int, int]] = []
    move_store(demo, empty, lambda *what: again.append(what))
    assert not {one[:2] for one in told} & {one[:2] for one in again}
    assert read(empty) == read(demo)


@long
def test_the_way_back_goes_on_too(demo: Path, empty: Address, tmp_path: Path):
    move_store(demo, empty, tell_nobody)
    back, told = tmp_path / "back.duckdb", []

    def cut(*what: object) -> None:
        told.append(what)
        if len(told) == 7:
            raise Cut

    with pytest.raises(Cut):
        move_store(empty, back, cut)
    assert not back.exists()
    again: list[object] = []
    move_store(empty, back, lambda *what: again.append(what))
    assert not set(told) & set(again)
    assert read(back) == read(demo)


@long
def test_a_store_that_changed_meanwhile_is_not_mixed(demo: Path, empty: Address):
    def cut(*_: object) -> None:
        raise Cut

    with pytest.raises(Cut):
        move_store(demo, empty, cut)
    with closing(Store(demo)) as store:
        create_collection(store, "Later")
    with pytest.raises(BadInput, match="has changed since"):
        move_store(demo, empty, tell_nobody)


@long
def test_nothing_is_overwritten(demo: Path, empty: Address, tmp_path: Path):
    move_store(demo, empty, tell_nobody)
    with pytest.raises(BadInput, match="there is a store"):
        move_store(demo, empty, tell_nobody)
    taken = tmp_path / "taken.duckdb"
    taken.write_text("x")
    with pytest.raises(BadInput, match="new file only"):
        move_store(empty, taken, tell_nobody)
    for one, other in ((demo, taken), (empty, empty)):
        with pytest.raises(BadInput, match="from a file to a database"):
            move_store(one, other, tell_nobody)


def test_a_store_that_somebody_uses_is_not_moved(
    open_server, address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(to_file, "_PATIENCE", 0.1)
    open_server()
    with pytest.raises(BadInput, match="stop the servers first"):
        move_store(address, tmp_path / "back.duckdb", tell_nobody)


def test_a_server_that_is_just_stopping_is_waited_for(
    open_server, address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Its connections are listed a moment longer; without the patience it would be refused."""
    counts: list[int] = []

    def count_and_stop(link) -> int:
        counts.append(counted(link))
        server.close()
        return counts[-1]

    counted = to_file._count_others
    monkeypatch.setattr(to_file, "_count_others", count_and_stop)
    server = open_server()
    with monkeypatch.context() as hasty:
        hasty.setattr(to_file, "_PATIENCE", -1.0)
        with pytest.raises(BadInput, match="stop the servers first"):
            move_store(address, tmp_path / "refused.duckdb", tell_nobody)
    server = open_server()
    counts.clear()
    move_store(address, tmp_path / "back.duckdb", tell_nobody)
    assert counts[0]
    assert counts[-1] == 0


def test_a_row_that_was_changed_on_the_way_is_noticed(
    demo: Path, empty: Address, monkeypatch: pytest.MonkeyPatch
):
    def copy_wrongly(link, table, rows) -> None:
        copied(link, table, rows)
        if table.name == "levels":
            link.execute(f"UPDATE {SCHEMA}.levels SET meaning = 'other' WHERE level = 1")

    copied = to_database.copy_rows
    monkeypatch.setattr(to_database, "copy_rows", copy_wrongly)
    with pytest.raises(BadInput, match="table levels was not moved as it is"):
        move_store(demo, empty, tell_nobody)
    with pytest.raises(StoreUnusable, match="is being moved"):
        Store(empty)


@long
def test_a_backup_of_either_is_restored_to_either(demo: Path, empty: Address, cluster: Cluster,
                                                  tmp_path: Path):  # fmt: skip
    move_store(demo, empty, tell_nobody)
    archive = tmp_path / "backup.zip"
    with closing(Store(empty)) as store:
        counts = save_backup(store, archive)
        names = [one.name for one in list_collections(store)]
    other, file = Address(cluster.make()), tmp_path / "restored.duckdb"
    for target in (other, file):
        assert restore_to(archive, target) == counts
        with closing(Store(target)) as restored:
            assert [one.name for one in list_collections(restored)] == names
    with closing(Connections(other)) as connections, connections.use() as link:
        (key,) = link.execute(f"SELECT secret FROM {SCHEMA}.head").fetchone() or ("",)
    assert key != read(empty)[1], "a restored store has a key of its own"


@long
def test_the_commands_take_an_address(
    demo: Path, empty: Address, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main(["move", "--from", str(demo), "--to", empty.url, "--format", "json"]) == 0
    assert '"labels"' in capsys.readouterr().out
    assert main(["check", empty.url]) == 0
    capsys.readouterr()
    outputs = []
    for place in (str(demo), empty.url):
        with closing(Store(demo)) as store:
            collection = list_collections(store)[0].name
        words = ["export", "labels", "--store", place, "--collection", collection]
        assert main(words) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert main(["backup", str(tmp_path / "b.zip"), "--store", empty.url]) == 0


def test_there_is_no_store_in_an_empty_database(empty: Address, capsys: pytest.CaptureFixture[str]):
    assert main(["backup", "never.zip", "--store", empty.url]) == 1
    assert "There is no store" in capsys.readouterr().err


@pytest.fixture
def with_a_long_text(tmp_path: Path) -> Path:
    """A store with a document that is longer than all that is read at once."""
    path = tmp_path / "long.duckdb"
    document = json.dumps({"id": "d", "text": "word " * 1_000_000})
    with closing(Store(path)) as store:
        documents = read_import("documents", Source("d.jsonl", document.encode()))
        write_import(store, create_collection(store, "Long"), documents)
    return path


def test_a_long_text_moves_there_and_back(with_a_long_text: Path, empty: Address, tmp_path: Path):
    before, back = read(with_a_long_text), tmp_path / "back.duckdb"
    move_store(with_a_long_text, empty, tell_nobody)
    assert read(empty) == before
    move_store(empty, back, tell_nobody)
    assert read(back) == before


@long
def test_read_in_blocks_of_a_size_it_would_not(
    with_a_long_text: Path, empty: Address, monkeypatch: pytest.MonkeyPatch
):
    def cut(copy):
        whole = b"".join(copy)
        size = mirror._AT_ONCE
        yield from (whole[at : at + size] for at in range(0, len(whole), size))

    monkeypatch.setattr(mirror, "_join_rows", cut)
    with pytest.raises(pa.ArrowInvalid):
        move_store(with_a_long_text, empty, tell_nobody)


@long
def test_long_texts_are_copied_few_at_a_time(
    demo: Path, empty: Address, monkeypatch: pytest.MonkeyPatch
):
    sizes = []

    def note(link, table, rows) -> None:
        sizes.append((table.name, rows.num_rows, rows.nbytes))
        copied(link, table, rows)

    copied = to_database.copy_rows
    monkeypatch.setattr(to_database, "copy_rows", note)
    monkeypatch.setattr(to_database, "PIECE", 20_000)
    move_store(demo, empty, tell_nobody)
    assert read(empty) == read(demo)
    documents = [size for name, _, size in sizes if name == "documents"]
    assert len(documents) > 3
    assert max(documents) < 80_000


FOREIGN = {
    "a NUL": ("UPDATE collections SET name = 'a' || chr(0)", "character NUL"),
    "no end of time": (
        "UPDATE collections SET created_at = 'infinity'",
        "table collections holds a value that PostgreSQL cannot hold",
    ),
    "before the common era": (
        "UPDATE collections SET created_at = '4000-01-01 (BC)'",
        "table collections holds a value that PostgreSQL cannot hold",
    ),
    "a long id": (
        "INSERT INTO documents BY NAME SELECT collection_id, '' AS title, '' AS url, '' AS text, "
        "'' AS html, (SELECT string_agg(md5(i::VARCHAR), '') FROM range(400) AS r(i)) "
        "AS document_id FROM collections LIMIT 1",
        "An id or a name is too long",
    ),
}
"""What a file can hold and PostgreSQL cannot, and what is said then."""


@pytest.mark.parametrize("what", few(FOREIGN))
def test_what_the_database_cannot_hold_is_refused_in_a_sentence(
    demo: Path, empty: Address, what: str
):
    statement, said = FOREIGN[what]
    with closing(duckdb.connect(demo)) as raw:
        raw.execute(statement)
    before = read(demo)
    with pytest.raises(BadInput, match=said):
        move_store(demo, empty, tell_nobody)
    assert read(demo) == before
    with pytest.raises(StoreUnusable, match="is being moved"):
        Store(empty)


KILLED = """
import os, signal, sys
from pathlib import Path
from core.place import Address
from core.settings import ROOT
from core.store.move import move
left = [int(sys.argv[3])]

def count(*_):
    left[0] -= 1
    if not left[0]:
        os.kill(os.getpid(), signal.SIGKILL)

move.move_store(Address(sys.argv[1]), Path(sys.argv[2]), count)
"""


@long
@pytest.mark.skipif(os.name != "posix", reason="kills are POSIX")
@pytest.mark.parametrize("moment", [1, 10, 40])
def test_killed_on_the_way_back_it_leaves_what_is_the_owners_and_nothing_in_the_end(
    demo: Path, empty: Address, tmp_path: Path, moment: int
):
    move_store(demo, empty, tell_nobody)
    folder = tmp_path / "there"
    folder.mkdir()
    back = folder / "back.duckdb"
    done = subprocess.run([sys.executable, "-c", KILLED, empty.url, back, str(moment)], cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    left = {file.name: file.stat().st_mode & 0o077 for file in folder.iterdir()}
    assert {"back.duckdb.moving", "back.duckdb.moving.json"} <= left.keys()
    assert not any(left.values()), left
    move_store(empty, back, tell_nobody)
    assert {file.name for file in folder.iterdir()} == {"back.duckdb", "back.duckdb.key"}
    assert not any(file.stat().st_mode & 0o077 for file in folder.iterdir())
    assert read(back) == read(demo)


def test_the_key_of_another_store_is_not_written_over(demo: Path, empty: Address, tmp_path: Path):
    move_store(demo, empty, tell_nobody)
    back, key = tmp_path / "back.duckdb", tmp_path / "back.duckdb.key"
    key.write_text("the key of a store that was lost")
    with pytest.raises(BadInput, match="the key of another store"):
        move_store(empty, back, tell_nobody)
    assert key.read_text() == "the key of a store that was lost"
    assert not back.exists()


def test_what_came_meanwhile_is_not_written_over(demo: Path, empty: Address, tmp_path: Path):
    move_store(demo, empty, tell_nobody)
    back = tmp_path / "back.duckdb"
    with pytest.raises(BadInput, match="made by something else meanwhile"):
        move_store(empty, back, lambda *_: back.write_text("somebody's"))
    assert back.read_text() == "somebody's"
