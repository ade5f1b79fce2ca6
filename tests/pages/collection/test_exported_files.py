"""What the page, the command and Python hand out is the same, byte by byte."""

import shutil
import uuid
from pathlib import Path

import pytest
import streamlit as st

import dissent
from core.analysis.collection.exported_files import Wanted, export_file
from core.collection.export.exported_kinds import EXPORTED
from core.command.main import main
from core.errors import BadInput
from core.store.events.answered import Paradata
from core.store.events.labels import Key, LabelEvent
from core.store.events.marked import Marked, hash_text
from core.store.people.people import add_person
from tests.core.command.whole_store import build_study
from tests.pages.conftest import serve_copy
from tests.short import long

pytestmark = long
KINDS = {
    "labels.csv": "labels",
    "labels.parquet": "labels",
    **{f"{kind}.csv": kind for kind in ("aspects", "passages", "paradata", "questions")},
    "guidelines.csv": "guidelines",
    "machine-answers.csv": "machine-answers",
    **{f"{kind}.tsv": kind for kind in ("preferences", "reasons")},
    "clicks.jsonl": "clicks",
}
PARTS = ("label", "aspect", "preference", "passage", "paradata", "answer", "word")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A store with a bit of everything, open to the pages; and the id of its collection."""
    path = tmp_path_factory.mktemp("whole") / "study.duckdb"
    collection_id, assessor = build_study(path)
    with serve_copy(path, tmp_path_factory.mktemp("served")) as store:
        key = Key("t2", "d2", "page", "", assessor, 0)
        stands = store.labels.current(collection_id, assessor)[key].event_id
        marked = Marked(hash_text("Text 2"), ((0, 4),))
        known = Paradata(1_200, "mouse", 1, 333, 950, 1000)
        event = LabelEvent(
            str(uuid.uuid4()), stands, key, "level", 1, marked=marked, paradata=known
        )
        store.labels.append(collection_id, [event])
        yield store, collection_id


@pytest.fixture(scope="module")
def store(served):
    return served[0]


@pytest.mark.parametrize("names", [False, True])
def test_one_way_for_all(open_page, store, served, tmp_path, monkeypatch, names):
    made: dict[str, bytes] = {}

    def take(*_given: object, data, file_name: str, **_named: object) -> None:
        if file_name.removeprefix("study-") in KINDS:
            made[file_name.removeprefix("study-")] = data()

    monkeypatch.setattr(st, "download_button", take)
    chosen = {f"export-{part}-names": names for part in PARTS}
    at = open_page("export", add_person(store, f"Olga {names}", "organiser"), served[1], **chosen)
    assert not at.exception
    assert set(made) == set(KINDS)
    copy = shutil.copytree(Path(store.path).parent, tmp_path / "copy") / Path(store.path).name
    for name, kind in KINDS.items():
        file = tmp_path / name
        words = ["export", kind, "--store", str(copy), "--collection", "Study", "-o", str(file)]
        assert main([*words, *(["--names"] if names else [])]) == 0
        assert file.read_bytes() == made[name], name
    with dissent.open_store(copy, names=names) as opened:
        for name, kind in KINDS.items():
            assert opened.export(kind, "Study", parquet=name.endswith(".parquet")) == made[name]
        assert len(opened.reasons("Study")) == made["reasons.tsv"].count(b"\n") - 1 > 0
    assert b"Anna" not in b"".join(made.values()) or names


def test_what_a_kind_does_not_take_is_said(store, served):
    with pytest.raises(BadInput, match="passages take no 'discussed'"):
        export_file(*served, "passages", Wanted(discussed=True))
    with pytest.raises(BadInput, match=f"'scores' is none of {', '.join(EXPORTED)}"):
        export_file(*served, "scores")


def test_aspects_after_discussion_are_those_that_stand_then(store, served):
    given, discussed = (
        export_file(*served, "aspects", Wanted(discussed=one)).rows for one in (False, True)
    )
    assert (given, discussed) == (2, 0)
