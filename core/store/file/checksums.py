"""The database's checksum: the same for an entry of its log and for a block of its file.

Verified with DuckDB 2.0, like the formats that it stands in; the database does not lend it out.
"""

from typing import Final

import numpy as np

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
