"""Killed while names and texts lie unpacked: nothing of the study is left after the next start."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.settings import ROOT
from core.store.backup.backup import restore_backup, save_backup
from core.store.file import scratch
from core.store.merge.merge import merge_stores
from core.store.store import Store
from tests.browser.running import Running
from tests.core.command.whole_store import build_study
from tests.short import few, long

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills are POSIX")

MOST = 25
"""How many moments of one kind of work are tried with --long."""

# Ends itself, as kill -9 does, before the n-th thing that Python does with a scratch folder.
WORK = """
import os, signal, sys
from pathlib import Path
limit, what, words = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
seen = 0

EVENTS = ("open", "os.mkdir", "os.remove", "os.rename", "os.rmdir")

def watch(event, given):
    global seen
    if event in EVENTS and ".dissent-scratch-" in str(given):
        seen += 1
        if seen == limit:
            os.kill(os.getpid(), signal.SIGKILL)

from core.command.main import main
sys.addaudithook(watch)
if what == "page":
    from core.store.store import Store
    from pages.collection.export import read_backup
    store = Store(Path(words[0]))
    read_backup(store)
    store.close()
elif main([what, *words]):
    sys.exit("it failed")
print(seen)
"""


@dataclass(frozen=True)
class Place:
    """A store, an archive of it, and a temporary folder, with nothing else around them."""

    root: Path

    @property
    def store(self) -> Path:
        return self.root / "data" / "study.duckdb"

    @property
    def archive(self) -> Path:
        return self.root / "archives" / "study.zip"

    def words(self, what: str) -> list[str]:
        """Return what to do: the kind of work and what it works on."""
        return [what, *map(str, {
            "backup": (self.root / "archives" / "new.zip", "--store", self.store),
            "restore": (self.archive, "--store", self.root / "data" / "new.duckdb"),
            "check": (self.archive,),
            "page": (self.store,),
            "merge": (self.store, self.store, "--into", self.root / "data" / "merged.duckdb"),
        }[what])]  # fmt: skip

    def work(self, what: str, kill_before: int = 0) -> "subprocess.CompletedProcess[str]":
        """Do it in a process of its own, to the end or until it is killed."""
        return subprocess.run(
            [sys.executable, "-c", WORK, str(kill_before), *self.words(what)],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": str(self.root / "tmp")},
            capture_output=True,
            text=True,
        )

    def files(self) -> set[str]:
        return {str(file.relative_to(self.root)) for file in self.root.rglob("*") if file.is_file()}

    def left(self) -> set[str]:
        """Return what lies in scratch folders."""
        return {file for file in self.files() if ".dissent-scratch-" in file}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Place:
    made = Place(tmp_path_factory.mktemp("study"))
    for name in ("data", "archives", "tmp"):
        (made.root / name).mkdir()
    build_study(made.store)
    with closing(Store(made.store)) as store:
        save_backup(store, made.archive)
    return made


@pytest.fixture
def place(study: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """Return a copy of the study, and work with its temporary folder."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    return Place(Path(shutil.copytree(study.root, tmp_path, dirs_exist_ok=True)))


def start_again(place: Place, what: str) -> set[str]:
    """Do what whoever finds the work cut off does next: the same again, or open the store.

    Returns the files that are new then.
    """
    if what == "restore":
        made = place.root / "data" / "new.duckdb"
        if not made.exists():
            restore_backup(place.archive, made)
    elif what == "merge":
        made = place.root / "data" / "merged.duckdb"
        if not made.exists():
            merge_stores(place.store, place.store, made)
    elif what == "backup":
        made = place.root / "archives" / "new.zip"
        with closing(Store(place.store)) as store:
            save_backup(store, made)
    else:
        Store(place.store).close()
        return set()
    return {str(made.relative_to(place.root))}


@long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("what", few(["backup", "restore", "check", "page", "merge"]))
def test_nothing_of_the_study_is_left(
    place: Place, what: str, long_form: bool, record_property: Callable[[str, object], None]
):
    before, moments = place.files(), [40]
    if long_form:
        done = place.work(what)
        assert done.returncode == 0, done.stderr
        last = int(done.stdout.splitlines()[-1])
        moments = list(range(1, last + 1, max(last // MOST, 1)))
    found = 0
    for moment in moments:
        for file in place.files() - before:
            (place.root / file).unlink()
        done = place.work(what, moment)
        assert done.returncode == -signal.SIGKILL, done.stderr
        found += bool(place.left())
        new = start_again(place, what)
        assert place.files() == before | new, f"killed before moment {moment}"
        assert not any((place.root / file).stat().st_mode & 0o077 for file in new)
    record_property("counts", f"{what}: {len(moments)} kills, {found} left something unpacked")
    assert found > len(moments) / 2


@long
def test_without_the_sweep_it_is_left_for_good(place: Place, monkeypatch: pytest.MonkeyPatch):
    assert place.work("check", 40).returncode == -signal.SIGKILL
    with monkeypatch.context() as patch:
        patch.setattr(scratch, "_sweep", lambda _: None)
        start_again(place, "check")
        assert place.left()
    start_again(place, "check")
    assert not place.left()


SPILL = """
import os, signal, sys, threading, time
from pathlib import Path
import duckdb
from core.store.store import Store
path, connect = Path(sys.argv[1]), duckdb.connect

def with_little_memory(file=":memory:", *, config, **options):
    small = {"threads": 1, "memory_limit": "60MB"}
    return connect(file, config={**config, **small}, **options)

duckdb.connect = with_little_memory

def end():
    while not any(file.stat().st_size for file in Path(f"{path}.tmp").glob("*")):
        time.sleep(0.01)
    os.kill(os.getpid(), signal.SIGKILL)

store = Store(path)
threading.Thread(target=end, daemon=True).start()
cursor = store.cursor()
cursor.execute("CREATE TEMP TABLE t AS SELECT range AS n, md5(range::VARCHAR) || name AS s "
               "FROM people, range(2_000_000)")
cursor.execute("FROM t ORDER BY s DESC").fetchall()
"""


@long
def test_what_the_database_spilled_is_cleared(place: Place):
    """What does not fit into memory lies in a folder beside the store while it is worked on."""
    done = subprocess.run([sys.executable, "-c", SPILL, str(place.store)], cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    spilled = {file for file in place.files() if ".duckdb.tmp/" in file}
    assert spilled
    before = place.files() - spilled
    Store(place.store).close()
    assert place.files() == {file for file in before if not file.endswith(".wal")}


@long
def test_the_demo_goes_with_its_server_or_with_the_next(place: Place):
    log = place.root / "server.log"
    demo = Running(None, log, {"TMPDIR": str(place.root / "tmp")})
    try:
        demo.start()
        Store(place.store).close()
        assert any(file.endswith("demo.duckdb") for file in place.left()), "it is in use"
        assert demo.answers()
    finally:
        demo.kill()
    assert any(file.endswith("demo.duckdb") for file in place.left())
    Store(place.store).close()
    assert place.left() == set()
