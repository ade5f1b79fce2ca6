"""Backups made by a server itself: verified, on time, and no more of them than are kept."""

import os
import threading
import time
import zipfile
from pathlib import Path

import pytest

from core.demo import load_demo
from core.errors import BadInput
from core.settings import BackupPlan
from core.store.backup import backup_schedule
from core.store.backup.backup import restore_backup, verify_backup
from core.store.backup.backup_schedule import BackupSchedule, list_backups, make_backup
from core.store.content.collections import create_collection
from core.store.file.scratch import scratch_place
from core.store.store import Store
from tests.browser.running import wait_until
from tests.short import few, long


def test_a_backup_is_complete_and_private(store: Store, tmp_path: Path, long_form: bool):
    if long_form:
        load_demo(store)
    else:
        create_collection(store, "Cats")
    archive, written = make_backup(store, tmp_path / "backups")
    assert verify_backup(archive) == written
    assert restore_backup(archive, tmp_path / "new.duckdb") == written
    assert archive.stat().st_mode & 0o077 == 0
    assert archive.parent.stat().st_mode & 0o077 == 0
    assert list(archive.parent.iterdir()) == [archive]


def test_what_cannot_be_written_leaves_nothing(store: Store, tmp_path: Path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(FileExistsError):
        make_backup(store, tmp_path / "file")
    assert (tmp_path / "file").read_text() == "not a folder"


def test_what_a_killed_server_left_is_cleared_away(store: Store, tmp_path: Path):
    folder = tmp_path / "backups"
    left = scratch_place(folder) / "left"
    left.mkdir(parents=True)
    left.parent.chmod(0o700)
    (left / "store-2026-03-02-090000.zip").write_text("half")
    plan = BackupPlan(folder, hours=1)
    (folder / f"{store.path.stem}-2026-03-02-090000.zip").touch()  # none is due for an hour
    BackupSchedule(store, plan, [].append, [].append).end()
    assert not left.exists()


@long
def test_only_so_many_are_kept_and_nothing_else_is_touched(store: Store, tmp_path: Path):
    folder = tmp_path / "backups"
    folder.mkdir()
    stem = store.path.stem
    old = [folder / f"{stem}-2026-03-0{day}-090000.zip" for day in range(1, 6)]
    others = [folder / f"{stem}-2026-03-01-0900.zip", folder / f"{stem}-other-2026.zip"]
    for file in (*old, *others):
        file.write_text("")
    os.utime(old[-1], (0, 0))
    reports: list[int] = []
    done = threading.Event()

    def report(_: Path, rows: int, seconds: float) -> None:
        reports.append(rows)
        done.set()

    schedule = BackupSchedule(store, BackupPlan(folder, 1, 3), report, errors := [].append)
    assert done.wait(30)
    schedule.end()
    assert errors
    assert not schedule.is_failing
    kept = list_backups(store.path, folder)
    assert kept[:2] == old[-2:]
    assert len(kept) == 3
    assert verify_backup(kept[-1])
    assert all(file.exists() for file in others)


@long
def test_a_recent_backup_is_not_made_again(store: Store, tmp_path: Path):
    make_backup(store, tmp_path)
    schedule = BackupSchedule(store, BackupPlan(tmp_path, 1, 3), print, print)
    time.sleep(0.5)
    schedule.end()
    assert len(list_backups(store.path, tmp_path)) == 1


@pytest.mark.parametrize("is_guarded", few([True, False]), ids=["guarded", "without its guard"])
def test_a_clock_that_was_ahead_costs_no_later_backup(
    store: Store, tmp_path: Path, is_guarded: bool, monkeypatch: pytest.MonkeyPatch
):
    """It made as many as are kept, all dated next century; the one made now is not given up."""
    stem, ahead = store.path.stem, time.time() + 10**9
    future = [tmp_path / f"{stem}-2126-03-0{day}-090000.zip" for day in range(1, 4)]
    for file in future:
        file.write_text("")
        os.utime(file, (ahead, ahead))
    if not is_guarded:
        monkeypatch.setattr(backup_schedule, "list_backups", lambda *given: _Unsorted(
            list_backups(*given)))  # fmt: skip
    reports: list[Path] = []
    plan = BackupPlan(tmp_path, 1, 3)
    schedule = BackupSchedule(store, plan, lambda made, *_: reports.append(made), print)
    wait_until(lambda: bool(reports))
    schedule.end()
    assert reports[0].exists() == is_guarded
    kept = [reports[0], *future[1:]] if is_guarded else future
    assert list_backups(store.path, tmp_path) == kept


class _Unsorted(list[Path]):
    """Backups by name only, whatever they are to be sorted by."""

    def sort(self, **_: object) -> None:  # type: ignore[override]
        """Leave them as they are."""


def test_a_failure_is_told_and_deletes_nothing(store: Store, tmp_path: Path):
    (tmp_path / "file").write_text("not a folder")
    complaints: list[Exception] = []
    plan = BackupPlan(tmp_path / "file", 1, 1)
    schedule = BackupSchedule(store, plan, print, complaints.append)
    wait_until(lambda: bool(complaints))
    schedule.end()
    assert schedule.is_failing
    assert isinstance(complaints[0], OSError)


@long
def test_rows_that_are_not_those_of_the_store_are_noticed(store: Store, tmp_path: Path):
    """The files fit their hashes, but the rows in one are others than the store had."""
    load_demo(store)
    archive, _ = make_backup(store, tmp_path)
    with zipfile.ZipFile(archive) as source:
        files = {name: source.read(name) for name in source.namelist()}
    content = files["manifest.json"].decode()
    digits = content.partition('"labels"')[2].partition('"content": "')[2].partition('"')[0]
    files["manifest.json"] = content.replace(digits, digits[::-1]).encode()
    bad = tmp_path / "bad.zip"
    with zipfile.ZipFile(bad, "w") as target:
        for name, held in files.items():
            target.writestr(name, held)
    with pytest.raises(BadInput, match=r"bad\.zip: the rows of table labels are not those"):
        verify_backup(bad)
    with pytest.raises(BadInput, match=r"bad\.zip: the rows of table labels are not those"):
        restore_backup(bad, tmp_path / "new.duckdb")
    assert not (tmp_path / "new.duckdb").exists()
