"""Private folders for what is unpacked on the way, cleared even after a crash.

They lie in a known place, beside the store or in the system's temporary folder, and are locked by
whoever uses them. What nobody holds any more was left by a process that was killed.
"""

import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.errors import StoreUnusable

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

_SPILLED = "duckdb_temp_*"
_DAY = 86_400.0
"""Seconds after which a folder counts as left behind where there are no locks to tell."""


@contextmanager
def scratch_folder(beside: Path | None = None) -> Iterator[Path]:
    """Yield an empty folder for its owner only, and remove it with all that is in it.

    Parameters
    ----------
    beside : Path, optional
        The folder in which its place is; the system's temporary folder by default. What killed
        processes left there is cleared first.

    Raises
    ------
    StoreUnusable
        Something that is not this account's is in its place, or there is no such folder.
    """
    place = scratch_place(beside or temporary_folder())
    sweep_scratch(place.parent)
    folder, lock = _make(place)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        _let_go(lock)
        _tidy(place)


def temporary_folder() -> Path:
    """Return the system's folder for temporary files.

    Raises
    ------
    StoreUnusable
        There is none that this account can write.
    """
    try:
        return Path(tempfile.gettempdir())
    except OSError as error:
        raise StoreUnusable(
            "There is no folder for temporary files that this account can write: let TMPDIR name "
            f"one. {error.strerror}."
        ) from error


def scratch_place(beside: Path) -> Path:
    """Return where the scratch folders in a folder lie: one place for each account."""
    account = os.geteuid() if os.name == "posix" else 0
    return Path(os.path.realpath(beside)) / f".dissent-scratch-{account}"


def sweep_scratch(beside: Path) -> None:
    """Clear the scratch folders in a folder that no process holds any more."""
    place = scratch_place(beside)
    # It is not there, or another process has cleared it; or what should hold it is no folder.
    with suppress(FileNotFoundError, NotADirectoryError):
        if _is_private(place):
            for folder in place.iterdir():
                with suppress(OSError):
                    _sweep(folder)
            _tidy(place)


def clear_leftovers(store: Path) -> None:
    """Clear what killed processes left of a store that this one has just opened for work."""
    sweep_scratch(store.absolute().parent)
    with suppress(StoreUnusable):  # where nothing can be written, nothing was left
        sweep_scratch(temporary_folder())
    spilled = store.with_name(f"{store.name}.tmp")
    # The database would clear it, too, but only when it runs out of memory again.
    for file in spilled.glob(_SPILLED):
        file.unlink(missing_ok=True)
    _tidy(spilled)


def _make(place: Path) -> tuple[Path, int | None]:
    """Make a folder and lock it; another process may take it for left behind until it is."""
    while True:
        try:
            with suppress(FileExistsError):
                place.mkdir(mode=0o700)
        except OSError as error:  # of which the folder around it is what matters
            raise OSError(error.errno, error.strerror, str(place.parent)) from error
        lock = None
        with suppress(FileNotFoundError):  # another process has tidied up meanwhile
            if not _is_private(place):
                raise StoreUnusable(
                    f"{place} is not a folder of this account's alone, and what is unpacked would "
                    "not be safe in it. Remove it, or have it removed by its owner."
                )
            folder = Path(tempfile.mkdtemp(dir=place))
            with suppress(OSError):
                lock = _open(folder)
                if lock is not None:
                    fcntl.flock(lock, fcntl.LOCK_EX)
            if folder.exists():
                return folder, lock
        _let_go(lock)


def _is_private(place: Path) -> bool:
    facts = place.lstat()
    if os.name != "posix":
        return True
    is_mine = stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid()
    return is_mine and not facts.st_mode & (stat.S_IRWXG | stat.S_IRWXO)


def _sweep(folder: Path) -> None:
    """Remove a folder that is left; one in use stays."""
    facts = folder.lstat()
    lock = _open(folder)
    try:
        if _is_left(lock, facts):
            shutil.rmtree(folder, ignore_errors=True)
    finally:
        _let_go(lock)


def _is_left(lock: int | None, facts: os.stat_result) -> bool:
    try:
        if lock is not None:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
    except BlockingIOError:
        return False
    except OSError:
        pass
    return time.time() - facts.st_mtime > _DAY


def _open(folder: Path) -> int | None:
    return None if fcntl is None else os.open(folder, os.O_RDONLY | os.O_NOFOLLOW)


def _let_go(lock: int | None) -> None:
    if lock is not None:
        os.close(lock)


def _tidy(place: Path) -> None:
    """Remove a place that is empty; one that is not stays."""
    with suppress(OSError):
        place.rmdir()
