"""A full disk: writes are refused loudly, nothing is spoilt, and it goes on once there is room."""

import json
import os
import random
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.command.check import check_store
from core.errors import StoreFull
from core.store.backup import backup
from core.store.backup.backup import restore_backup, save_backup
from core.store.store import Store
from tests.bench.collection import Prepared, prepare
from tests.browser.conftest import begin, press_when_seen, sign_in
from tests.browser.running import Running, wait_until
from tests.faults.assessors import Crowd, make_assessors, tally
from tests.short import long

SEED = 7002
FREE = resource.RLIM_INFINITY


def limit_files(pid: int, size: int) -> None:
    """Let a process write no file beyond a size, as a disk without room for more would."""
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, FREE))


def log_size(store: Path) -> int:
    log = store.with_name(store.name + ".wal")
    return log.stat().st_size if log.exists() else 0


@long
@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs Linux")
@pytest.mark.timeout(600)
def test_writes_are_refused_until_there_is_room(
    tmp_path: Path, long_form: bool, record_property: Callable[[str, object], None]
):
    rounds = 20 if long_form else 1
    path = tmp_path / "store.duckdb"
    prepared = prepare(path, documents=40, assessors=8 if long_form else 4)
    server = Running(path, tmp_path / "server.log", {"DISSENT_LOG": "json"})
    server.start()
    crowd = Crowd(make_assessors(server.port, prepared, SEED))
    try:
        crowd.begin()
        for _ in range(rounds):
            before = crowd.count("200")
            wait_until(lambda least=before + 10: crowd.count("200") > least)
            limit_files(server.pid, log_size(path) + 3000)
            before = crowd.count("507")
            wait_until(lambda least=before + 10: crowd.count("507") > least)
            limit_files(server.pid, FREE)
            before = crowd.count("200")
            wait_until(lambda least=before + 10: crowd.count("200") > least)
        crowd.finish()
    finally:
        server.kill()
    found = tally(path, crowd.assessors)
    refused = crowd.count("507")
    record_property("counts", f"{rounds} times full, {refused} requests refused; {found}")
    assert found.is_clean(), str(found)
    assert found.acknowledged == found.made
    assert {status for one in crowd.assessors for status in one.answers} <= {
        "200", "507", "cut off", "unheard"
    }  # fmt: skip
    told = [json.loads(line) for line in server.log.read_text().splitlines() if line[:1] == "{"]
    assert any(line.get("error") == "StoreFull" and line["status"] == 507 for line in told)


@contextmanager
def mount_small_disk(folder: Path, size: str) -> Iterator[Callable[[str], None]]:
    """Mount a small disk in memory; yields what changes its size."""
    folder.mkdir()
    options = ("-t", "tmpfs", "none", str(folder))
    done = subprocess.run(["mount", "-o", f"size={size}", *options], capture_output=True)
    if done.returncode:
        pytest.skip("no disk can be mounted here; the limit on a file's size is tested instead")
    try:
        yield (
            lambda to: (
                subprocess.run(["mount", "-o", f"remount,size={to}", str(folder)], check=True)
                and None
            )
        )
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@long
@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs root on Linux")
@pytest.mark.browser
def test_the_save_state_says_so_and_nothing_is_lost(page: Page, tmp_path: Path):
    """On a disk that is really full, in a real browser."""
    with mount_small_disk(tmp_path / "disk", "20m") as resize:
        path = tmp_path / "disk" / "store.duckdb"
        prepared = prepare(path, documents=20, assessors=1)
        server = Running(path, tmp_path / "server.log")
        server.start()
        try:
            judge_on_a_full_disk(page, server, prepared, resize)
        finally:
            server.kill()
        assert [fault for one in check_store(path) for fault in one.faults] == []


def judge_on_a_full_disk(
    page: Page, server: Running, prepared: Prepared, resize: Callable[[str], None]
) -> None:
    sign_in(page, server, prepared.assessor_link)
    root = begin(page)
    save = page.get_by_test_id("save-state")
    press_when_seen(page, "1")
    expect(save).to_have_text("All saved")
    filler = server.store.parent / "filler"
    fill_disk(filler)
    press_when_seen(page, "2")
    # What room is left in the log's last block of the disk may still take some.
    for _ in range(8):
        page.wait_for_timeout(300)
        press_when_seen(page, "3")
    expect(save).to_contain_text("No room on the server")
    expect(save).to_contain_text("on this device")
    assert not server.answers()  # the health route says so, too
    resize("60m")
    expect(save).to_have_text("All saved")
    expect(root).to_have_attribute("data-waiting", "0")


def fill_disk(file: Path) -> None:
    """Write until the disk takes no more."""
    with file.open("wb", buffering=0) as stream:
        for size in (1_000_000, 4096, 512, 1):
            try:
                while True:
                    stream.write(random.Random(size).randbytes(size))
            except OSError:
                continue


@pytest.fixture
def study(tmp_path: Path) -> tuple[Path, Path]:
    """Return a store and an archive of it, on a disk with room."""
    path, archive = tmp_path / "study.duckdb", tmp_path / "study.zip"
    prepare(path, documents=40, assessors=2)
    with closing(Store(path)) as store:
        save_backup(store, archive)
    return path, archive


@long
@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs root on Linux")
@pytest.mark.parametrize("is_asked", [True, False])
def test_backups_and_restores_without_room_leave_nothing(
    tmp_path: Path, study: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, is_asked: bool
):
    """Room is asked for beforehand; where it is gone all the same, that is a sentence, too."""
    written: list[str] = []
    unpack = backup._unpack_part

    def note(source: zipfile.ZipFile, name: str, folder: Path) -> str:
        written.append(name)
        return unpack(source, name, folder)

    monkeypatch.setattr(backup, "_unpack_part", note)
    if not is_asked:
        monkeypatch.setattr(backup, "require_room", lambda *_: None)
    with mount_small_disk(tmp_path / "disk", "8m") as resize:
        disk = tmp_path / "disk"
        fill_disk(disk / "filler")
        before = sorted(disk.iterdir())
        with pytest.raises(StoreFull, match=str(disk)):
            restore_backup(study[1], disk / "new.duckdb")
        assert bool(written) is not is_asked
        with closing(Store(study[0])) as store, pytest.raises(StoreFull, match=str(disk)):
            save_backup(store, disk / "study.zip")
        assert sorted(disk.iterdir()) == before
        resize("200m")
        with closing(Store(study[0])) as store:
            counts = save_backup(store, disk / "study.zip")
        assert restore_backup(disk / "study.zip", disk / "new.duckdb") == counts
