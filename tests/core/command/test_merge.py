"""``dissent merge``: what it prints, asks for and leaves alone."""

import hashlib
import shutil
import uuid
from contextlib import closing
from pathlib import Path

import pytest

from core.store.events.labels import Key, LabelEvent
from core.store.store import Store
from tests.core.command.conftest import Dissent
from tests.short import long


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory, whole_study: tuple[Path, str, str]) -> Path:
    """A folder with two copies of a store in which the same item was judged apart."""
    folder = tmp_path_factory.mktemp("sites")
    study, collection_id, anna = whole_study
    for name in ("first", "second"):
        for suffix in ("", ".key", ".last"):
            shutil.copyfile(f"{study}{suffix}", folder / f"{name}.duckdb{suffix}")
    key = Key("t2", "d2", "page", "", anna, 0)
    for name, level in (("first", 0), ("second", 3)):
        with closing(Store(folder / f"{name}.duckdb")) as store:
            before = store.labels.current(collection_id, anna)[key].event_id
            event = LabelEvent(str(uuid.uuid4()), before, key, "level", level)
            store.labels.append(collection_id, [event])
    return folder


def hash_folder(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def test_a_dry_run_tells_everything_and_writes_nothing(sites: Path, dissent: Dissent):
    before = hash_folder(sites)
    stores = sites / "first.duckdb", sites / "second.duckdb"
    told = dissent("merge", *stores, "--into", sites / "out.duckdb", "--dry-run")
    assert (told.status, hash_folder(sites)) == (0, before)
    assert "would hold" in told.out
    assert "the later one is current" in told.out
    assert "Not carried over" in told.out


@long
def test_programs_get_the_report_and_the_store(sites: Path, dissent: Dissent, tmp_path: Path):
    out = tmp_path / "out.duckdb"
    stores = sites / "first.duckdb", sites / "second.duckdb"
    told = dissent("merge", *stores, "--into", out, "--format", "json")
    assert told.status == 0
    (conflict,) = told.json["conflicts"]
    assert (conflict["topic"], conflict["first"]["level"], conflict["second"]["level"]) == (
        *("t2", 0, 3),
    )
    assert conflict["current"] == conflict["second"]["event_id"]
    assert told.json["events"]["merged"] == told.json["events"]["shared"] + 2
    assert told.json["written"]["labels"] == told.json["events"]["merged"]
    assert dissent("check", out).status == 0
    again = dissent("merge", *stores, "--into", out)
    assert (again.status, "into a new file only" in again.err) == (1, True)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("first\tsecond\n", "map.tsv:1: the first line is"),
        ("second\tfirst\nAnna\n", "map.tsv:2: a line has two names"),
        ("second\tfirst\nAnna\tAnna\nAnna\tnew\n", "map.tsv:3: 'Anna' stands here twice"),
        ("second\tfirst\nAnna\tnew\nBob\tZoe\n", "'Zoe', who is nobody in the first store"),
        ("second\tfirst\nAnna\tBob\n", "would both become"),
    ],
)
def test_a_mapping_that_cannot_be_followed_is_refused(
    sites: Path, dissent: Dissent, tmp_path: Path, content: str, said: str
):
    mapping = tmp_path / "map.tsv"
    mapping.write_text(content, encoding="utf-8")
    stores = sites / "first.duckdb", sites / "second.duckdb"
    told = dissent("merge", *stores, "--into", tmp_path / "out.duckdb", "--map", mapping)
    assert told.status == 1
    assert said in told.err


@long
def test_what_stands_in_the_way_is_told_by_a_dry_run(sites: Path, dissent: Dissent, tmp_path: Path):
    other = tmp_path / "other.duckdb"
    shutil.copyfile(sites / "second.duckdb", other)
    with closing(Store(other)) as store, store.database.write() as cursor:
        cursor.execute("UPDATE topics SET query = 'else' WHERE topic_id = 't2'")
    stores = sites / "first.duckdb", other
    told = dissent("merge", *stores, "--into", tmp_path / "out.duckdb", "--dry-run")
    assert told.status == 1
    assert "1 × topic not the same in both" in told.out
    assert ", t2'" in told.out


@long
def test_a_store_that_is_not_there_or_in_use_is_named(
    sites: Path, dissent: Dissent, tmp_path: Path, held_store: Path
):
    first = sites / "first.duckdb"
    out = "--into", tmp_path / "out.duckdb"
    assert "no store" in dissent("merge", first, tmp_path / "none.duckdb", *out).err
    assert "is open in" in dissent("merge", first, held_store, *out).err
