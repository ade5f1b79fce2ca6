"""A log that cannot be replayed to its end is copied aside before the rest of it is dropped."""

import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from core.command.check import check_store
from core.errors import StoreInUse, StoreUnusable
from core.settings import ROOT
from core.store.events.labels import Key, LabelEvent
from core.store.file import database, kept_logs
from core.store.file import file_backing as stores
from core.store.file.acknowledged import Counts, LabelComparison, record_of
from core.store.file.write_ahead_log import _END_OF_TRANSACTION, _find_first, _read_entry, log_of
from core.store.store import Store
from tests.short import few, long

LABELS = 20
DAMAGED = 12
"""The entry that is spoilt in its length, which the database takes for the log's end."""


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store and its log, copied while it was open, and without what it acknowledged."""
    folder = tmp_path_factory.mktemp("killed")
    path = folder / "s.duckdb"
    with closing(Store(path)) as store:
        assert store.notice == ""
    store = Store(path)
    for number in range(LABELS):
        key = Key("t", f"d{number}", "page", "", "anna", 0)
        store.labels.append("c", [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])
    assert store.secret
    left = folder / "left"
    left.mkdir()
    for file in (path, log_of(path), path.with_name("s.duckdb.key")):
        shutil.copy2(file, left)
    store.close()
    return left / path.name


@pytest.fixture
def path(killed: Path, tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    for file in killed.parent.iterdir():
        shutil.copy2(file, tmp_path / "own")
    return tmp_path / "own" / killed.name


def spoil(log: Path) -> bytes:
    """Flip a bit in the length of an entry; returns what the log holds then."""
    content = bytearray(log.read_bytes())
    place = _find_first(content)
    for _ in range(DAMAGED):
        place, _is_sound = _read_entry(content, place)
    content[place + 3] ^= 0x10
    log.write_bytes(content)
    return bytes(content)


def copies(path: Path) -> list[Path]:
    return sorted(one for one in path.parent.iterdir() if "wal." in one.name)


def test_a_damaged_log_is_kept_before_its_end_is_dropped(path: Path):
    content = spoil(log_of(path))
    with closing(Store(path)) as store:
        (kept,) = copies(path)
        assert kept.name in store.notice
        assert "is damaged at byte" in store.notice
        assert store.labels.sequence("c") < LABELS
    assert ".damaged-" in kept.name
    assert kept.read_bytes() == content
    with closing(Store(path)) as store:
        assert store.notice == ""


def test_without_its_guard_the_end_is_dropped_without_a_word(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    spoil(log_of(path))
    monkeypatch.setattr(stores, "keep_logs", lambda _: [])
    with closing(Store(path)) as store:
        assert store.notice == ""
        assert store.labels.sequence("c") < LABELS
    assert copies(path) == []


def test_a_log_that_begins_while_another_is_merged_is_kept_as_well(path: Path):
    second = log_of(path).with_name(log_of(path).name + ".checkpoint")
    shutil.copy(log_of(path), second)
    spoil(second)
    assert [one.proof for one in check_store(path) if one.faults] == ["log"]
    (kept,) = kept_logs.keep_logs(path)
    assert kept.log == second


def test_what_cannot_be_kept_is_not_opened(path: Path, monkeypatch: pytest.MonkeyPatch):
    content = spoil(log_of(path))

    def fail(_: Path, copy: Path) -> None:
        copy.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "copy2", fail)
        with pytest.raises(StoreUnusable, match="Nothing was opened"):
            Store(path)
    assert copies(path) == []
    assert log_of(path).read_bytes() == content


@long
def test_the_log_of_a_store_in_use_is_not_kept(path: Path):
    """Nothing of it is replayed, and its last entry may just be being written."""
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"from pathlib import Path; from core.store.store import Store; "
            f"s = Store(Path({str(path)!r})); print('open', flush=True); input()",
        ],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout.readline() == "open\n"
    spoil(log_of(path))
    with pytest.raises(StoreInUse):
        Store(path)
    assert copies(path) == []
    holder.communicate("\n")


def test_a_log_of_an_unknown_kind_is_kept_as_it_is(path: Path):
    log_of(path).write_bytes(b"Dear all" * 100)
    with suppress(StoreUnusable):
        Store(path).close()
    (kept,) = copies(path)
    assert ".unknown-" in kept.name
    assert kept.read_bytes() == b"Dear all" * 100


@long
def test_a_log_of_an_unknown_kind_is_unknown_and_not_damaged(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    """As that of a later version of the database would be, which replays it all the same."""
    monkeypatch.setattr("core.store.file.write_ahead_log._VERSION_2", b"d\0be\0\x03f\0\x10")
    (log,) = [one for one in check_store(path, by_use=False) if one.proof == "log"]
    assert (log.holds, log.faults) == (None, ())
    assert log.unknown == "s.duckdb.wal is of a kind that is not known here"
    with closing(Store(path)) as store:
        (kept,) = copies(path)
        assert kept.name in store.notice
        assert store.labels.sequence("c") == LABELS


LINKS: dict[str, Callable[[Path, Path], Path]] = {
    "a link": lambda path, folder: link(folder / "link.duckdb", path),
    "a relative link": lambda path, folder: link(
        folder / "link.duckdb", Path("..") / path.parent.name / path.name
    ),
    "a chain of links": lambda path, folder: link(
        folder / "first.duckdb", link(folder / "second.duckdb", path)
    ),
    "a link beside it": lambda path, _: link(path.with_name("link.duckdb"), path),
    "a folder that is a link": lambda path, folder: (
        link(folder / "folder", path.parent) / path.name
    ),
}


def link(place: Path, target: Path) -> Path:
    place.symlink_to(target)
    return place


@pytest.fixture(params=few(LINKS))
def linked(request: pytest.FixtureRequest, path: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    return LINKS[request.param](path, folder)


def test_a_store_is_guarded_by_whatever_links_it_is_reached(path: Path, linked: Path):
    content = spoil(log_of(path))
    key = path.with_name("s.duckdb.key").read_text()
    (found,) = [one for one in check_store(linked, by_use=False) if one.faults]
    assert found.proof == "log"
    with closing(Store(linked)) as store:
        (kept,) = copies(path)
        assert kept.read_bytes() == content
        assert kept.name in store.notice
        assert store.path == path.resolve()
        assert store.secret == key
        store.labels.append("c", [label()])
        assert record_of(path).exists()
    (key_found,) = [one for one in check_store(linked, by_use=False) if one.proof == "key"]
    assert key_found.checked == 1
    beside = {one.name for one in linked.parent.iterdir()}
    assert {name for name in beside if name.startswith("link")} <= {"link.duckdb"}


def label() -> LabelEvent:
    return LabelEvent(str(uuid.uuid4()), None, Key("t", "d", "page", "", "bob", 0), "level", 1)


@long
def test_without_its_guard_a_link_hides_the_log(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Only then does the test above prove anything."""
    linked = link(tmp_path / "link.duckdb", path)
    spoil(log_of(path))
    for module in (
        "core.store.file.file_backing",
        "core.store.file.database",
        "core.command.check",
    ):
        monkeypatch.setattr(f"{module}.find_file", lambda given: given)
    assert "log" not in [one.proof for one in check_store(linked, by_use=False) if one.faults]
    with closing(Store(linked)) as store:
        assert store.notice == ""
        assert store.labels.sequence("c") < LABELS
    assert copies(path) == []


