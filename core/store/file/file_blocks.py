"""The blocks of a store's file: whether each that is in use fits its checksum.

The database compares a block with its checksum when it comes to read it, and a block of an index
it reads only when somebody is about to write. So they are read here as they lie in the file.

What follows was verified with files of DuckDB 2.0, see `VERIFIED`. Of a file that says it is of
another version nothing is claimed. Three headers of 4,096 bytes come first: that of the file and
two of the database, of which the one with more checkpoints holds. Then come blocks of 262,144
bytes. Each of them begins with the checksum of its rest. The header that holds tells how many
blocks there are, and leads to the list of those that are free.
"""

import os
import re
import stat
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from core.store.file.write_ahead_log import checksum, logs_of

VERIFIED: Final = frozenset({(999, 69)})
"""The version of the file, and that of what is written in it, of DuckDB 2.0."""

HEADER: Final = 4096
BLOCK: Final = 262_144
BEGIN: Final = 3 * HEADER

_MARK: Final = b"DUCK"
_NOWHERE: Final = 2**64 - 1
_PARTS: Final = 64
_PART: Final = (BLOCK - 8) // _PARTS // 8 * 8
"""What the database writes about itself, such as the free list, fills 64ths of a block."""


@dataclass(frozen=True)
class BlockState:
    """What the headers and blocks of a file are like.

    ``unknown`` says why nothing can be claimed. ``used`` counts headers and blocks in use;
    ``damaged`` names those that do not fit their checksum or that lie behind the file's end.
    ``damaged_free`` counts blocks that do not fit and that the file does not use.
    """

    used: int = 0
    damaged: tuple[str, ...] = ()
    damaged_free: int = 0
    unknown: str = ""


@dataclass(frozen=True, order=True)
class _Header:
    """One of the two headers of the database."""

    checkpoints: int
    free_list: int
    blocks: int
    block_size: int
    version: int
    catalogue: int


def examine_blocks(file: Path, tell: Callable[[float], None] = lambda _: None) -> BlockState:
    """Read a store's file from end to end and compare every block with its checksum.

    No connection of this process may have the file open: closing it here would end their lock.

    Parameters
    ----------
    file : Path
        The store.
    tell : callable
        Told the share that was read.
    """
    with file.open("rb") as stream:
        heads = stream.read(BEGIN).ljust(BEGIN, b"\x00")
    header = max(_read_header(heads, number) for number in (1, 2))
    if unknown := _find_unknown(heads, header):
        return BlockState(unknown=unknown)
    damaged = [f"header {n}" for n, part in enumerate(_split(heads), start=1) if not _fits(part)]
    if damaged:
        return BlockState(3, tuple(damaged))
    fits, free = _compare_blocks(file, tell), _read_free_list(file, header)
    if free is None and all(fits):
        return BlockState(unknown="its list of free blocks makes no sense")
    used = [n for n in range(min(header.blocks, len(fits))) if n not in (free or ())]
    damaged = [f"block {n:,}, at byte {_place(n):,}" for n in used if not fits[n]]
    damaged_free = fits.count(False) - len(damaged)
    if free is not None and (cut := _count_missing(header, free, len(fits))) > 0:
        damaged.append(f"{cut:,} blocks behind the end of the file")
    return BlockState(3 + len(used), tuple(damaged), damaged_free)


def read_beginning(file: Path) -> bytes:
    """Return how the catalogue of a file begins; empty where that is not known for certain.

    No connection of this process may have the file open.
    """
    with file.open("rb") as stream:
        heads = stream.read(BEGIN).ljust(BEGIN, b"\x00")
        first, second = (_read_header(heads, number) for number in (1, 2))
        header = max(first, second)
        block, part = _split_pointer(header.catalogue)
        is_there = part < _PARTS and _place(block + 1) <= file.stat().st_size
        is_clear = is_there and first.checkpoints != second.checkpoints
        if not is_clear or _find_unknown(heads, header) or not all(map(_fits, _split(heads))):
            return b""
        return _read_part(stream, header.catalogue)[8:]


def _read_header(heads: bytes, number: int) -> _Header:
    place = number * HEADER + 8
    count, catalogue, free, blocks, size, _, version = struct.unpack_from("<7Q", heads, place)
    return _Header(count, free, blocks, size, version, catalogue)


