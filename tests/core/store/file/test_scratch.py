"""Scratch folders: private, gone afterwards, and swept when nobody holds them any more."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreUnusable
from core.settings import ROOT
from core.store.backup.backup import save_backup, verify_backup
from core.store.file import scratch
from core.store.file.scratch import clear_leftovers, scratch_folder, scratch_place, sweep_scratch
from core.store.store import Store

HOLD = """
import os, signal, sys
from pathlib import Path
from core.store.file.scratch import scratch_folder
with scratch_folder(Path(sys.argv[1])) as folder:
    (folder / "names.parquet").write_text("Zuzana")
    print(folder, flush=True)
    sys.stdin.read()
"""


def hold(place: Path) -> "subprocess.Popen[str]":
    """Return a process that keeps a scratch folder in a place, until it is let go or killed."""
    return subprocess.Popen(
        [sys.executable, "-c", HOLD, str(place)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def held_folder(process: "subprocess.Popen[str]") -> Path:
    assert process.stdout is not None
    return Path(process.stdout.readline().strip())


def test_it_is_private_and_goes_with_what_is_in_it(tmp_path: Path):
    before = os.umask(0)
    try:
        with scratch_folder(tmp_path) as folder:
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700
            assert folder.parent == scratch_place(tmp_path)
            (folder / "inner").mkdir()
            (folder / "inner" / "file").write_text("x")
    finally:
        os.umask(before)
    assert list(tmp_path.iterdir()) == []


def test_it_goes_when_its_work_fails(tmp_path: Path):
    def work() -> None:
        with scratch_folder(tmp_path) as folder:
            (folder / "file").write_text("x")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        work()
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_is_not_there_is_named(tmp_path: Path):
    with pytest.raises(FileNotFoundError) as caught, scratch_folder(tmp_path / "no"):
        pass
    assert caught.value.filename == str(tmp_path / "no")


@pytest.mark.skipif(os.name != "posix", reason="locks of folders are POSIX")
def test_what_another_process_holds_stays_until_it_is_killed(tmp_path: Path):
    with hold(tmp_path) as process:
        folder = held_folder(process)
        sweep_scratch(tmp_path)
        assert (folder / "names.parquet").exists()
        process.kill()
        process.wait(30)
        assert (folder / "names.parquet").exists(), "a kill leaves it: there is something to sweep"
        with scratch_folder(tmp_path) as other:
            assert list(scratch_place(tmp_path).iterdir()) == [other]


@pytest.mark.skipif(os.name != "posix", reason="locks of folders are POSIX")
def test_without_a_look_at_the_lock_work_in_progress_would_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    with hold(tmp_path) as process:
        folder = held_folder(process)
        monkeypatch.setattr(scratch, "_is_left", lambda *_: True)
        sweep_scratch(tmp_path)
        assert not folder.exists()
        process.kill()


def test_opening_a_store_clears_what_killed_processes_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    elsewhere = tmp_path / "tmp"
    elsewhere.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(elsewhere))
    store = tmp_path / "study.duckdb"
    spilled = tmp_path / "study.duckdb.tmp"
    spilled.mkdir()
    (spilled / "duckdb_temp_4711_0_storage_DEFAULT-0.tmp").write_text("Zuzana")
    for place in (tmp_path, elsewhere):
        left = scratch_place(place) / "left"
        left.mkdir(parents=True)
        left.parent.chmod(0o700)
        (left / "people.parquet").write_text("Zuzana")
    Store(store).close()
    assert set(tmp_path.iterdir()) == {elsewhere, store}
    assert list(elsewhere.iterdir()) == []


def test_what_is_not_the_databases_stays(tmp_path: Path):
    spilled = tmp_path / "study.duckdb.tmp"
    spilled.mkdir()
    (spilled / "notes.txt").write_text("mine")
    (spilled / "duckdb_temp_4711_0_owner").touch()
    clear_leftovers(tmp_path / "study.duckdb")
    assert list(spilled.iterdir()) == [spilled / "notes.txt"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX files")
@pytest.mark.parametrize("how", ["a link", "a file", "open to others", "another account's"])
def test_a_place_that_is_not_ours_alone_is_left_and_not_used(tmp_path: Path, how: str):
    place = scratch_place(tmp_path)
    real = tmp_path / "real"
    real.mkdir(mode=0o700)
    (real / "letter").write_text("Dear all")
    if how == "a link":
        place.symlink_to(real)
    elif how == "a file":
        place.write_text("x")
    else:
        real.rename(place)
        place.chmod(0o750)
        if how == "another account's":
            if os.geteuid() != 0:
                pytest.skip("needs root")
            place.chmod(0o700)
            os.chown(place, 65534, 65534)
    sweep_scratch(tmp_path)
    assert how == "a file" or (place / "letter").exists()

    def use() -> None:
        with scratch_folder(tmp_path):
            pass

    with pytest.raises(StoreUnusable, match="not a folder of this account's alone"):
        use()
    assert place.is_symlink() or place.exists()


def test_where_there_are_no_locks_a_day_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scratch, "fcntl", None)
    place = scratch_place(tmp_path)
    young, old = place / "young", place / "old"
    for folder in (young, old):
        folder.mkdir(parents=True)
    place.chmod(0o700)
    os.utime(old, (0, 0))
    with scratch_folder(tmp_path) as folder:
        assert set(place.iterdir()) == {young, folder}
    assert list(place.iterdir()) == [young]


@pytest.mark.skipif(os.name != "posix", reason="locks of folders are POSIX")
def test_many_at_once_never_take_each_others(tmp_path: Path):
    """Each folder is there from its first moment to its last, while others sweep."""
    lost: list[Path] = []

    def work() -> None:
        for _ in range(40):
            with scratch_folder(tmp_path) as folder:
                (folder / "file").write_text("x")
                sweep_scratch(tmp_path)
                if (folder / "file").read_text() != "x":
                    lost.append(folder)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert lost == []
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def without_a_temporary_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no folder in which anybody could write."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/proc/nowhere"])


@pytest.mark.usefixtures("without_a_temporary_folder")
def test_without_a_temporary_folder_what_needs_none_goes_on(blank_store: Path, tmp_path: Path):
    path = Path(shutil.copy(blank_store, tmp_path / "store.duckdb"))
    with closing(Store(path)) as store:
        save_backup(store, tmp_path / "backup.zip")
    with pytest.raises(StoreUnusable, match="let TMPDIR name one"), scratch_folder():
        pass
    with pytest.raises(StoreUnusable, match="let TMPDIR name one"):
        verify_backup(tmp_path / "backup.zip")


@pytest.mark.usefixtures("without_a_temporary_folder")
def test_without_its_words_it_is_an_error_of_the_system(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(scratch, "temporary_folder", lambda: Path(tempfile.gettempdir()))
    with pytest.raises(FileNotFoundError), scratch_folder():
        pass
