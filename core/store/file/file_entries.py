"""How many things a store's file defines, by its own account.

The database can list them, but lists the thousands of functions that it brings along as well. A
file's catalogue begins with the number of its entries: each schema, table, view, index, sequence,
type, trigger and function is one. Who has found as many as there are knows that there are no more.

What follows was verified with the files that `core.store.file.file_blocks` knows. Of any other,
and of one with a log beside it, nothing is claimed.
"""

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from core.store.file.file_blocks import read_beginning
from core.store.file.write_ahead_log import logs_of

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
