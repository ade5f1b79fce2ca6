"""A power cut at any moment: what was acknowledged before it is there, and the store is whole."""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from core.command.check import check_store
from core.errors import DissentError, StoreUnusable
from core.settings import ROOT
from core.store.backup.backup import verify_backup
from core.store.file.database import Database
from core.store.file.kept_logs import cut_logs, keep_logs
from core.store.schema.migrations import MIGRATIONS
from core.store.store import Store
from tests.bench.collection import Prepared, prepare
from tests.core.command.whole_store import build_study
from tests.faults.old_stores import (
    columns_of,
    find_state,
    list_schemas,
    make_old_store,
    rows_of,
)
from tests.faults.power_loss import (
    TORN_BLOCKS,
    Disk,
    Image,
    Record,
    Recording,
    build_recorder,
    read_records,
)
from tests.short import long

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the recorder needs Linux"),
    pytest.mark.timeout(3_600),
]

SEED = 7008
SHORT, LONG = 1, 400
"""How many moments of a recording are tried."""
LEAST_IMAGES = 6
"""Ways in which a moment can leave the files, torn blocks apart."""

# Judges in several threads beside other changes, and takes down what was acknowledged, and how
# much had been recorded by then. Logs are merged often, or else a short run would never see it.
JUDGE = """
import json, os, sys, threading, uuid
from pathlib import Path
import core.store.file.database as database
from core.store.events.labels import Key, LabelEvent
from core.store.file.log_names import LogNames
from core.store.store import Store

path, trace, told, how = Path(sys.argv[1]), sys.argv[2], open(sys.argv[3], "a"), sys.argv[4]
collection, people, count = sys.argv[5], sys.argv[6].split(","), int(sys.argv[7])
if "merged often" in how:
    database._USUAL = "20KB"
if "names not flushed" in how:
    LogNames.flush_changes = lambda self: None
store = Store(path)

def judge(person):
    for number in range(count):
        key = Key("t", f"d{number % 20:05}", "page", "", person, 0)
        known = store.labels.current(collection, person).get(key)
        supersedes = known.event_id if known else None
        event = LabelEvent(
            str(uuid.uuid4()), supersedes, key, "level", number % 4, comment="x" * 100
        )
        (receipt,) = store.labels.append(collection, [event])
        told.write(json.dumps([event.event_id, receipt.sequence, os.stat(trace).st_size]) + "\\n")
        told.flush()

def change():
    for number in range(count // 5):
        with store.change(collection, "set", "a setting") as cursor:
            cursor.execute("INSERT OR REPLACE INTO settings VALUES ('x', ?)", [str(number)])

threads = [threading.Thread(target=judge, args=(person,)) for person in people]
threads.append(threading.Thread(target=change))
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
if "killed" in how:
    os._exit(9)
store.close()
"""

# Saves a backup, restores it, and makes a signing key, each in the folder that is watched.
SAVE = """
import sys
from contextlib import closing
from pathlib import Path
import core.store.file.disk as disk
from core.store.backup.backup import restore_backup, save_backup
from core.store.store import Store

source, folder = Path(sys.argv[1]), Path(sys.argv[2])
if "content not flushed" in sys.argv:
    flush = disk.flush
    disk.flush = lambda path: flush(path) if path.is_dir() else None
with closing(Store(source)) as store:
    save_backup(store, folder / "study.zip")
restore_backup(folder / "study.zip", folder / "new.duckdb")
with closing(Store(folder / "new.duckdb")) as store:
    print(store.secret)
"""

UPGRADE = """
import sys
from contextlib import closing
from pathlib import Path
from core.store.file.database import Database
from core.store.schema.migrations import MIGRATIONS, migrate
with closing(Database(Path(sys.argv[1]))) as database:
    migrate(database, MIGRATIONS[:int(sys.argv[2])])
"""

CREATE = """
import sys
from contextlib import closing
from pathlib import Path
from core.store.people.people import add_person
from core.store.store import Store
with closing(Store(Path(sys.argv[1]))) as store:
    add_person(store, "Olga", "organiser")
"""


