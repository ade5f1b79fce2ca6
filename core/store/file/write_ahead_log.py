"""The logs that a store keeps beside its file: whether every entry in them can be replayed.

The database takes an entry with a damaged length for the end of its log, and leaves out
everything behind it without a word. So a log is read here as it stands, before it is replayed.

The database offers no way to ask, and the format is private to it. What follows was verified with
logs of DuckDB 2.0, whose first entry says version 2; they stand beside files of the versions in
`core.store.file.file_blocks.VERIFIED`. A log that begins otherwise is unknown, never damaged: so
is one of which the first entry, which has no checksum, is not laid out as here, and one in which
not a single entry fits its checksum. Behind its first entry, which ends in two bytes of ones, come
entries of length, checksum and content. One of them ends each transaction.
"""

import struct
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

_VERSION_2: Final = b"d\x00be\x00\x02f\x00\x10"
"""An entry (d) of kind b: the version (e), then the store's identifier (f) of sixteen numbers."""

_MARK: Final = b"\xff\xff"
_END_OF_TRANSACTION: Final = b"d\x00d" + _MARK
_SHORTEST: Final = len(_VERSION_2) + 16 + 3 + len(_MARK)
"""A first entry at least as long: what ends before was cut off as it was written."""

_HEAD: Final = 16
_FARTHEST: Final = 500_000


@dataclass(frozen=True)
class LogState:
    """What a log holds.

    ``damaged_at`` is the place in the file of the first entry whose content does not fit its
    checksum: it and everything behind it would be lost. ``torn_at`` is that of a last entry, or
    a last transaction, which ends too early, as a machine leaves it that fails while it writes.
    ``needs_cut`` where a part of that transaction was written and a part before it was not: the
    database refuses such a log unless the transaction is cut off.
    Of a log that ``is_known`` is false of nothing is claimed.
    """

    size: int
    entries: int
    damaged_at: int | None = None
    torn_at: int | None = None
    is_known: bool = True
    needs_cut: bool = False

    @property
    def is_sound(self) -> bool:
        """Whether all that was written is there to be replayed, as far as the log can tell."""
        return self.is_known and self.damaged_at is None and self.torn_at is None


def log_of(store: Path) -> Path:
    """Return where the log of a store lies while there is one."""
    return store.with_name(store.name + ".wal")


def logs_of(store: Path) -> tuple[Path, ...]:
    """Return the logs that are there.

    There are two while the log is merged into the file, and when that was cut off: what is
    committed meanwhile goes to the second.
    """
    log = log_of(store)
    return tuple(one for one in (log, log.with_name(log.name + ".checkpoint")) if one.exists())


def examine_log(file: Path) -> LogState:
    """Read a log from end to end and compare every entry with its checksum."""
    content = file.read_bytes() if file.exists() else b""
    if not content:
        return LogState(0, 0)
    if _VERSION_2.startswith(content[: len(_VERSION_2)]) and len(content) < _SHORTEST:
        return LogState(len(content), 0, torn_at=0)
    if not content.startswith(_VERSION_2):
        return LogState(len(content), 0, is_known=False)
    begin = _find_first(content)
    if begin is None:
        return LogState(len(content), 0, is_known=False)
    place = committed = begin
    entries = 0
    while place < len(content):
        end, is_sound = _read_entry(content, place)
        if not is_sound:
            return _judge(content, LogState(len(content), entries), place, end, committed)
        if content[place + _HEAD : end] == _END_OF_TRANSACTION:
            committed = end
        place, entries = end, entries + 1
    torn_at = committed if committed < len(content) else None
    return LogState(len(content), entries, torn_at=torn_at)


def _judge(content: bytes, read: LogState, place: int, end: int, committed: int) -> LogState:
    """Return what a log is that cannot be read on at a place: damaged, torn or unknown."""
    goes_on = _goes_on(content, place)
    if not goes_on and (end > len(content) or not any(content[place:])):
        return replace(read, torn_at=committed)
    if not goes_on and not read.entries:
        return replace(read, is_known=False)
    is_an_end = end - place - _HEAD == len(_END_OF_TRANSACTION)
    if not (is_an_end and end < len(content)) and _is_last_transaction(content, place):
        return replace(read, torn_at=committed, needs_cut=True)
    return replace(read, damaged_at=place)


def _find_first(content: bytes) -> int | None:
    """Return where the first entry with a checksum begins: after the one that names the version.

    None where that one does not end behind the fields that are known.
    """
    # The store's identifier, a field's tag of two bytes, and how often it was checkpointed.
    place = _skip_numbers(content, len(_VERSION_2), 16)
    place = _skip_numbers(content, place + 2, 1)
    end = place + len(_MARK)
    return end if content[place:end] == _MARK else None


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


def _is_last_transaction(content: bytes, place: int) -> bool:
    """Tell whether no transaction ends behind a place, but perhaps with the log itself.

    The log is flushed after each transaction. So only parts of the last one can be missing.
    """
    whole = len(content.rstrip(b"\x00"))
    found = content.find(_END_OF_TRANSACTION, place + _HEAD)
    while found >= 0:
        end, is_sound = _read_entry(content, found - _HEAD)
        if is_sound and end < whole:
            return False
        found = content.find(_END_OF_TRANSACTION, found + 1)
    return True


def _read_entry(content: bytes, place: int) -> tuple[int, bool]:
    """Return where an entry ends and whether it fits its checksum."""
    length, sum_of_entry = struct.unpack(
        "<QQ", content[place : place + _HEAD].ljust(_HEAD, b"\x00")
    )
    end = place + _HEAD + int(length)
    is_sound = (
        length > 0
        and end <= len(content)
        and checksum(content[place + _HEAD : end]) == sum_of_entry
    )
    return end, is_sound


_FACTOR = np.uint64(0xBF58476D1CE4E5B9)
_MURMUR: Final = 0xC6A4A7935BD1E995
_SEED: Final = 0xE17A1465
_WORD: Final = 2**64 - 1


def checksum(content: bytes | memoryview) -> int:
    """Return the database's checksum of some bytes, a number of 64 bits."""
    whole = len(content) // 8 * 8
    words = np.frombuffer(content[:whole], dtype="<u8")
    result = 5381 ^ int(np.bitwise_xor.reduce(words * _FACTOR)) if whole else 5381
    return result ^ _hash_rest(bytes(content[whole:])) if whole < len(content) else result


def _hash_rest(rest: bytes) -> int:
    """Return the hash (MurmurHash64A) of the last bytes, fewer than eight."""
    mixed = (_SEED ^ (len(rest) * _MURMUR & _WORD)) ^ int.from_bytes(rest, "little")
    mixed = mixed * _MURMUR & _WORD
    mixed = (mixed ^ (mixed >> 47)) * _MURMUR & _WORD
    return mixed ^ (mixed >> 47)
