"""One bit of a store is flipped: ``dissent check`` notices it, or nothing comes of it."""

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import duckdb
import pytest

from core.command.check import check_store
from core.errors import DissentError
from core.store.check.check_copies import check_indexes
from core.store.check.check_files import list_tables, read_content
from core.store.check.integrity import CheckResult
from core.store.file import file_blocks as blocks
from core.store.file.database import UNREADABLE, Database
from core.store.file.file_blocks import BEGIN, BLOCK, HEADER
from core.store.store import Store
from tests.core.command.whole_store import build_study
from tests.faults.every_use import USES, use_all
from tests.short import long

SEED = 7014
Contents = dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Original:
    """A store, what it holds, and which of its blocks hold what."""

    path: Path
    bytes: bytes
    contents: Contents
    index_blocks: tuple[int, ...]
    free_blocks: tuple[int, ...]

    @property
    def blocks(self) -> int:
        return (len(self.bytes) - BEGIN) // BLOCK


def read_contents(path: Path) -> Contents:
    with closing(Database(path, read_only=True)) as database:
        cursor = database.cursor()
        return {table: read_content(cursor, table) for table in list_tables(cursor)}


def find_index_blocks(path: Path, free: frozenset[int]) -> tuple[int, ...]:
    """Return the blocks in use that hold neither columns nor what the database keeps of itself."""
    with closing(duckdb.connect(path, read_only=True)) as raw:
        others = {row[0] for row in raw.execute("FROM pragma_metadata_info()").fetchall()} | free
        for (table,) in raw.execute("SELECT table_name FROM duckdb_tables()").fetchall():
            for first, more in raw.execute(
                f"SELECT block_id, additional_block_ids FROM pragma_storage_info('{table}')"
            ).fetchall():
                others |= {first, *(more or ())}
    return tuple(number for number in range(count_blocks(path)) if number not in others)


def find_free_blocks(path: Path) -> frozenset[int]:
    with path.open("rb") as stream:
        heads = stream.read(BEGIN)
    header = max(blocks._read_header(heads, number) for number in (1, 2))
    return frozenset(n for n in blocks._read_free_list(path, header) if n < count_blocks(path))


def count_blocks(path: Path) -> int:
    return (path.stat().st_size - BEGIN) // BLOCK


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """A store with a bit of everything, and with blocks that were in use once."""
    path = tmp_path_factory.mktemp("original") / "s.duckdb"
    build_study(path)
    for _ in range(3):
        with closing(Store(path)) as store, store.change("", "try", "it", "x" * 1000):
            pass
    free = find_free_blocks(path)
    assert free
    index_blocks = find_index_blocks(path, free)
    return Original(path, path.read_bytes(), read_contents(path), index_blocks, tuple(free))


@dataclass
class Tally:
    """What became of the flips."""

    flips: int = 0
    in_index: int = 0
    noticed: int = 0
    by: dict[str, int] = field(default_factory=dict)
    unnoticed: int = 0
    done: int = 0
    harm: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        by = ", ".join(f"{count} by {name}" for name, count in sorted(self.by.items()))
        return (
            f"{self.flips} flips, {self.in_index} of them in index blocks: {self.noticed} noticed "
            f"({by}), {self.unnoticed} not; after these {self.done} uses of every kind, "
            f"{len(self.harm)} with harm"
        )