class Scene:
    """A folder, of which everything is recorded that is done to the files in it."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "data"
        self.folder.mkdir()
        self.store = self.folder / "study.duckdb"
        self.recording = Recording(self.folder, build_recorder(root), root / "trace")
        self.told = root / "told"
        self.before: dict[str, bytes] = {}

    def begin(self) -> None:
        """Take what lies in the folder by now for flushed."""
        self.before = {file.name: file.read_bytes() for file in self.folder.iterdir()}

    def run(self, script: str, *words: object) -> str:
        """Do something in a process of its own, recorded; returns what it printed."""
        done = subprocess.run(
            [sys.executable, "-c", script, *map(str, words)],
            cwd=ROOT,
            env={**os.environ, **self.recording.environment()},
            capture_output=True,
            text=True,
        )
        assert done.returncode in (0, 9), done.stderr
        return done.stdout

    def judge(self, prepared: Prepared, how: str, count: int) -> None:
        """Judge in a process of its own."""
        people = ",".join(grant.assessor_id for grant in prepared.grants)
        words = (self.store, self.recording.trace, self.told, how, prepared.collection_id, people)
        self.run(JUDGE, *words, count)

    def acknowledged(self, record: Record) -> set[tuple[str, int]]:
        """Return the labels that had been acknowledged when something had just been done."""
        told = map(json.loads, self.told.read_text().splitlines())
        return {(event, sequence) for event, sequence, at in told if at <= record.end}

    def images(self, rng: random.Random, moments: int) -> Iterator[tuple[Record, Image]]:
        """Yield what power cuts leave, with the last thing that was done before.

        The moments are chosen at random; the first and the last are always among them.
        """
        records = read_records(self.recording.trace)
        last = len(records) - 1
        chosen = {0, *rng.sample(range(last), min(moments - 1, last)), last}
        disk = Disk(self.folder, self.before)
        for number, record in enumerate(records):
            disk.apply(record)
            if number in chosen:
                for image in disk.images(rng):
                    yield record, image


@pytest.fixture
def memory() -> Iterator[Path]:
    """Return an empty folder, in memory where there is one: images are many."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=place) as folder:
        yield Path(folder)


def lay_out(folder: Path, image: Image) -> None:
    for old in folder.iterdir():
        old.unlink()
    image.write(folder)


def read_labels(path: Path) -> set[tuple[str, int]]:
    """Open a store as after a power cut and return its labels."""
    with closing(Store(path)) as store:
        rows = store.cursor().execute("SELECT event_id::VARCHAR, sequence FROM labels")
        return set(rows.fetchall())


def open_unchanged(path: Path) -> Database:
    """Open a store's file as the product does, and leave its schema as it is."""
    kept = keep_logs(path)
    try:
        return Database(path)
    except StoreUnusable:
        if not cut_logs(path, kept):
            raise
        return Database(path)


def judged_scene(root: Path, how: str, count: int) -> Scene:
    """Judge twice, with what is left on the disk in between; all of it recorded."""
    scene = Scene(root)
    prepared = prepare(scene.store, documents=20, assessors=3)
    scene.begin()
    for _ in range(2):
        scene.judge(prepared, how, count)
    return scene


