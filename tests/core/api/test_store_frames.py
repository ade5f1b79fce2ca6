"""A store as frames: what pages and commands tell, codes for people, and nothing changed."""

import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pandas as pd
import pytest

import dissent
from core.analysis.base.study import Study
from core.analysis.results.declared import offer_versions
from core.analysis.results.qrels_choices import version_of
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.demo import load_demo
from core.reports.user_model import UserModel
from core.settings import ROOT
from core.store.content.collections import create_collection, list_collections
from core.store.content.gold import GoldItem, mark_gold
from core.store.content.imports import write_import
from core.store.events.afterwards import note_topic_seen
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent
from core.store.file.database import Database
from core.store.people.pseudonyms import assessor_codes
from core.store.schema.migrations import MIGRATIONS, migrate
from core.store.store import Store
from tests.short import few, long

READERS = (
    *("topics", "subtopics", "documents", "results", "runs", "scales", "rounds", "assessors"),
    *("labels", "adjudications", "preferences", "gold", "qrels_versions", "aspects", "passages"),
    "paradata",
)
ROWS = {
    **{"topics": 14, "subtopics": 41, "documents": 399, "results": 700, "runs": 700, "scales": 9},
    **{"rounds": 1, "assessors": 6, "labels": 3385, "adjudications": 0, "preferences": 616},
    **{"gold": 1, "qrels_versions": 10, "aspects": 0, "passages": 0, "paradata": 0},
}
GOLD = GoldItem("t01", "t01-d01", "page", "", 3)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo collection in a store of its own; it is not to be changed."""
    path = tmp_path_factory.mktemp("demo") / "demo.duckdb"
    with closing(Store(path)) as store:
        mark_gold(store, load_demo(store), GOLD)
    return path


@pytest.fixture
def blank(tmp_path: Path, blank_store: Path) -> Path:
    return Path(shutil.copy(blank_store, tmp_path / "blank.duckdb"))


def read_folder(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {one.name: (one.stat().st_mtime_ns, one.read_bytes()) for one in folder.iterdir()}


def read_text(path: Path, kind: str, text: str) -> None:
    """Import a file of a kind into the only collection of a store, made if need be."""
    file = path.with_name(f"{kind}.tsv")
    file.write_text(text)
    with closing(Store(path)) as store:
        scales = {"page": numeric_scale(range(4))}
        collection_id = create_collection(store, "Small", scales=scales)
        options = {"scales": scales} if kind == "labels" else {}
        write_import(store, collection_id, read_import(kind, [Source(file.name, file)], **options))


def test_the_package_has_the_names_of_the_api():
    from core import api

    assert sorted(dissent.__all__) == dir(dissent) == sorted(api.__all__)
    assert dissent.open_store is api.open_store
    with pytest.raises(AttributeError):
        _ = dissent.no_such_name


def test_everything_is_there(demo):
    with dissent.open_store(demo) as store:
        frames = {name: getattr(store, name)() for name in READERS}
        (collection,) = store.collections().to_dict("records")
    assert {name: len(frame) for name, frame in frames.items()} == ROWS
    assert collection["name"].startswith("Demo: ")
    assert set(frames["scales"]["facet"]) == {"snippet", "page"}
    assert frames["gold"].to_dict("records") == [vars(GOLD)]
    assert (frames["documents"][["text", "html"]] != "").any(axis=1).all()


@long
def test_labels_and_versions_are_those_of_the_pages(demo):
    with dissent.open_store(demo, names=True) as frames:
        labels = frames.labels()
        made = {key: frames.qrels(key) for key in frames.qrels_versions()["version"]}
    with closing(Store(demo, read_only=True)) as store:
        (collection_id,) = find_ids(store)
        expected = read_labels(store, collection_id).assign(round_id="")  # they are imported
        pd.testing.assert_frame_equal(labels, expected)
        study = Study(store, collection_id, is_masked=False)
        choices = offer_versions(study, "page", UserModel(3, 3, 1, "item", False))
        assert list(made) == list(choices)
        for key, choice in choices.items():
            pd.testing.assert_frame_equal(made[key], version_of(study, choice).frame)


def find_ids(store: Store) -> list[str]:
    rows = store.cursor().execute("SELECT collection_id FROM collections").fetchall()
    return [collection_id for (collection_id,) in rows]


def test_people_go_by_the_codes_of_exported_files(demo):
    with closing(Store(demo, read_only=True)) as store:
        (collection_id,) = find_ids(store)
        named = read_labels(store, collection_id)
        codes = assessor_codes(store, collection_id, named["assessor_id"].unique())
    with dissent.open_store(demo) as frames:
        labels, assessors = frames.labels(), frames.assessors()
        said = frames.preferences()
    assert labels["assessor_id"].tolist() == named["assessor_id"].map(codes).tolist()
    assert set(said["assessor"]) <= set(codes.values())
    assert assessors["name"].tolist() == sorted(codes.values())
    with dissent.open_store(demo, names=True) as frames:
        assert set(frames.assessors()["assessor_id"]) == set(codes)


@long
def test_single_assessors_versions_have_names_only_where_they_are_wanted(blank):
    read_text(
        blank,
        "labels",
        "assessor\ttopic\tdocument\tlevel\nann\tt1\td1\t1\nben\tt1\td1\t3\n",
    )
    with dissent.open_store(blank) as store:
        assert "only" not in " ".join(store.qrels_versions()["name"])
    with dissent.open_store(blank, names=True) as store:
        assert {"only ann", "only ben"} <= set(store.qrels_versions()["version"])
        assert store.qrels("only ben")["level"].tolist() == [3]


@long
def test_what_is_given_out_is_not_shared(demo):
    with dissent.open_store(demo) as store:
        for name in READERS:
            given = getattr(store, name)()
            given["more"] = 0
            assert "more" not in getattr(store, name)()
        given = store.qrels("UDM")
        given["level"] = -1
        assert (store.qrels("UDM")["level"] >= 0).all()


def test_nothing_is_changed(demo, tmp_path):
    for name in ("demo.duckdb", "demo.duckdb.key", "demo.duckdb.last"):
        shutil.copy2(demo.with_name(name), tmp_path)
    before = read_folder(tmp_path)
    with dissent.open_store(str(tmp_path / "demo.duckdb")) as store:
        for name in READERS:
            getattr(store, name)()
        assert read_folder(tmp_path) == before
    assert read_folder(tmp_path) == before


@long
def test_a_store_without_its_key_gets_none(demo, tmp_path):
    copied = Path(shutil.copy(demo, tmp_path))
    seen = []
    for _ in range(2):
        with dissent.open_store(copied) as store:
            seen.append(store.assessors()["name"].tolist())
            assert store.assessors()["name"].tolist() == seen[-1]
            assert set(store.labels()["assessor_id"]) <= set(seen[-1])
    assert not set(seen[0]) & set(seen[1])
    assert [one.name for one in tmp_path.iterdir()] == ["demo.duckdb"]


_OTHER = """
import os, signal, sys
from pathlib import Path
from core.store.content.collections import create_collection, list_collections
from core.store.store import Store
store = Store(Path(sys.argv[1]))
create_collection(store, "Latest")
print("open", flush=True)
sys.stdin.read()
os.kill(os.getpid(), signal.SIGKILL)
"""


@contextmanager
def held_elsewhere(path: Path) -> Iterator[None]:
    """Let another process work on a store; it is killed in the end."""
    command = [sys.executable, "-c", _OTHER, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=-1, stdout=-1) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        yield
        other.communicate(timeout=60)
    assert other.returncode == -signal.SIGKILL


@long
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
def test_a_store_in_use_is_told_and_left_in_peace(blank):
    with held_elsewhere(blank):
        before = read_folder(blank.parent)
        with pytest.raises(dissent.StoreInUse, match="is open in process"):
            dissent.open_store(blank)
        assert read_folder(blank.parent) == before
    left = read_folder(blank.parent)
    assert f"{blank.name}.wal" in left
    with dissent.open_store(blank) as store:
        assert store.collections()["name"].tolist() == ["Latest"]
    assert read_folder(blank.parent) == left


def test_one_store_may_be_opened_several_times(blank):
    read_text(blank, "topics", "t1\tfirst\n")
    one = dissent.open_store(blank)
    with dissent.open_store(blank) as two:
        assert len(two.topics()) == 1
    assert len(one.topics()) == 1
    for _ in range(2):
        one.close()
    with pytest.raises(dissent.StoreUnusable, match="was closed"):
        one.topics()
    Store(blank).close()


def test_what_nobody_holds_any_more_is_closed(blank):
    store = dissent.open_store(blank)
    assert store.collections().empty
    del store
    gc.collect()
    Store(blank).close()


@long
def test_which_collection(blank):
    with dissent.open_store(blank) as store, pytest.raises(dissent.NotFound, match="no collection"):
        store.topics()
    read_text(blank, "topics", "t1\tfirst\n")
    with closing(Store(blank)) as written:
        other = create_collection(written, "Other")
    with dissent.open_store(blank) as store:
        assert [len(store.topics(name)) for name in ("Small", "Other", other)] == [1, 0, 0]
        with pytest.raises(dissent.BadInput, match="say which of Small, Other"):
            store.topics()
        with pytest.raises(dissent.NotFound, match="'None'"):
            store.topics("None")


def test_which_qrels_version(blank):
    read_text(blank, "qrels", "t1 0 d1 1\n")
    with dissent.open_store(blank) as store:
        assert store.qrels_versions().to_numpy().tolist() == [
            ["imported: qrels.tsv", "imported: qrels.tsv", ""]
        ]
        assert store.qrels("imported: qrels.tsv")["level"].tolist() == [1]
        with pytest.raises(dissent.NotFound, match=r"'best'.*imported: qrels\.tsv"):
            store.qrels("best")
        with pytest.raises(dissent.BadInput, match="'snippet' is none of page"):
            store.qrels("best", facet="snippet")


@pytest.mark.parametrize("steps", few([1, 0, len(MIGRATIONS) - 1]))
def test_a_store_of_an_earlier_version_stays_as_it_is(tmp_path, steps):
    path = tmp_path / "old.duckdb"
    with closing(Database(path)) as database:
        migrate(database, MIGRATIONS[:steps])
    before = read_folder(tmp_path)
    with pytest.raises(dissent.StoreUnusable, match="earlier version"):
        dissent.open_store(path)
    assert read_folder(tmp_path) == before


def test_a_file_that_is_no_store(tmp_path):
    with pytest.raises(dissent.NotFound, match="There is no store"):
        dissent.open_store(tmp_path / "none.duckdb")
    (tmp_path / "notes.txt").write_text("no store")
    with pytest.raises(dissent.StoreUnusable, match="cannot be opened"):
        dissent.open_store(tmp_path / "notes.txt")
    assert [one.name for one in tmp_path.iterdir()] == ["notes.txt"]


@long
def test_labels_and_qrels_are_as_given_unless_they_are_wanted_after_discussion(blank: Path):
    read_text(blank, "labels", "assessor\ttopic\tdocument\tlevel\na1\tt1\td1\t1\n")
    with closing(Store(blank)) as store:
        (made,) = list_collections(store)
        key = Key("t1", "d1", "page", "", "a1", 0)
        before = store.labels.current(made.collection_id, "a1")[key].event_id
        note_topic_seen(store, made.collection_id, "a1", "t1")
        event = LabelEvent("00000000-0000-4000-8000-000000000001", before, key, "level", 3)
        store.labels.append(made.collection_id, [event])
    with dissent.open_store(blank) as frames:
        for discussed, level in ((False, 1), (True, 3)):
            assert frames.labels(discussed=discussed)["level"].tolist() == [level]
            qrels = frames.qrels("all, maximum", discussed=discussed)
            assert qrels["level"].tolist() == [level]
        assert frames.labels()["level"].tolist() == [1]
        assert frames.preferences(discussed=True).empty
