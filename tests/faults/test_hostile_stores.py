"""Stores that somebody sent: no pipe is waited for, and few bytes take no endless memory."""

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from core.errors import BadInput, DissentError
from core.settings import ROOT
from core.store.file import memory
from core.store.merge.merge import merge_stores
from core.store.store import Store
from tests.core.command.whole_store import build_study
from tests.short import few, long

MEMORY = """
import resource, sys
from core.command.main import main
status = main(sys.argv[1:])
print("peak", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, status)
"""

WORK = {
    "merge": ("merge", "{whole}", "{store}", "--into", "{new}"),
    "check": ("check", "{store}", "--no-copy"),
    "check by use": ("check", "{store}"),
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of every kind, to be read or copied."""
    path = tmp_path_factory.mktemp("whole") / "study.duckdb"
    build_study(path)
    return path


@pytest.fixture(scope="module")
def burst(tmp_path_factory: pytest.TempPathFactory, study: Path) -> Path:
    """A store with 4.8 GB of equal letters, in a file that is hardly larger for them."""
    path = tmp_path_factory.mktemp("burst") / "burst.duckdb"
    with closing(duckdb.connect()) as raw:
        raw.execute(f"ATTACH '{study}' AS whole (READ_ONLY)")
        raw.execute(f"ATTACH '{path}' AS burst (STORAGE_VERSION 'v1.2.0')")
        raw.execute("COPY FROM DATABASE whole TO burst")
        raw.execute("SET force_compression = 'zstd'")
        raw.execute(
            "INSERT INTO burst.documents BY NAME SELECT 'z' || i AS document_id, '' AS title, "
            "repeat('a', 8_000_000) AS text, '' AS url, '' AS html, (SELECT min(collection_id) "
            "FROM whole.collections) AS collection_id FROM range(600) AS rows(i)"
        )
        raw.execute("CHECKPOINT burst")
    assert path.stat().st_size < study.stat().st_size + 4 * 2**20
    return path


@long
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is told in other units elsewhere")
@pytest.mark.parametrize("what", WORK)
def test_few_bytes_take_little_memory(
    burst: Path,
    tmp_path: Path,
    study: Path,
    what: str,
    record_property: Callable[[str, object], None],
):
    places = {"whole": study, "store": burst, "new": tmp_path / "new.duckdb"}
    words = [word.format(**places) for word in WORK[what]]
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, *words],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30)),
        capture_output=True,
        text=True,
    )
    _, peak, status = done.stdout.split()[-3:]
    record_property("counts", f"{what}: {peak} MB at most")
    assert (status, int(peak) < 900) == ("1", True), done.stdout + done.stderr
    assert "takes far more memory than a store of its size needs" in done.stderr
    assert [file.name for file in tmp_path.iterdir()] == []


def test_what_takes_too_much_memory_is_told_and_leaves_nothing(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The limit alone decides: with as much as there is, the same stores are merged."""
    stores = [Path(shutil.copy(study, tmp_path / f"{n}.duckdb")) for n in (1, 2)]
    with closing(duckdb.connect(stores[1])) as raw:
        raw.execute("UPDATE collections SET guidelines = repeat('a', 30_000_000)")
    monkeypatch.setattr("core.store.merge.merge.limit_memory", lambda *_: "24MiB")
    with pytest.raises(BadInput, match="takes far more memory than a store of its size needs"):
        merge_stores(*stores, tmp_path / "new.duckdb")
    assert sorted(tmp_path.iterdir()) == stores
    monkeypatch.setattr("core.store.merge.merge.limit_memory", memory.limit_memory)
    merge_stores(*stores, tmp_path / "new.duckdb")


def make_pipe(place: Path) -> None:
    os.mkfifo(place)


def make_folder(place: Path) -> None:
    place.mkdir()


def make_device(place: Path) -> None:
    place.symlink_to("/dev/zero")


NO_FILES = {"a pipe": make_pipe, "a device": make_device, "a folder": make_folder}
DOORS = {
    "a command": ("backup", "{new}", "--store", "{place}"),
    "check": ("check", "{place}"),
    "restore": ("restore", "{place}", "--store", "{new}"),
    "merge": ("merge", "{whole}", "{place}", "--into", "{new}"),
    "a mapping": ("merge", "{whole}", "{whole}", "--into", "{new}", "--map", "{place}"),
}


@long
@pytest.mark.skipif(os.name != "posix", reason="pipes in folders are POSIX")
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("what", few(NO_FILES))
def test_what_is_no_file_is_not_waited_for(study: Path, tmp_path: Path, what: str, door: str):
    place, new = tmp_path / "place", tmp_path / "new"
    NO_FILES[what](place)
    words = [word.format(place=place, new=new, whole=study) for word in DOORS[door]]
    done = subprocess.run(
        [sys.executable, "-m", "core.command.main", *words],
        cwd=ROOT,
        timeout=60,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (1, ""), done.stderr
    assert done.stderr.startswith("dissent: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert not new.exists()


@pytest.mark.skipif(os.name != "posix", reason="pipes in folders are POSIX")
def test_a_store_that_is_a_pipe_is_none(tmp_path: Path):
    make_pipe(tmp_path / "pipe")
    with pytest.raises(DissentError, match="is no file, and so no store"):
        Store(tmp_path / "pipe")
