"""What the page offers for other tools is what the one call writes, by button."""

import pytest
import streamlit as st

from core.analysis.collection.exported_files import Wanted, export_file
from core.collection.annotation_tools.writers import LABEL_WRITERS, PREFERENCE_WRITERS
from core.store.people.people import add_person
from tests.core.command.whole_store import build_study
from tests.pages.conftest import serve_copy
from tests.short import long


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    path = tmp_path_factory.mktemp("tools") / "study.duckdb"
    collection_id, _ = build_study(path)
    with serve_copy(path, tmp_path_factory.mktemp("served")) as store:
        yield store, collection_id


@pytest.fixture(scope="module")
def store(served):
    return served[0]


@long
@pytest.mark.parametrize("names", [False, True])
def test_each_button_gives_the_file_of_its_tool(open_page, store, served, monkeypatch, names):
    made: dict[str, bytes] = {}

    def take(*_given: object, data, file_name: str, **_named: object) -> None:
        if file_name.removeprefix("study-") in endings:
            made[file_name.removeprefix("study-")] = data()

    kinds = {"labels": LABEL_WRITERS, "preferences": PREFERENCE_WRITERS}
    endings = {
        one.ending: (kind, tool) for kind, writers in kinds.items() for tool, one in writers.items()
    }
    monkeypatch.setattr(st, "download_button", take)
    chosen = {f"export-{part}-names": names for part in ("tool", "tool-pair")}
    chosen |= {"export-part": "Other tools"}
    at = open_page("export", add_person(store, f"Olga {names}", "organiser"), served[1], **chosen)
    assert not at.exception
    for ending, (kind, tool) in endings.items():
        wanted = Wanted(names=names, tool=tool)
        assert made[ending] == export_file(*served, kind, wanted).content, ending
    assert set(made) == set(endings)
    assert b"Anna" not in b"".join(made.values())
