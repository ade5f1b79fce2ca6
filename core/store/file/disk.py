"""The disk below a store: whether it has room, and whether what was written is on it."""

import errno
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from core.errors import BadInput, StoreFull, StoreUnusable
from core.store.file.write_ahead_log import log_of

SPARE = 64_000_000
"""Bytes that are left to whatever else writes to a disk."""

_NO_ROOM = re.compile("No space left|File too large|Disk quota exceeded|not enough space", re.I)
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)
_CANNOT_FLUSH = (errno.EBADF, errno.EINVAL, errno.ENOTSUP)
"""How file systems say that the names in a folder need no flushing, or cannot be flushed."""


def lacks_room(error: BaseException) -> bool:
    """Tell whether something failed for want of room on a disk, and for no other reason."""
    if isinstance(error, OSError):
        return error.errno in _FULL
    is_full = isinstance(error, duckdb.Error) and _NO_ROOM.search(str(error)) is not None
    return is_full or isinstance(error, StoreFull)


@contextmanager
def expect_room(*folders: Path) -> Iterator[None]:
    """Say it in a sentence when what is written into folders meanwhile finds no room.

    Raises
    ------
    StoreFull
        In place of what the database or the system say.
    """
    try:
        yield
    except (duckdb.Error, OSError) as error:
        if lacks_room(error):
            raise no_room(*folders) from error
        raise


def no_room(*folders: Path) -> StoreFull:
    """Return the error that nothing could be kept as the disk of some folders is full."""
    places = " or ".join(sorted({str(folder) for folder in folders}))
    return StoreFull(
        f"There is no room left on the disk of {places}. Nothing of this was kept; make room "
        "there, and try again."
    )


def require_room(folder: Path, size: int, what: str) -> None:
    """Raise StoreFull where a disk has no room for so many bytes, before any is written."""
    free = shutil.disk_usage(folder).free
    if free < size + SPARE:
        raise StoreFull(
            f"{what} needs {_megabytes(size + SPARE)} on the disk of {folder}, where "
            f"{_megabytes(free)} are free. Nothing was written; make room there, and try again."
        )


def flush(path: Path) -> None:
    """Have a file, or the names in a folder, written to the disk itself."""
    if os.name != "posix" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if not (path.is_dir() and error.errno in _CANNOT_FLUSH):
            raise
    finally:
        os.close(handle)


def put_in_place(draft: Path, target: Path, *, is_new: bool = False) -> None:
    """Give a complete file its name, so that a power cut leaves all of it there or nothing.

    Raises
    ------
    BadInput
        The file is to be new, and something else has the name by now; that stays.
    """
    flush(draft)
    if is_new and target.exists():
        raise BadInput(f"{target} was made by something else meanwhile; it was left as it is")
    draft.replace(target)
    flush(target.parent)


def _megabytes(size: int) -> str:
    return f"{max(size / 1e6, 0.1):,.1f} MB"


_COPY = (
    "copy the store, with its .key and its .wal where there is one, to a folder that the account "
    "can write. 'dissent check' reads a store where it is."
)


def require_access(store: Path) -> None:
    """Raise StoreUnusable where a store cannot be worked on, and say what to do about it."""
    folder = store.absolute().parent
    if folder.is_dir() and not _is_writable(folder):
        raise StoreUnusable(
            f"The folder {folder} cannot be written by this account, and the store's log has to be "
            f"in it. Let the account write there (chown, chmod u+rwx), or {_COPY}"
        )
    for file in (store, log_of(store)):
        if file.exists() and not os.access(file, os.R_OK | os.W_OK):
            raise StoreUnusable(
                f"The store's file {file} cannot be read and written by this account. Make the "
                f"account its owner (chown, chmod 600), or {_COPY}"
            )
    key = store.with_name(store.name + ".key")
    if key.exists() and not os.access(key, os.R_OK):
        raise StoreUnusable(
            f"The signing key {key} cannot be read by this account. Make the account its owner "
            "(chown, chmod 600)."
        )


def require_writable(folder: Path) -> None:
    """Raise BadInput where nothing can be put into a folder."""
    if not folder.is_dir():
        raise BadInput(f"there is no folder {folder}; make it first, or choose another")
    if not _is_writable(folder):
        raise BadInput(
            f"the folder {folder} cannot be written by this account; let it write there (chown, "
            "chmod u+rwx), or choose another"
        )


def _is_writable(folder: Path) -> bool:
    return os.access(folder, os.W_OK | os.X_OK)
