"""Backups that a server makes by itself, verified before they count, the oldest given up."""

import re
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from core.settings import BackupPlan
from core.store.backup.backup import save_backup
from core.store.file.scratch import sweep_scratch
from core.store.store import Store

_RETRY = 900.0
"""Seconds until a backup that failed is tried again."""


def make_backup(store: Store, folder: Path) -> tuple[Path, dict[str, int]]:
    """Save a backup in a folder; returns the archive and its rows by table."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    target = folder / f"{store.path.stem}-{datetime.now(UTC):%Y-%m-%d-%H%M%S}.zip"
    return target, save_backup(store, target)


def list_backups(store: Path, folder: Path) -> list[Path]:
    """Return the backups of a store that a server made, oldest first."""
    name = re.compile(re.escape(store.stem) + r"-\d{4}-\d\d-\d\d-\d{6}\.zip")
    if not folder.is_dir():
        return []
    return sorted(file for file in folder.iterdir() if name.fullmatch(file.name))


class BackupSchedule:
    """Makes backups of an open store in a thread of its own until it is ended.

    Parameters
    ----------
    store : Store
        What is backed up.
    plan : BackupPlan
        Where to, how often, and how many are kept.
    report : callable
        Called with the archive, its rows and the seconds it took.
    complain : callable
        Called with the error when a backup fails; it is tried again.

    Attributes
    ----------
    is_failing : bool
        Whether the latest attempt failed.
    """

    def __init__(
        self,
        store: Store,
        plan: BackupPlan,
        report: Callable[[Path, int, float], None],
        complain: Callable[[Exception], None],
    ) -> None:
        self._store, self._plan = store, plan
        self._report, self._complain = report, complain
        self._ended = threading.Event()
        self.is_failing = False
        sweep_scratch(plan.folder)
        self._thread = threading.Thread(target=self._run, name="backups", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Make no more backups; waits for one that is being made."""
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        wait = self._due()
        while not self._ended.wait(wait):
            self._attempt()
            every = self._plan.hours * 3600
            wait = min(_RETRY, every) if self.is_failing else every

    def _due(self) -> float:
        """Return the seconds until the first: a server that restarts often makes no more."""
        every, now = self._plan.hours * 3600, time.time()
        made = [one.stat().st_mtime for one in list_backups(self._store.path, self._plan.folder)]
        # What was made while the clock was ahead must not put the next backup off.
        latest = next((one for one in reversed(made) if one <= now), now - every)
        return max(latest + every - now, 0.0)

    def _attempt(self) -> None:
        begun = time.perf_counter()
        try:
            archive, written = make_backup(self._store, self._plan.folder)
            made = list_backups(self._store.path, self._plan.folder)
            # A clock made those that was ahead: what is made now is later, and is not given up.
            made.sort(key=lambda one: (one.name <= archive.name, one.name))
            for old in made[: -self._plan.keep]:
                old.unlink()
        except Exception as error:
            self.is_failing = True
            self._complain(error)
        else:
            self.is_failing = False
            self._report(archive, sum(written.values()), time.perf_counter() - begun)