def try_images(scene: Scene, memory: Path, moments: int, examined: int) -> Counter[str]:
    """Open images of a store after power cuts, and count what is found.

    Some of them, ``examined`` in all, are proved to be whole as well.
    """
    found, path = Counter[str](), memory / "study.duckdb"
    every = max(moments * LEAST_IMAGES // examined, 1)
    for number, (record, image) in enumerate(scene.images(random.Random(SEED), moments)):
        lay_out(memory, image)
        torn = " of torn blocks" if image.how == TORN_BLOCKS else ""
        found[f"images{torn}"] += 1
        is_examined = number % every == 0
        if is_examined:
            with suppress(DissentError):  # what cannot be opened as it lies may be once for work
                check_store(path)
        try:
            held = read_labels(path)
        except DissentError:
            found[f"not opened{torn}"] += 1
            continue
        found["lost"] += len(scene.acknowledged(record) - held)
        if is_examined:
            Store(path).close()
            found["examined"] += 1
            found["faults"] += sum(len(one.faults) for one in check_store(path))
    return found


@pytest.mark.parametrize("how", ["merged often, killed", "merged often", "merged now and then"])
def test_what_was_acknowledged_is_there(
    tmp_path: Path,
    memory: Path,
    how: str,
    long_form: bool,
    record_property: Callable[[str, object], None],
):
    """Torn blocks are told of: the database writes some of them over blocks that are in use."""
    if not (long_form or "killed" in how):
        pytest.skip("runs with --long")
    scene = judged_scene(tmp_path, how, 300 if long_form else 20)
    found = try_images(scene, memory, LONG if long_form else SHORT, 60 if long_form else 1)
    record_property("counts", f"{how}: {dict(found)}")
    assert found["images"] > found["examined"] > 0
    assert (found["not opened"], found["lost"], found["faults"]) == (0, 0, 0)


@long
def test_without_flushing_the_name_of_a_log_what_is_in_it_is_lost(tmp_path: Path, memory: Path):
    scene = judged_scene(tmp_path, "killed, names not flushed", 5)
    found = try_images(scene, memory, 1, 1)
    assert found["lost"] >= 30


@long
def test_a_store_that_is_being_made(
    tmp_path: Path, memory: Path, long_form: bool, record_property: Callable[[str, object], None]
):
    """Nothing is lost with it yet; it is there, or it is said in a sentence that it is not."""
    scene, found = Scene(tmp_path), Counter[str]()
    scene.run(CREATE, scene.store)
    for _, image in scene.images(random.Random(SEED), LONG if long_form else SHORT):
        lay_out(memory, image)
        path = memory / "study.duckdb"
        is_there = path.exists()
        try:
            Store(path).close()
            found["opened" if is_there else "made anew"] += 1
        except StoreUnusable:
            found["refused in a sentence"] += 1
    record_property("counts", str(dict(found)))
    assert found["opened"]


def find_broken(folder: Path, key: str) -> Iterator[str]:
    """Name the files that have their names and not all that was to be in them."""
    archive, store = folder / "study.zip", folder / "new.duckdb"
    made = folder / "new.duckdb.key"
    if made.exists() and made.read_text() != key:
        yield "key"
    try:
        if archive.exists():
            verify_backup(archive)
    except DissentError:
        yield "backup"
    try:
        if store.exists():
            Store(store).close()
    except DissentError:
        yield "store"


@pytest.mark.usefixtures("only_in_full")
@pytest.mark.parametrize("how", ["content flushed first", "content not flushed"])
def test_what_has_its_name_is_complete(
    tmp_path: Path,
    memory: Path,
    how: str,
    long_form: bool,
    record_property: Callable[[str, object], None],
):
    """Backups, restored stores and keys; without flushing them first they would not be."""
    build_study(tmp_path / "source.duckdb")
    scene, found = Scene(tmp_path), Counter[str]()
    key = scene.run(SAVE, tmp_path / "source.duckdb", scene.folder, how).strip()
    for _, image in scene.images(random.Random(SEED), 200 if long_form else 8):
        if image.how == TORN_BLOCKS:
            continue
        lay_out(memory, image)
        found["images"] += 1
        found["named"] += len(image.files)
        found.update(find_broken(memory, key))
    record_property("counts", f"{how}: {dict(found)}")
    broken = found["key"] + found["backup"] + found["store"]
    assert (broken > 0) is (how == "content not flushed")


@pytest.mark.usefixtures("only_in_full")
def test_an_upgrade_is_before_or_after_a_step(
    tmp_path: Path, memory: Path, long_form: bool, record_property: Callable[[str, object], None]
):
    (tmp_path / "schemas").mkdir()
    schemas, found = list_schemas(tmp_path / "schemas"), Counter[str]()
    last = len(MIGRATIONS)
    for step in range(1, last + 1) if long_form else (last,):
        (tmp_path / str(step)).mkdir()
        scene = Scene(tmp_path / str(step))
        make_old_store(scene.store, step - 1)
        scene.begin()
        columns = columns_of(scene.store)
        with closing(Database(scene.store, read_only=True)) as database:
            before = rows_of(database.cursor(), columns)
        scene.run(UPGRADE, scene.store, step)
        for _, image in scene.images(random.Random(SEED), LONG if long_form else SHORT):
            if image.how == TORN_BLOCKS:
                continue
            lay_out(memory, image)
            with closing(open_unchanged(memory / "study.duckdb")) as database:
                state = find_state(database.cursor(), schemas)
                assert state in (step - 1, step), f"step {step}: {image.how}"
                assert rows_of(database.cursor(), columns) == before
            found["after" if state == step else "before"] += 1
    record_property("counts", str(dict(found)))
    assert found["before"]
    assert found["after"]
