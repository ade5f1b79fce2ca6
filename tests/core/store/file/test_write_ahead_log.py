"""The log beside a store is read as the database wrote it, and every damage is noticed."""

import shutil
from pathlib import Path

import duckdb
import pytest

from core.store.file.write_ahead_log import (
    _END_OF_TRANSACTION,
    LogState,
    _find_first,
    _read_entry,
    examine_log,
    log_of,
    logs_of,
)


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


def transactions_of(content: bytes) -> list[int]:
    """Return where each transaction begins, and where the last one ends."""
    place = _find_first(content)
    ends = [place]
    while place < len(content):
        end, _is_sound = _read_entry(content, place)
        if content[place + 16 : end] == _END_OF_TRANSACTION:
            ends.append(end)
        place = end
    return ends


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
    *_, before, last, _end = transactions_of(content)
    for place in range(begin, len(content), 97):
        spoilt = bytearray(content)
        spoilt[place] ^= 0x10
        log.write_bytes(spoilt)
        state = examine_log(log)
        assert (state.damaged_at, state.torn_at) != (None, None), place
        # Only in the last transaction, or where the one before it ends, can damage look like a
        # write that was not completed.
        assert state.damaged_at is not None or state.torn_at in (before, last), place
        assert state.damaged_at is not None or last - 21 <= place, place


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


def test_a_transaction_without_its_end_is_torn_wherever_it_was_cut(log: Path):
    """Its last entry says that it is committed; without it the database leaves all of it out."""
    content = log.read_bytes()
    place, ends = _find_first(content), []
    while place < len(content):
        place, _is_sound = _read_entry(content, place)
        ends.append(place)
    torn = 0
    for end in ends[:-1]:
        log.write_bytes(content[:end])
        state = examine_log(log)
        assert state.damaged_at is None
        assert state.torn_at is None or state.torn_at < end
        torn += state.torn_at is not None
    assert torn >= 60


def test_a_last_transaction_of_which_a_part_is_missing_is_torn_and_has_to_be_cut(log: Path):
    """Its end was written, and a part before that was not: disks write in any order."""
    content = log.read_bytes()
    *_, before, last, end = transactions_of(content)
    assert end == len(content)
    for begin, torn in ((last, True), (before, False)):  # where a transaction begins
        spoilt = bytearray(content)
        spoilt[begin + 20 : begin + 30] = bytes(10)
        log.write_bytes(spoilt)
        state = examine_log(log)
        assert (state.torn_at, state.needs_cut) == ((last, True) if torn else (None, False))
        assert (state.damaged_at is None) == torn


def test_a_log_that_was_hardly_begun_is_torn(log: Path):
    content = log.read_bytes()
    for length in (1, 5, 12, 24):
        log.write_bytes(content[:length])
        assert examine_log(log) == LogState(length, 0, torn_at=0)


def test_what_is_not_recognised_is_unknown_and_never_damaged(log: Path):
    content = log.read_bytes()
    for other in (b"Dear all", b"Dear all" * 100, content[:6] + b"\x03" + content[7:], b"\0" * 99):
        log.write_bytes(other)
        assert examine_log(log) == LogState(len(other), 0, is_known=False)


def test_a_first_entry_with_other_fields_is_unknown(log: Path):
    """It has no checksum: nobody can tell another version's from a spoilt one."""
    content = log.read_bytes()
    log.write_bytes(content[:10] + b"\x80" * 60)
    assert examine_log(log) == LogState(70, 0, is_known=False)
    begin = _find_first(content)
    log.write_bytes(content[: begin - 2] + b"h\x00\x01" + content[begin - 2 :])
    assert examine_log(log) == LogState(len(content) + 3, 0, is_known=False)


def test_a_log_with_another_checksum_is_unknown(log: Path):
    content = bytearray(log.read_bytes())
    place = _find_first(bytes(content))
    while place < len(content):
        end, _is_sound = _read_entry(bytes(content), place)
        content[place + 8] ^= 0xFF
        place = end
    log.write_bytes(content)
    assert examine_log(log) == LogState(len(content), 0, is_known=False)


def test_a_log_that_begins_while_another_is_merged_is_examined_as_well(log: Path, tmp_path: Path):
    store = tmp_path / "s.duckdb"
    assert logs_of(store) == ()
    for name in ("s.duckdb.wal.checkpoint", "s.duckdb.wal"):
        shutil.copy(log, tmp_path / name)
    assert [one.name for one in logs_of(store)] == ["s.duckdb.wal", "s.duckdb.wal.checkpoint"]
