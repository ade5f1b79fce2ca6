"""Logs that cannot be replayed to their end, copied aside before the database drops the rest.

Of a log that was cut off where a transaction ends nothing is dropped, and so nothing is kept: that
something is missing is told all the same, by what the store acknowledged.
"""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.errors import StoreUnusable
from core.store.file.acknowledged import LabelComparison, record_of
from core.store.file.disk import flush
from core.store.file.write_ahead_log import LogState, examine_log, logs_of

try:
    import fcntl
except ImportError:  # where files cannot be locked
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True)
class KeptLog:
    """A log as it was, and its copy."""

    log: Path
    copy: Path
    state: LogState
    is_new: bool

    def tell(self) -> str:
        """Return what is wrong with the log and where its copy is."""
        name, at = self.log.name, self.state.damaged_at
        if not self.state.is_known:
            what = f"The log {name} is of a kind that this version of Dissent cannot examine."
        elif at is None:
            what = f"The last of the log {name} is missing, as a machine leaves it that fails."
        else:
            what = (
                f"The log {name} is damaged at byte {at:,} of {self.state.size:,}, as a failing "
                "disk leaves it. What was saved last, behind that place, is not in the store."
            )
        return f"{what} The log as it was is kept as {self.copy.name}."


def keep_logs(store: Path) -> list[KeptLog]:
    """Copy a store's logs aside, those that cannot be replayed to their end for all one knows.

    Raises
    ------
    StoreUnusable
        There is no room for the copy, say: the store is not to be opened.
    """
    kept = []
    for log in logs_of(store):
        state = examine_log(log)
        if not state.is_sound:
            kept.append(_keep(log, state))
    return kept


def _keep(log: Path, state: LogState) -> KeptLog:
    kind = "unknown" if not state.is_known else "torn" if state.damaged_at is None else "damaged"
    written = datetime.fromtimestamp(log.stat().st_mtime, UTC)
    copy = log.with_name(f"{log.name}.{kind}-{written:%Y%m%d-%H%M%S}")
    is_new = not copy.exists()
    try:
        if is_new:
            shutil.copy2(log, copy)
    except OSError as error:
        copy.unlink(missing_ok=True)
        raise StoreUnusable(
            f"The log {log} is not whole, and what cannot be replayed of it would be lost: it has "
            f"to be kept as {copy.name}, and cannot be ({error.strerror}). Nothing was opened."
        ) from error
    return KeptLog(log, copy, state, is_new)


def cut_logs(store: Path, kept: Sequence[KeptLog]) -> bool:
    """Cut the torn transaction off logs that the database refuses; tells whether any was cut.

    Nothing is cut while another process holds the store.
    """
    if fcntl is None or not any(one.state.needs_cut for one in kept):
        return False
    with store.open("rb+") as held:
        try:
            fcntl.lockf(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        cut = [(one.log, examine_log(one.log)) for one in kept if one.state.needs_cut]
        for log, state in cut:
            if state.needs_cut and state.torn_at is not None:
                os.truncate(log, state.torn_at)
                flush(log)
    return True


def drop_copies(kept: Sequence[KeptLog]) -> None:
    """Remove the copies that were made just now: nothing was lost, or nothing was replayed."""
    for one in kept:
        if one.is_new:
            one.copy.unlink(missing_ok=True)


def settle(store: Path, kept: Sequence[KeptLog], compared: LabelComparison | None) -> str:
    """Return what was lost as a store was opened, and drop the copies that are not needed.

    Parameters
    ----------
    kept : sequence of KeptLog
        The logs that were copied aside before.
    compared : LabelComparison or None
        What was acknowledged beside what is there now.
    """
    missing = compared.missing if compared else ()
    if compared and not missing:
        # What was cut off here is kept: not everything that was saved is counted.
        spare = [one for one in kept if one.state.damaged_at is None and not one.state.needs_cut]
        drop_copies(spare)
        kept = [one for one in kept if one not in spare]
    sentences = [one.tell() for one in kept]
    if missing:
        sentences.append(
            f"What was acknowledged is not all in the store {store.name}: {'; '.join(missing)}. "
            "A backup may have the rest. If you went back to an older copy of the store on "
            f"purpose, remove {record_of(store).name}."
        )
    elif kept:
        sentences.append("A backup may still have what is missing.")
    return " ".join(sentences)
