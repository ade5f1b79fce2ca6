"""The log that a store keeps beside its file: whether every entry in it can be replayed.

The database takes an entry with a damaged length for the end of its log, and leaves out
everything behind it without a word. So the log is read here as it stands, before it is replayed.
"""

import shutil
import struct
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np

_MARK: Final = b"\xff\xff"
_HEAD: Final = 16
_NUMBERS: Final = b"f\x00\x10"
_FARTHEST: Final = 500_000
_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_MURMUR: Final = 0xC6A4A7935BD1E995
_SEED: Final = 0xE17A1465
_WORD: Final = 2**64 - 1


@dataclass(frozen=True)
class LogState:
    """What a log holds.

    ``damaged_at`` is the place in the file of the first entry whose content does not fit its
    checksum: it and everything behind it would be lost. ``torn_at`` is that of a last entry
    which ends too early, as a machine leaves it that fails while it writes.
    """

    size: int
    entries: int
    damaged_at: int | None = None
    torn_at: int | None = None


def log_of(store: Path) -> Path:
    """Return where the log of a store lies while there is one."""
    return store.with_name(store.name + ".wal")


def examine_log(file: Path) -> LogState:
    """Read a log from end to end and compare every entry with its checksum."""
    content = file.read_bytes() if file.exists() else b""
    if not content:
        return LogState(0, 0)
    place = _find_first(content)
    if place is None:
        return LogState(len(content), 0, damaged_at=0)
    entries = 0
    while place < len(content):
        end, is_sound = _read_entry(content, place)
        if not is_sound:
            is_last = end > len(content) or not any(content[place:])
            if is_last and not _goes_on(content, place):
                return LogState(len(content), entries, torn_at=place)
            return LogState(len(content), entries, damaged_at=place)
        place, entries = end, entries + 1
    return LogState(len(content), entries)


def keep_damaged_log(store: Path) -> str:
    """Copy a log aside before the part of it that is damaged is dropped as it is replayed.

    Returns
    -------
    str
        What was lost and where the copy is; empty when every entry can be replayed.
    """
    log = log_of(store)
    state = examine_log(log)
    if state.damaged_at is None:
        return ""
    written = datetime.fromtimestamp(log.stat().st_mtime, UTC)
    copy = log.with_name(f"{log.name}.damaged-{written:%Y%m%d-%H%M%S}")
    if not copy.exists():
        shutil.copy2(log, copy)
    return (
        f"The log {log.name} is damaged at byte {state.damaged_at:,} of {state.size:,}, as a "
        "failing disk leaves it. What was saved last, behind that place, is not in the store. The "
        f"log as it was is kept as {copy.name}. A backup may still have what is missing."
    )


def _find_first(content: bytes) -> int | None:
    """Return where the first entry with a checksum begins: after the one that names the version."""
    place = content.find(_NUMBERS)
    if place >= 0:
        # The store's identifier, a field's tag of two bytes, and how often it was checkpointed.
        place = _skip_numbers(content, place + len(_NUMBERS), 16)
        place = _skip_numbers(content, place + 2, 1)
    end = content.find(_MARK, max(place, 0))
    return end + len(_MARK) if end >= 0 else None


def _skip_numbers(content: bytes, place: int, count: int) -> int:
    """Return the place behind numbers of which each byte but the last has its highest bit set."""
    for _ in range(count):
        while content[place : place + 1] > b"\x7f":
            place += 1
        place += 1
    return place


def _goes_on(content: bytes, place: int) -> bool:
    """Tell whether a sound entry follows somewhere behind one that is not."""
    after = range(place + 1, min(len(content), place + _FARTHEST))
    return any(_read_entry(content, later)[1] for later in after)


def _read_entry(content: bytes, place: int) -> tuple[int, bool]:
    """Return where an entry ends and whether it fits its checksum."""
    length, told = struct.unpack("<QQ", content[place : place + _HEAD].ljust(_HEAD, b"\x00"))
    end = place + _HEAD + int(length)
    is_sound = length > 0 and end <= len(content) and checksum(content[place + _HEAD : end]) == told
    return end, is_sound


def checksum(content: bytes) -> int:
    """Return the database's checksum of an entry, a number of 64 bits."""
    whole = len(content) // 8 * 8
    words = np.frombuffer(content[:whole], dtype="<u8")
    result = 5381 ^ int(np.bitwise_xor.reduce(words * _FACTOR)) if whole else 5381
    return result ^ _hash_rest(content[whole:]) if whole < len(content) else result


def _hash_rest(rest: bytes) -> int:
    """Return the hash (MurmurHash64A) of the last bytes, fewer than eight."""
    mixed = (_SEED ^ (len(rest) * _MURMUR & _WORD)) ^ int.from_bytes(rest, "little")
    mixed = mixed * _MURMUR & _WORD
    mixed = (mixed ^ (mixed >> 47)) * _MURMUR & _WORD
    return mixed ^ (mixed >> 47)
