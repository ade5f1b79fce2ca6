"""The names of a store's logs: that they come and go is flushed, too.

The database flushes what it writes, but not the folder in which it makes a log and removes it.
After a power cut a new log could be gone, with all that was acknowledged since, or an old one be
back, which does not fit the store's file any more.
"""

import os
import threading
from contextlib import suppress
from pathlib import Path

from core.store.file.disk import flush

_ENDINGS = (".wal", ".wal.checkpoint")
"""The second is written while the first is merged into the store's file, and takes its place."""

_OUTDATED = (
    "the WAL was created for an older version of this database",
    "checkpoint WAL cannot contain a checkpoint marker",
)
"""What the database says of a log that was removed, or replaced, and is there again."""


class LogNames:
    """Knows which logs of a store are in its folder on the disk itself.

    Parameters
    ----------
    store : Path
        The store's file.
    """

    def __init__(self, store: Path) -> None:
        self._logs = _name_logs(store)
        # Held open: the number of a file that is still open is given to no other.
        self._flushed: dict[Path, int] = {}
        self._lock = threading.Lock()

    def flush_changes(self) -> None:
        """Flush the folder if a log has come or gone since the last call."""
        with self._lock:
            if not any(self._has_changed(log) for log in self._logs):
                return
            self._forget()
            for log in self._logs:
                with suppress(FileNotFoundError):
                    self._flushed[log] = os.open(log, os.O_RDONLY)
            try:
                flush(self._logs[0].parent)
            except BaseException:
                self._forget()
                raise

    def close(self) -> None:
        """Let go of every log."""
        with self._lock:
            self._forget()

    def _has_changed(self, log: Path) -> bool:
        known = self._flushed.get(log)
        try:
            now = os.stat(log)
        except FileNotFoundError:
            return known is not None
        return known is None or not os.path.samestat(now, os.fstat(known))

    def _forget(self) -> None:
        while self._flushed:
            os.close(self._flushed.popitem()[1])


def take_outdated_away(store: Path, complaint: str) -> bool:
    """Take away a log that a power cut brought back, if that is what the database complains of.

    All of it was merged into the store's file before it was removed. The log that was to take its
    place does so now.

    Returns
    -------
    bool
        Whether the store may be opened now.
    """
    log, successor = _name_logs(store)
    if not (log.exists() and any(words in complaint for words in _OUTDATED)):
        return False
    log.replace(log.with_name(f"{log.name}.outdated"))
    if successor.exists():
        successor.rename(log)
    flush(log.parent)
    return True


def _name_logs(store: Path) -> list[Path]:
    return [store.absolute().with_name(store.name + ending) for ending in _ENDINGS]