def choose_places(original: Original, count: int, rng: random.Random) -> Iterator[tuple[int, bool]]:
    """Yield places in the file: every second in a block of an index, the second in a free one."""
    for number in range(count):
        in_index = number % 2 == 0
        if in_index:
            block = original.index_blocks[number // 2 % len(original.index_blocks)]
        elif number == 1:
            block = rng.choice(original.free_blocks)
        else:
            block = rng.randrange(-1, original.blocks)  # the three headers count as one block
        begin, size = (0, 3 * HEADER) if block < 0 else (BEGIN + block * BLOCK, BLOCK)
        yield begin + rng.randrange(size), in_index


def flip_bits(original: Original, folder: Path, count: int,
              check: Callable[[Path], list[CheckResult]], rng: random.Random) -> Tally:  # fmt: skip
    """Flip one bit after another in a copy, check it, and use what passes for whole."""
    tally, path = Tally(), folder / "s.duckdb"
    shutil.copy(original.path, path)
    shutil.copy(original.path.with_name("s.duckdb.key"), folder)
    for place, in_index in choose_places(original, count, rng):
        byte = original.bytes[place] ^ 1 << rng.randrange(8)
        with path.open("r+b") as stream:
            stream.seek(place)
            stream.write(bytes([byte]))
        tally.flips += 1
        tally.in_index += in_index
        noticed = run_check(check, path)
        if noticed:
            tally.noticed += 1
            tally.by[noticed] = tally.by.get(noticed, 0) + 1
        else:
            tally.unnoticed += 1
            use_flipped(original, path, folder / f"used-{tally.flips}", tally)
        with path.open("r+b") as stream:
            stream.seek(place)
            stream.write(original.bytes[place : place + 1])
    assert path.read_bytes() == original.bytes, "a check changed the store"
    return tally


def run_check(check: Callable[[Path], list[CheckResult]], path: Path) -> str:
    """Return the proof that notices a fault; empty where none does."""
    try:
        return next((one.proof for one in check(path) if one.faults), "")
    except DissentError:
        return "opening"


def use_flipped(original: Original, path: Path, folder: Path, tally: Tally) -> None:
    """Look whether all rows are as they were, and do everything that can be done."""
    folder.mkdir()
    for file in (path, path.with_name("s.duckdb.key")):
        shutil.copy(file, folder)
    try:
        assert read_contents(folder / path.name) == original.contents
        for _ in use_all(folder / path.name):
            tally.done += 1
    except (*UNREADABLE, DissentError, AssertionError) as error:
        tally.harm.append(str(error).partition("\n")[0][:200])
    shutil.rmtree(folder)


@long
def test_everything_can_be_done_with_a_store_that_is_whole(original: Original, tmp_path: Path):
    path = Path(shutil.copy(original.path, tmp_path))
    assert len(list(use_all(path))) == len(USES)


@long
def test_the_blocks_of_indexes_are_those_that_only_writing_reads(
    original: Original, tmp_path: Path
):
    """By experiment: with such a block damaged every table is read as it was, and no more."""
    path, chosen = tmp_path / "s.duckdb", original.index_blocks[:: len(original.index_blocks) // 3]
    assert len(original.index_blocks) > 10
    for block in chosen:
        content = bytearray(original.bytes)
        content[BEGIN + block * BLOCK + 100_000] ^= 1
        path.write_bytes(content)
        assert read_contents(path) == original.contents
        assert check_indexes(path).faults


@long
@pytest.mark.timeout(3600)
def test_a_flipped_bit_is_noticed_or_harmless(
    original: Original,
    tmp_path: Path,
    long_form: bool,
    record_property: Callable[[str, object], None],
):
    count = 500 if long_form else 8
    tally = flip_bits(original, tmp_path, count, check_store, random.Random(SEED))
    record_property("counts", str(tally))
    assert tally.harm == []
    assert tally.noticed > count / 2
    assert tally.unnoticed > 0


@long
@pytest.mark.timeout(3600)
def test_where_the_format_is_not_known_use_alone_tells(
    original: Original,
    tmp_path: Path,
    long_form: bool,
    record_property: Callable[[str, object], None],
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(blocks, "VERIFIED", frozenset())
    count = 100 if long_form else 3
    tally = flip_bits(original, tmp_path, count, check_store, random.Random(SEED + 1))
    record_property("counts", str(tally))
    assert tally.harm == []
    assert tally.by["indexes"] > 0


@long
@pytest.mark.timeout(600)
def test_without_both_proofs_what_does_not_work_is_whole(
    original: Original, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Only then do the tests above prove anything."""
    monkeypatch.setattr(blocks, "VERIFIED", frozenset())

    def check(path: Path) -> list[CheckResult]:
        return check_store(path, by_use=False)

    tally = flip_bits(original, tmp_path, 3, check, random.Random(SEED))
    assert tally.unnoticed >= tally.in_index > 0
    assert len(tally.harm) >= tally.in_index