def test_a_store_that_is_made_through_a_link_lies_where_the_link_leads(tmp_path: Path):
    """Otherwise its first log would lie beside the link, and its later ones beside the store."""
    (tmp_path / "far").mkdir()
    linked = link(tmp_path / "link.duckdb", tmp_path / "far" / "s.duckdb")
    with closing(Store(linked)) as store:
        store.labels.append("c", [label()])
        names = {one.name for one in (tmp_path / "far").iterdir()}
        assert names == {"s.duckdb", "s.duckdb.wal", "s.duckdb.last"}
    assert [one.name for one in tmp_path.iterdir() if one.name != "far"] == ["link.duckdb"]


@pytest.mark.parametrize("end", [".key", ".wal"])
def test_what_lies_beside_a_link_is_not_left_there(path: Path, tmp_path: Path, end: str):
    """Otherwise another key would be made, and all codes be others; or a log never be replayed."""
    linked, own = link(tmp_path / "link.duckdb", path), Path(f"{path}{end}")
    own.rename(f"{linked}{end}")
    for use in (Store, check_store):
        with pytest.raises(StoreUnusable, match=f"move it beside the store, to {own}"):
            use(linked)
    Path(f"{linked}{end}").rename(own)
    with closing(Store(linked)) as store:
        assert store.labels.sequence("c") == LABELS


