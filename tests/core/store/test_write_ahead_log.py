"""The log beside a store is read as the database wrote it, and every damage is noticed."""

import shutil
import uuid
from pathlib import Path

import duckdb
import pytest

from core.store.labels import Key, LabelEvent
from core.store.store import Store
from core.store.write_ahead_log import LogState, _find_first, _read_entry, examine_log, log_of


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log with entries of all lengths, as it is while the database is open."""
    folder = tmp_path_factory.mktemp("log")
    with duckdb.connect(folder / "a.duckdb") as database:
        database.execute("CREATE TABLE a (n BIGINT PRIMARY KEY, s VARCHAR)")
        database.execute("CHECKPOINT")
        for number in range(60):
            database.execute("INSERT INTO a VALUES (?, ?)", [number, "x" * number])
        return Path(shutil.copy(log_of(folder / "a.duckdb"), folder / "kept.wal"))


@pytest.fixture
def log(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(written, tmp_path))


def test_every_entry_fits_its_checksum(log: Path):
    state = examine_log(log)
    assert state == LogState(log.stat().st_size, state.entries)
    assert state.entries >= 60


def test_no_log_and_an_empty_one_hold_nothing(tmp_path: Path):
    assert examine_log(tmp_path / "none.wal") == LogState(0, 0)
    (tmp_path / "empty.wal").touch()
    assert examine_log(tmp_path / "empty.wal") == LogState(0, 0)


def test_a_log_right_after_a_checkpoint_has_no_entry_yet(log: Path):
    content = log.read_bytes()
    log.write_bytes(content[: content.find(b"\xff\xff") + 2])
    assert examine_log(log).entries == 0
    assert examine_log(log).damaged_at is None


def test_any_other_byte_is_noticed(log: Path):
    content = log.read_bytes()
    begin = content.find(b"\xff\xff") + 2
    for place in range(begin, len(content), 97):
        spoilt = bytearray(content)
        spoilt[place] ^= 0x10
        log.write_bytes(spoilt)
        state = examine_log(log)
        assert (state.damaged_at, state.torn_at) != (None, None), place
        # Only in the last entry can a wrong length look like a write that was cut off.
        assert state.damaged_at is not None or state.torn_at > len(content) - 200, place


def test_a_write_that_was_cut_off_is_told_apart_from_damage(log: Path):
    content, whole = log.read_bytes(), examine_log(log).entries
    for cut in (1, 7, 20):
        log.write_bytes(content[:-cut])
        state = examine_log(log)
        assert state.damaged_at is None
        assert state.torn_at is not None
        assert state.entries < whole
    log.write_bytes(content + bytes(64))
    assert examine_log(log) == LogState(len(content) + 64, whole, torn_at=len(content))


def test_something_else_is_no_log(tmp_path: Path):
    (tmp_path / "letter.wal").write_text("Dear all")
    assert examine_log(tmp_path / "letter.wal").damaged_at == 0


def test_a_damaged_log_is_kept_before_its_end_is_dropped(tmp_path: Path):
    path = tmp_path / "a.duckdb"
    store = Store(path)
    assert store.notice == ""
    for number in range(20):
        key = Key("t", f"d{number}", "page", "", "anna", 0)
        store.labels.append("c", [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])
    left = tmp_path / "left"
    left.mkdir()
    content = bytearray(log_of(path).read_bytes())
    place = _find_first(content)
    for _ in range(12):
        place, _is_sound = _read_entry(content, place)
    content[place + 3] ^= 0x10  # in its length: the database takes this for the log's end
    shutil.copy(path, left / path.name)
    (left / log_of(path).name).write_bytes(content)
    store.close()
    again = Store(left / path.name)
    kept = next(left.glob("*.damaged-*"))
    assert kept.name in again.notice
    assert kept.read_bytes() == content
    assert again.labels.sequence("c") < 20
    again.close()
    assert Store(left / path.name).notice == ""
