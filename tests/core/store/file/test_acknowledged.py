"""A log that lost its end is noticed: what was acknowledged is kept beside the store."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.command.check import check_store
from core.settings import ROOT
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.file.acknowledged import Acknowledged, Counts, record_of
from core.store.file.write_ahead_log import _find_first, _read_entry, log_of
from core.store.store import Store
from tests.short import few, long

LABELS = 20


def add_label(store: Store, collection_id: str = "c") -> None:
    key = Key("t", str(uuid.uuid4()), "page", "", "anna", 0)
    store.labels.append(collection_id, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])


def read_record(path: Path) -> Counts:
    with closing(Store(path, read_only=True)) as store:
        compared = Acknowledged(path, store.cursor()).compare()
    assert compared is not None
    return compared.acknowledged


def find_ends(log: Path) -> list[int]:
    """Return where the entries of a log end: three for each label."""
    content, ends = log.read_bytes(), []
    place = _find_first(content)
    while place < len(content):
        place, is_sound = _read_entry(content, place)
        assert is_sound
        ends.append(place)
    return ends


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a server leaves that was killed: labels that are in its log only."""
    script = (
        "import os, signal, sys, uuid; from pathlib import Path\n"
        "from tests.core.store.file.test_acknowledged import *\n"
        "store = Store(Path(sys.argv[1]))\n"
        f"for _ in range({LABELS}): add_label(store)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    path = tmp_path_factory.mktemp("killed") / "s.duckdb"
    with closing(Store(path)) as store:
        create_collection(store, "Study")
    ended = subprocess.run([sys.executable, "-c", script, str(path)], cwd=ROOT)
    assert ended.returncode == -signal.SIGKILL
    return path


@pytest.fixture
def path(killed: Path, tmp_path: Path) -> Path:
    for file in killed.parent.iterdir():
        shutil.copy2(file, tmp_path)
    return tmp_path / killed.name


def cut(log: Path, length: int) -> None:
    with log.open("r+b") as stream:
        stream.truncate(length)


def find_faults(path: Path) -> set[str]:
    return {one.proof for one in check_store(path, by_use=False) if one.faults}


def count_labels(path: Path) -> int:
    with closing(Store(path, read_only=True)) as store:
        return store.cursor().execute("SELECT count(*) FROM labels").fetchone()[0]


def test_a_killed_store_has_all_that_it_acknowledged(path: Path):
    assert read_record(path) == Counts(LABELS, 1)
    assert "acknowledged" not in find_faults(path)
    with closing(Store(path)) as store:
        assert store.notice == ""
    assert not list(path.parent.glob("*.torn-*"))


CUTS = {
    "at the end of a transaction": lambda log: find_ends(log)[-10],
    "between the entries of a transaction": lambda log: find_ends(log)[-9],
    "within an entry": lambda log: find_ends(log)[-10] + 5,
    "after the first entry": lambda log: _find_first(log.read_bytes()),
    "altogether": lambda _: 0,
}


@pytest.mark.parametrize("where", few(CUTS))
def test_a_log_that_was_cut_is_a_fault_and_told_as_it_is_opened(path: Path, where: str):
    log = log_of(path)
    cut(log, CUTS[where](log))
    before, left = log.read_bytes(), count_labels(path)
    assert left < LABELS
    assert "acknowledged" in find_faults(path)
    with closing(Store(path)) as store:
        assert f"{LABELS - left} label events: {LABELS} were acknowledged" in store.notice
        assert "A backup may have the rest" in store.notice
    copies = list(path.parent.glob("*.torn-*"))
    is_torn = where in ("between the entries of a transaction", "within an entry")
    assert [copy.read_bytes() for copy in copies] == ([before] if is_torn else [])
    assert all(copy.name in store.notice for copy in copies)
    assert "acknowledged" in find_faults(path)  # until more is acknowledged


@long
@pytest.mark.parametrize("where", CUTS)
def test_without_its_guard_a_cut_log_is_whole(
    path: Path, where: str, monkeypatch: pytest.MonkeyPatch
):
    """Only then does the test above prove anything."""
    cut(log_of(path), CUTS[where](log_of(path)))
    record_of(path).unlink()
    assert "acknowledged" not in find_faults(path)


@long
def test_a_log_that_is_lost_is_noticed(path: Path):
    log_of(path).unlink()
    assert "acknowledged" in find_faults(path)


@long
def test_an_older_copy_of_the_store_is_noticed_until_that_is_meant(path: Path, tmp_path: Path):
    older = tmp_path / "older"
    shutil.copy(path, older)
    with closing(Store(path)):
        pass  # its log is merged into it
    shutil.copy(older, path)
    with closing(Store(path)) as store:
        assert f"remove {record_of(path).name}" in store.notice
    record_of(path).unlink()
    with closing(Store(path)) as store:
        assert store.notice == ""


@long
def test_a_torn_log_that_lost_nothing_acknowledged_is_no_matter(path: Path):
    """As a machine leaves it that fails while it writes: what was not acknowledged is left out."""
    with log_of(path).open("ab") as stream:
        stream.write(b"\x30\x00\x00\x00\x00\x00\x00\x00half of an ent")
    assert not {"log", "acknowledged"} & find_faults(path)
    with closing(Store(path)) as store:
        assert store.notice == ""
    assert not list(path.parent.glob("*.torn-*"))


def test_a_torn_log_is_kept_where_nothing_is_known_of_what_was_acknowledged(path: Path):
    record_of(path).unlink()
    cut(log_of(path), log_of(path).stat().st_size - 3)
    with closing(Store(path)) as store:
        (copy,) = path.parent.glob("*.torn-*")
        assert copy.name in store.notice


@long
@pytest.mark.parametrize("content", [b"", b"anything", b"\xff\xfe", bytes(200)])
def test_a_record_that_cannot_be_read_is_not_compared(path: Path, content: bytes):
    record_of(path).write_bytes(content)
    log_of(path).unlink()
    (found,) = [one for one in check_store(path, by_use=False) if one.proof == "acknowledged"]
    assert not found.faults
    assert "what was acknowledged is not known" in found.notes[0]


@long
def test_the_record_of_another_store_of_the_same_name_is_not_compared(path: Path):
    record = record_of(path).read_bytes()
    for file in (path, log_of(path)):
        file.unlink()
    with closing(Store(path)) as store:
        assert store.notice == ""
    record_of(path).write_bytes(record)
    assert "acknowledged" not in find_faults(path)


def test_it_is_written_before_anything_is_acknowledged(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    """And after it is on disk: by an event, an import, a change."""
    noted: list[tuple[int, int]] = []
    write = Acknowledged._write

    def watch(record: Acknowledged) -> None:
        with store.cursor() as cursor:  # of its own: it sees what is committed
            there = Acknowledged(store.path, cursor)
        noted.append((record._labels, record._changes))
        assert noted[-1][0] <= there._labels
        assert noted[-1][1] <= there._changes
        write(record)

    monkeypatch.setattr(Acknowledged, "_write", watch)
    collection_id = create_collection(store, "Study")
    assert noted.pop() == (0, 1)
    add_label(store, collection_id)
    assert noted.pop() == (1, 1)
    text = "assessor\ttopic\tdocument\tlevel\nold\tt1\td1\t2\nold\tt9\td99\t1\n"
    scales = get_scales(store, collection_id)
    imported = read_import("labels", Source("labels.tsv", text.encode()), scales=scales)
    write_import(store, collection_id, imported)
    assert noted.pop() == (3, 3)  # the import, and the assessor who came with it
    add_label(store, collection_id)
    assert noted.pop() == (4, 3)
    with pytest.raises(RuntimeError), store.change("", "try", "it"):
        raise RuntimeError("half way")
    assert noted == [(1, 3)]


def test_many_threads_leave_the_highest_number(store: Store):
    threads = [
        threading.Thread(target=lambda: [add_label(store) for _ in range(10)]) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    compared = Acknowledged(store.path, store.cursor()).compare()
    assert compared.acknowledged == compared.here == Counts(80, 0)


@pytest.fixture(params=["a folder is in its place", "it is gone", "the disk is full"])
def hindrance(
    request: pytest.FixtureRequest, store: Store, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    record = record_of(store.path)
    if request.param == "a folder is in its place":
        record.mkdir()
    elif request.param == "it is gone":
        add_label(store)
        record.unlink()
    else:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", fail)
            yield
        return
    yield


def fail(*_: object) -> int:
    raise OSError(28, "No space left on device")


@pytest.mark.usefixtures("hindrance")
def test_where_it_cannot_be_written_labels_are_taken(store: Store):
    before = store.labels.sequence("c")
    for _ in range(3):
        add_label(store)
    assert store.labels.sequence("c") == before + 3


def test_reading_a_store_leaves_its_record_alone(path: Path):
    before = record_of(path).read_bytes()
    with closing(Store(path, read_only=True)):
        pass
    assert record_of(path).read_bytes() == before


def test_without_the_comparison_nothing_is_told(path: Path, monkeypatch: pytest.MonkeyPatch):
    log_of(path).unlink()
    monkeypatch.setattr(Acknowledged, "compare", lambda _: None)
    with closing(Store(path)) as store:
        assert store.notice == ""
