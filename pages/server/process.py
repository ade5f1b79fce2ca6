"""How the process holds its memory, and when it ends.

A server that somebody started ends with them, however they end.
"""

import asyncio
import ctypes
import gc
import os
import signal
import threading
import time
from contextlib import suppress

from starlette.concurrency import run_in_threadpool

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""The numbers that glibc gives to these settings."""

_LARGE, _SPARE = 4 << 20, 32 << 20
"""Bytes from which a block is given back as soon as it is free, and what the heap keeps at hand."""

_EVERY = 30.0
"""Seconds from one look at the heap to the next."""


class _Heap(ctypes.Structure):
    """What glibc tells of its heap; ``fordblks`` is what is free in it, in bytes."""

    _names = (
        "arena", "ordblks", "smblks", "hblks", "hblkhd",
        "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
    )  # fmt: skip
    _fields_ = tuple((name, ctypes.c_size_t) for name in _names)


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


def give_back() -> bool:
    """Give what is free inside the heap back to the system; returns whether anything was.

    By itself the heap gives back its end only. What a large page took to be drawn lies below
    whatever was made meanwhile, and would stay for as long as that does.
    """
    with suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallinfo2.restype = _Heap
        if library.mallinfo2().fordblks > _SPARE:
            return bool(library.malloc_trim(0))
    return False


async def keep_giving_back() -> None:
    """Look at the heap time and again, for as long as the server runs."""
    while True:
        await asyncio.sleep(_EVERY)
        await run_in_threadpool(give_back)


def keep_for_good() -> None:
    """Let the garbage collector pass over what is there now, such as everything imported.

    To look through it takes a good part of a tenth of a second, and labels wait meanwhile.
    """
    gc.collect()
    gc.freeze()


VARIABLE = "DISSENT_LIFELINE"
"""Names a pipe that ``dissent serve`` holds open for as long as it lives."""

PATIENCE = 15.0
"""Seconds until the process ends at once; what it has acknowledged is on disk."""


def end_with_parent() -> None:
    """Watch the pipe, where there is one, in a thread; stop this process when it breaks."""
    given = os.environ.get(VARIABLE, "")
    if given.isdecimal():
        threading.Thread(target=_watch, args=(int(given),), name="lifeline", daemon=True).start()


def _watch(pipe: int) -> None:
    # Nothing is ever written: reading ends when the last holder of the other end has died.
    os.read(pipe, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(PATIENCE)
    os._exit(1)