def test_links_that_lead_in_a_circle_are_no_store(tmp_path: Path):
    link(tmp_path / "a", tmp_path / "b")
    link(tmp_path / "b", tmp_path / "a")
    with pytest.raises(StoreUnusable, match="cannot be opened"):
        Store(tmp_path / "a")


@long
def test_a_second_name_of_the_file_is_told(path: Path):
    os.link(path, path.with_name("other.duckdb"))
    (log,) = [one for one in check_store(path, by_use=False) if one.proof == "log"]
    assert "a hard link" in log.notes[0]
    assert database.find_file(path) == path.resolve()


def tear(log: Path) -> None:
    """Take a part out of the last transaction, and leave its end."""
    content = bytearray(log.read_bytes())
    ends = [_find_first(content)]
    while ends[-1] < len(content):
        place = ends[-1]
        while not content[place + 16 :].startswith(_END_OF_TRANSACTION):
            place, _is_sound = _read_entry(content, place)
        ends.append(_read_entry(content, place)[0])
    content[ends[-2] + 20 : ends[-2] + 40] = bytes(20)
    log.write_bytes(content)


def test_a_torn_last_transaction_is_cut_off_and_its_log_kept(path: Path):
    content = log_of(path).read_bytes()
    tear(log_of(path))
    torn = log_of(path).read_bytes()
    assert torn != content
    with closing(Store(path)) as store:
        (kept,) = copies(path)
        assert kept.name in store.notice
        assert store.labels.sequence("c") == LABELS - 1
    assert ".torn-" in kept.name
    assert kept.read_bytes() == torn
    with closing(Store(path)) as store:
        assert store.notice == ""
        assert store.labels.sequence("c") == LABELS - 1


def test_what_was_cut_off_is_kept_though_no_label_is_missing(path: Path):
    """Labels and changes are counted; a sign-in, for one, is not."""
    tear(log_of(path))
    kept = kept_logs.keep_logs(path)
    assert kept_logs.cut_logs(path, kept)
    whole = LabelComparison(Counts(3, 1), Counts(3, 1))
    (copy,) = copies(path)
    assert copy.name in kept_logs.settle(path, kept, whole)
    assert copy.exists()


def test_without_the_cut_the_database_refuses_it(path: Path, monkeypatch: pytest.MonkeyPatch):
    tear(log_of(path))
    monkeypatch.setattr(stores, "cut_logs", lambda *_: False)
    with pytest.raises(StoreUnusable, match="Corrupt WAL"):
        Store(path)


def test_nothing_is_cut_while_another_process_holds_the_store(path: Path):
    tear(log_of(path))
    torn = log_of(path).read_bytes()
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"import fcntl; f = open({str(path)!r}, 'rb+'); fcntl.lockf(f, fcntl.LOCK_EX); "
            "print('held', flush=True); input()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout.readline() == "held\n"
    kept = kept_logs.keep_logs(path)
    assert not kept_logs.cut_logs(path, kept)
    assert log_of(path).read_bytes() == torn
    holder.communicate("\n")
    assert kept_logs.cut_logs(path, kept)
    assert len(log_of(path).read_bytes()) < len(torn)