def _find_unknown(heads: bytes, header: _Header) -> str:
    """Return why a file is none of those that are known here; empty when it is one."""
    mark, version, *flags = struct.unpack_from("<4s5Q", heads, 8)
    if mark != _MARK:
        return "this is no file of the database"
    if (version, header.version) not in VERIFIED or header.block_size != BLOCK or any(flags):
        return f"its format, {version}.{header.version}, is none that this version of Dissent knows"
    return ""


def _split(heads: bytes) -> Iterator[bytes]:
    for place in range(0, BEGIN, HEADER):
        yield heads[place : place + HEADER]


def _fits(part: bytes) -> bool:
    whole = memoryview(part)
    return checksum(whole[8:]) == int.from_bytes(whole[:8], "little")


def _compare_blocks(file: Path, tell: Callable[[float], None]) -> list[bool]:
    """Return for each block that is there to its end whether it fits its checksum."""
    count, fits = (file.stat().st_size - BEGIN) // BLOCK, []
    with file.open("rb") as stream:
        stream.seek(BEGIN)
        for number in range(count):
            fits.append(_fits(stream.read(BLOCK)))
            tell((number + 1) / count)
    return fits


def _place(block: int) -> int:
    return BEGIN + block * BLOCK


def _split_pointer(at: int) -> tuple[int, int]:
    """Return the block that something is in, and in which of its parts."""
    return at & (2**56 - 1), at >> 56


def _read_part(stream: BinaryIO, at: int) -> bytes:
    """Return a part of a block: where the next one is, and the content."""
    block, part = _split_pointer(at)
    stream.seek(_place(block) + 8 + part * _PART)
    return stream.read(_PART).ljust(_PART, b"\x00")


def _read_free_list(file: Path, header: _Header) -> frozenset[int] | None:
    """Return the blocks that nothing uses; None where their list makes no sense."""
    content, at, seen = b"", header.free_list, set[int]()
    with file.open("rb") as stream:
        while at != _NOWHERE:
            block, part = _split_pointer(at)
            if block >= header.blocks or part >= _PARTS or at in seen:
                return None
            seen.add(at)
            read = _read_part(stream, at)
            at = int.from_bytes(read[:8], "little")
            content += read[8:]
    count = int.from_bytes(content[:8], "little")
    if 8 + 8 * count > len(content) > 0:
        return None
    free = frozenset(struct.unpack_from(f"<{count}q", content, 8)) if count else frozenset()
    return free if len(free) == count and all(0 <= n < header.blocks for n in free) else None


def _count_missing(header: _Header, free: frozenset[int], there: int) -> int:
    """Return how many blocks in use lie behind the end of a file with so many blocks."""
    return header.blocks - there - sum(number >= there for number in free)


_MAIN: Final = b"c\x00\x02d\x00\x01d\x00\x02i\x00\x00o\x00d\x00\x02\x04main\x00" + b"\xff" * 6
"""An entry (c) of kind 2, a schema, by the name of main: the first, which every file has."""

_FIRST: Final = re.compile(rb"d\x00([\x00-\x7f]|[\x80-\xff][\x01-\x7f])" + re.escape(_MAIN))
"""The list of entries (d): their number, in as few bytes as it takes, and the first."""


def count_entries(file: Path) -> int | None:
    """Return how many entries the catalogue of a file has, the schema main being the first.

    None where that is not known. It is not read while this process has the file open: to close it
    once more would end the lock that keeps other processes away.
    """
    with suppress(OSError):
        if logs_of(file):
            return None
        if not file.exists():
            return 0
        facts = file.stat()
        if stat.S_ISREG(facts.st_mode) and not _is_open_here(facts):
            return _count(read_beginning(file))
    return None


def _is_open_here(facts: os.stat_result) -> bool:
    """Tell whether this process has a file open; raises OSError where nobody can tell."""
    for handle in os.listdir("/dev/fd"):
        with suppress(OSError):  # that of the list itself
            if os.path.samestat(facts, os.fstat(int(handle))):
                return True
    return False


def _count(catalogue: bytes) -> int | None:
    """Return the number that a catalogue begins with: its lower seven bits first, then the next."""
    found = _FIRST.match(catalogue)
    digits = found[1] if found else b""
    return sum((one & 0x7F) << 7 * place for place, one in enumerate(digits)) if digits else None
