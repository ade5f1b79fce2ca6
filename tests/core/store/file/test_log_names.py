"""The names of a store's logs are flushed when they come and go, and at no other time."""

import uuid
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreUnusable
from core.store.events.labels import Key, LabelEvent
from core.store.file import database, log_names
from core.store.file.log_names import LogNames, take_outdated_away
from core.store.file.write_ahead_log import log_of
from core.store.store import Store


@pytest.fixture
def flushed(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the folders that were flushed so far; they are flushed all the same."""
    seen: list[Path] = []
    flush = log_names.flush

    def note(path: Path) -> None:
        flush(path)
        seen.append(path)

    monkeypatch.setattr(log_names, "flush", note)
    return seen


def judge(store: Store, document: str) -> None:
    key = Key("t", document, "page", "", "anna", 0)
    store.labels.append("c", [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])


def test_once_for_every_log(tmp_path: Path, flushed: list[Path]):
    for _ in range(2):
        store = Store(tmp_path / "s.duckdb")
        flushed.clear()
        for number in range(5):
            judge(store, f"d{number}-{_}")
        assert len(flushed) <= 1
        store.close()
        assert not (tmp_path / "s.duckdb.wal").exists()
    assert flushed == [tmp_path]


def test_when_the_log_is_merged_and_another_begun(tmp_path: Path, flushed: list[Path]):
    store = Store(tmp_path / "s.duckdb")
    judge(store, "d1")
    flushed.clear()
    store.cursor().execute("CHECKPOINT")
    judge(store, "d2")
    judge(store, "d3")
    assert flushed == [tmp_path]
    store.close()


def test_a_log_that_goes_is_noticed(tmp_path: Path, flushed: list[Path]):
    log = tmp_path / "s.duckdb.wal"
    names = LogNames(tmp_path / "s.duckdb")
    names.flush_changes()
    assert flushed == []
    for change in (log.touch, log.unlink):
        change()
        names.flush_changes()
        names.flush_changes()
    assert flushed == [tmp_path, tmp_path]
    names.close()


def test_another_log_of_the_same_name_and_number_is_noticed(tmp_path: Path, flushed: list[Path]):
    """A file system gives a number out again as soon as it is free: it is not while it is held."""
    log = tmp_path / "s.duckdb.wal"
    names = LogNames(tmp_path / "s.duckdb")
    for times in range(1, 10):
        log.unlink(missing_ok=True)
        log.write_text("x")
        names.flush_changes()
        assert len(flushed) == times
    names.close()


def test_what_could_not_be_flushed_is_tried_again(
    tmp_path: Path, flushed: list[Path], monkeypatch: pytest.MonkeyPatch
):
    names = LogNames(tmp_path / "s.duckdb")
    (tmp_path / "s.duckdb.wal").touch()

    def fail(_: Path) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(log_names, "flush", fail)
        with pytest.raises(OSError, match="Input/output"):
            names.flush_changes()
    names.flush_changes()
    assert flushed == [tmp_path]
    names.close()


def bring_back_an_old_log(path: Path) -> None:
    """Leave a store beside a log that was merged into it, as a power cut may: with more since."""
    store = Store(path)
    judge(store, "d1")
    old = log_of(path).read_bytes()
    for document in ("d2", "d3"):
        store.cursor().execute("CHECKPOINT")
        judge(store, document)
    store.close()
    log_of(path).write_bytes(old)


def test_a_log_that_a_power_cut_brought_back_is_taken_away(tmp_path: Path):
    path = tmp_path / "s.duckdb"
    bring_back_an_old_log(path)
    store = Store(path)
    assert store.notice == ""
    assert store.labels.sequence("c") == 3
    judge(store, "d4")
    store.close()
    assert (tmp_path / "s.duckdb.wal.outdated").exists()
    with closing(Store(path)) as again:
        assert again.labels.sequence("c") == 4


def test_left_where_it_is_the_store_would_not_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "s.duckdb"
    bring_back_an_old_log(path)
    monkeypatch.setattr(database, "take_outdated_away", lambda *_: False)
    with pytest.raises(StoreUnusable, match="created for an older version"):
        Store(path)


def test_what_follows_a_log_takes_its_place(tmp_path: Path):
    store, log = tmp_path / "s.duckdb", tmp_path / "s.duckdb.wal"
    log.write_text("old")
    (tmp_path / "s.duckdb.wal.checkpoint").write_text("new")
    complaint = "IO Error: checkpoint WAL cannot contain a checkpoint marker"
    assert not take_outdated_away(store, "IO Error: something else")
    assert take_outdated_away(store, complaint)
    assert log.read_text() == "new"
    assert (tmp_path / "s.duckdb.wal.outdated").read_text() == "old"
    assert take_outdated_away(store, complaint)
    assert not take_outdated_away(store, complaint), "there is nothing left to take away"
