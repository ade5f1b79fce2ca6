"""How the process holds its memory."""

import ctypes
import gc
from contextlib import suppress

_ARENA_MAX = -8
"""The number that glibc gives to this setting."""


def share_one_heap() -> bool:
    """Let all threads share one heap; returns whether the C library can, which glibc does.

    Otherwise each has its own, and the room that one page took to be drawn is not there for the
    next when another thread draws it.
    """
    with suppress(OSError, AttributeError, TypeError):
        return bool(ctypes.CDLL(None).mallopt(_ARENA_MAX, 1))
    return False


def keep_for_good() -> None:
    """Let the garbage collector pass over what is there now, such as everything imported.

    To look through it takes a good part of a tenth of a second, and labels wait meanwhile.
    """
    gc.collect()
    gc.freeze()
