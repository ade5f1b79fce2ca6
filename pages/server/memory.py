"""How the process holds its memory."""

import ctypes
import gc
from contextlib import suppress

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""The numbers that glibc gives to these settings."""

_LARGE, _SPARE = 4 << 20, 32 << 20
"""Bytes from which a block is given back as soon as it is free, and what the heap keeps at hand."""


def share_one_heap() -> bool:
    """Let all threads share one heap; returns whether the C library can, which glibc does.

    Otherwise each has its own, and the room that one page took to be drawn is not there for the
    next when another thread draws it. Large blocks are never part of it: what one password took
    to be tried, or one upload, would stay.
    """
    with suppress(OSError, AttributeError, TypeError):
        library = ctypes.CDLL(None)
        wishes = ((_ARENA_MAX, 1), (_MMAP_THRESHOLD, _LARGE), (_TRIM_THRESHOLD, _SPARE))
        return all([library.mallopt(*wish) for wish in wishes])
    return False


def keep_for_good() -> None:
    """Let the garbage collector pass over what is there now, such as everything imported.

    To look through it takes a good part of a tenth of a second, and labels wait meanwhile.
    """
    gc.collect()
    gc.freeze()
