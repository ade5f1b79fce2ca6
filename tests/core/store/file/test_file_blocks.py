"""Every block of a store's file is compared with its checksum, and what is unknown is called so."""

import random
import shutil
import struct
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from core.store.file.file_blocks import BEGIN, BLOCK, HEADER, BlockState, examine_blocks
from core.store.file.write_ahead_log import checksum
from tests.short import few, long

SEED = 7013


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with tables, indexes and free blocks, and no log."""
    path = tmp_path_factory.mktemp("blocks") / "a.duckdb"
    with closing(duckdb.connect(path)) as raw:
        raw.execute("CREATE TABLE a (n BIGINT PRIMARY KEY, s VARCHAR)")
        for begin in (0, 130_000):
            raw.execute(f"INSERT INTO a SELECT range + {begin}, md5(range::VARCHAR) "
                        "FROM range(130000)")  # fmt: skip
            raw.execute("CHECKPOINT")
        raw.execute("DELETE FROM a WHERE n < 125000")
        raw.execute("CHECKPOINT")
    return path


@pytest.fixture
def path(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(written, tmp_path))


def count_used(path: Path) -> int:
    """Return how many blocks are in use by the database's own account."""
    with closing(duckdb.connect(path, read_only=True)) as raw:
        return raw.execute("SELECT used_blocks FROM pragma_database_size()").fetchone()[0]


def count_blocks(path: Path) -> int:
    return (path.stat().st_size - BEGIN) // BLOCK


def flip(path: Path, place: int, bit: int = 0) -> None:
    with path.open("r+b") as stream:
        stream.seek(place)
        (byte,) = stream.read(1)
        stream.seek(place)
        stream.write(bytes([byte ^ 1 << bit]))


def rewrite_header(path: Path, number: int, place: int, value: int) -> None:
    """Write another number into a header, and the checksum that fits it."""
    content = bytearray(path.read_bytes())
    begin = number * HEADER
    content[begin + place : begin + place + 8] = struct.pack("<Q", value)
    fitting = checksum(bytes(content[begin + 8 : begin + HEADER]))
    content[begin : begin + 8] = struct.pack("<Q", fitting)
    path.write_bytes(content)


def test_a_file_is_read_as_the_database_wrote_it(path: Path):
    assert examine_blocks(path) == BlockState(used=3 + count_used(path))
    assert count_used(path) < count_blocks(path) - 3


def test_progress_is_told(path: Path):
    told: list[float] = []
    examine_blocks(path, told.append)
    assert told == sorted(told)
    assert told[-1] == 1


def test_every_flipped_bit_in_use_is_noticed_and_no_other_is_a_fault(path: Path):
    rng, content = random.Random(SEED), path.read_bytes()
    places = [number * HEADER + rng.randrange(HEADER) for number in range(3)]
    places += [
        BEGIN + number * BLOCK + rng.randrange(BLOCK) for number in range(count_blocks(path))
    ]
    unused = 0
    for place in places:
        flip(path, place, rng.randrange(8))
        state = examine_blocks(path)
        assert len(state.damaged) + state.damaged_free == 1 or state.unknown, place
        unused += state.damaged_free
        path.write_bytes(content)
    assert unused == count_blocks(path) - count_used(path)


@pytest.mark.parametrize("short", few([1, BLOCK, 3 * BLOCK + 5]))
def test_a_file_that_was_cut_off_misses_blocks(path: Path, short: int):
    with closing(duckdb.connect(path)) as raw:
        raw.execute("CREATE TABLE b AS FROM a")  # the last blocks are in use
    content = path.read_bytes()
    path.write_bytes(content[:-short])
    (place,) = examine_blocks(path).damaged
    assert place == f"{-(-short // BLOCK)} blocks behind the end of the file"


FILE_VERSION, FLAGS = (0, 12), (0, 20)
COUNT, FREE_LIST, BLOCKS, BLOCK_SIZE, VERSION = 8, 24, 32, 40, 56


@pytest.mark.parametrize(
    "changes",
    [[(*FILE_VERSION, 1000)], [(*FILE_VERSION, 67)], [(*FLAGS, 1)]]
    + [[(number, place, value) for number in (1, 2)] for place, value in (
        (VERSION, 70), (VERSION, 4), (BLOCK_SIZE, 16_384))],
)  # fmt: skip
def test_another_version_is_unknown_and_never_damaged(path: Path, changes: list):
    for one in changes:
        rewrite_header(path, *one)
    flip(path, BEGIN + 1000)
    state = examine_blocks(path)
    assert "is none that this version of Dissent knows" in state.unknown
    assert (state.used, state.damaged) == (0, ())


def test_another_file_is_unknown(tmp_path: Path):
    for content in (b"", b"Dear all", b"Dear all" * 10_000):
        (tmp_path / "letter").write_bytes(content)
        assert examine_blocks(tmp_path / "letter").unknown == "this is no file of the database"


def rewrite_free_list(path: Path, at: int) -> None:
    """Lead elsewhere from the header that holds: that with more checkpoints."""
    counts = {n: struct.unpack_from("<Q", path.read_bytes(), n * HEADER + 8)[0] for n in (1, 2)}
    rewrite_header(path, max(counts, key=counts.__getitem__), FREE_LIST, at)


@pytest.mark.parametrize("at", [2**60, 1, 9, 63 << 56, 64 << 56, 2**64 - 2])
def test_a_list_of_free_blocks_that_makes_no_sense_is_unknown(path: Path, at: int):
    rewrite_free_list(path, at)
    assert examine_blocks(path).unknown == "its list of free blocks makes no sense"


def test_where_that_list_is_damaged_every_block_counts_as_used(path: Path):
    rewrite_free_list(path, 2**60)
    flip(path, BEGIN + 1000)
    state = examine_blocks(path)
    assert state == BlockState(3 + count_blocks(path), (f"block 0, at byte {BEGIN:,}",))


def test_a_header_that_tells_of_endless_blocks_is_no_trouble(path: Path):
    for number in (1, 2):
        rewrite_header(path, number, BLOCKS, 2**62)
    (place,) = examine_blocks(path).damaged
    assert "blocks behind the end of the file" in place


@long
def test_rows_that_a_log_refers_to_may_lie_in_blocks_that_the_file_calls_free(path: Path):
    """What is inserted in bulk is written to the file at once, and its blocks to the log."""
    with closing(duckdb.connect(path)) as raw:
        raw.execute("INSERT INTO a SELECT range, md5(range::VARCHAR) FROM range(300000, 600000)")
        left = shutil.copytree(path.parent, path.parent / "left")
    assert (left / "a.duckdb.wal").stat().st_size < 100_000
    assert examine_blocks(left / "a.duckdb").damaged == ()
