"""A file says how many things it defines, and that is all of them or nothing is claimed."""

import os
import shutil
import struct
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from core.store.file import file_blocks
from core.store.file.database import Database
from core.store.file.file_blocks import _MAIN, HEADER, _count, count_entries
from core.store.file.write_ahead_log import checksum, log_of
from tests.short import long

ONE_EACH = (
    "CREATE TABLE t (a INTEGER)",
    "CREATE VIEW v AS FROM t",
    "CREATE MACRO max(x) AS 77",
    "CREATE MACRO read_text(x) AS TABLE SELECT 1",
    "CREATE INDEX i ON t (a)",
    "CREATE SEQUENCE s",
    "CREATE TYPE k AS ENUM ('a')",
    "CREATE SCHEMA more",
    "CREATE MACRO more.max(x) AS 77",
    "CREATE TABLE more.t (a INTEGER, b INTEGER PRIMARY KEY DEFAULT 7)",
    "CREATE TRIGGER r AFTER INSERT ON t FOR EACH STATEMENT DELETE FROM more.t",
)

TRY = "import duckdb, sys; duckdb.connect(sys.argv[1])"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    define(tmp_path / "s.duckdb", ONE_EACH[0])
    return tmp_path / "s.duckdb"


def define(path: Path, *statements: str) -> None:
    with closing(duckdb.connect(path)) as raw:
        for statement in statements:
            raw.execute(statement)


def test_each_thing_that_a_file_defines_counts_once(tmp_path: Path):
    path = tmp_path / "s.duckdb"
    for number, statement in enumerate(ONE_EACH, start=2):
        define(path, statement)
        assert count_entries(path) == number


def test_many_things_are_counted(path: Path):
    define(path, *(f"CREATE MACRO m{number}() AS 1" for number in range(300)))
    assert count_entries(path) == 302


def test_a_file_that_is_not_there_defines_nothing(tmp_path: Path):
    path = tmp_path / "s.duckdb"
    assert count_entries(path) == 0
    log_of(path).touch()
    assert count_entries(path) is None


def test_nothing_is_claimed_where_a_log_may_define_more(path: Path, tmp_path: Path):
    kept = tmp_path / "kept"
    kept.mkdir()
    with closing(duckdb.connect(path)) as raw:
        raw.execute(ONE_EACH[2])
        for file in (path, log_of(path)):
            shutil.copy(file, kept)
    assert count_entries(kept / path.name) is None
    log_of(kept / path.name).rename(kept / f"{log_of(path).name}.checkpoint")
    assert count_entries(kept / path.name) is None


def try_elsewhere(path: Path) -> str:
    done = subprocess.run([sys.executable, "-c", TRY, path], capture_output=True, text=True)
    return done.stderr


@long
@pytest.mark.skipif(os.name != "posix", reason="only there do locks end so")
def test_a_file_that_is_open_stays_locked(path: Path, monkeypatch: pytest.MonkeyPatch):
    with closing(Database(path)) as opened:
        assert opened.entries == 2
        assert count_entries(path) is None
        assert "lock" in try_elsewhere(path)
        monkeypatch.setattr(file_blocks, "_is_open_here", lambda _: False)
        assert count_entries(path) == 2
        assert try_elsewhere(path) == ""


def test_a_file_of_another_kind_is_not_counted(tmp_path: Path):
    path = tmp_path / "letter.txt"
    for content in (b"", b"Dear Sir or Madam, " * 10_000):
        path.write_bytes(content)
        assert count_entries(path) is None
    assert count_entries(tmp_path) is None


def set_number(path: Path, header: int, field: int, value: int) -> None:
    """Change a number in one of the headers, which fits its checksum then."""
    content = bytearray(path.read_bytes())
    place = header * HEADER
    struct.pack_into("<Q", content, place + 8 + 8 * field, value)
    struct.pack_into("<Q", content, place, checksum(bytes(content[place + 8 : place + HEADER])))
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("field", "value"),
    [(0, 1), (1, 2**64 - 1), (1, 64 << 56), (1, 2**56 - 1), (1, 1), (6, 1)],
)
def test_a_header_that_may_mean_something_else_is_not_followed(
    path: Path, field: int, value: int
):  # fmt: skip
    """As many checkpoints as in the other; no catalogue; one that is elsewhere; another version."""
    set_number(path, 1, 0, 1)
    assert count_entries(path) == 2
    set_number(path, 2 if field == 0 else 1, field, value)
    assert count_entries(path) is None


def test_a_damaged_header_is_not_followed(path: Path):
    content = bytearray(path.read_bytes())
    content[HEADER + 100] ^= 1
    path.write_bytes(content)
    assert count_entries(path) is None


COUNTED = {b"\x01": 1, b"\x7f": 127, b"\x80\x01": 128, b"\xff\x7f": 16_383}
REFUSED = (
    b"d\x00\x81\x00" + _MAIN,
    b"d\x00\x80\x80\x01" + _MAIN,
    b"d\x00\x01" + _MAIN.replace(b"main", b"maim"),
    b"d\x00\x01",
    b"e\x00\x01" + _MAIN,
    b"",
)
"""A number longer than need be, or too long; without the schema main, of which nothing is said."""


def test_a_catalogue_that_begins_otherwise_is_not_counted():
    assert {number: _count(b"d\x00" + number + _MAIN) for number in COUNTED} == COUNTED
    assert [_count(catalogue) for catalogue in REFUSED] == [None] * len(REFUSED)
