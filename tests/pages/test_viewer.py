"""What a viewer reads: results under codes, never who judged or what they wrote."""

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Dataframe

from core.collection.formats import read_import
from core.collection.source import Source
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.saved_rules import list_rules, save_rule
from core.store.content.scales import get_scales
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.people.viewers import add_viewer, list_viewers, remove_viewer
from core.store.store import Store
from core.versions.rules import QrelsRule
from pages.shared.navigation import PAGES
from tests.pages.conftest import OpenPage
from tests.pages.parts import View, list_views, name_view

NAMES = ("Wilhelmina", "Bartholomew", "Ermintrude")
REMARK = "a remark of one person"
RESULTS = [page.path for page in PAGES if "viewer" in page.roles and "assessor" not in page.roles]


@pytest.fixture
def judged(store: Store, filled: str) -> str:
    """A collection with labels of people with names, comments, preferences and a saved rule."""
    lines = ["assessor\ttopic\tdocument\tlevel\tgroup\tcomment"]
    lines += [
        f"{name.lower()}-id\t{topic}\t{document}\t{(place + number) % 4}\texperts\t{REMARK}"
        for place, name in enumerate(NAMES)
        for number, (topic, document) in enumerate(
            [("t1", "d1"), ("t1", "d2"), ("t1", "d3"), ("t2", "d2")]
        )
    ]
    preferences = ["topic\tleft\tright\tchoice\tstrength\tassessor"]
    preferences += [f"t1\td1\td2\tleft\t2\t{name.lower()}-id" for name in NAMES]
    for kind, rows in (("labels", lines), ("preferences", preferences)):
        options = {"scales": get_scales(store, filled)} if kind == "labels" else {}
        source = Source(f"{kind}.tsv", ("\n".join(rows) + "\n").encode())
        write_import(store, filled, read_import(kind, source, **options))
    for name in NAMES:
        with store.database.write() as cursor:
            cursor.execute(
                "UPDATE members SET name = ? WHERE assessor_id = ?", [name, f"{name.lower()}-id"]
            )
    rule = QrelsRule("a saved one", assessors=("wilhelmina-id", "ermintrude-id"))
    save_rule(store, filled, rule.name, rule.to_json())
    return filled


@pytest.fixture
def viewer(store: Store, judged: str) -> str:
    person = add_person(store, "Vera", "viewer")
    add_viewer(store, judged, person)
    return person


def everything(at: AppTest) -> bytes:
    """Return what a page sent to the browser: the serialised elements, tables as they are."""
    stack, seen = [at._tree], b""
    while stack:
        node = stack.pop()
        stack.extend(getattr(node, "children", {}).values())
        proto = getattr(node, "proto", None)
        if proto is not None and hasattr(proto, "SerializeToString"):
            seen += proto.SerializeToString()
        if isinstance(node, Dataframe):
            seen += node.value.to_csv().encode()
    return seen


def named_in(sent: bytes) -> list[str]:
    told = [*NAMES, *(f"{name.lower()}-id" for name in NAMES), REMARK]
    return [name for name in told if name.encode() in sent]


@pytest.mark.parametrize("view", list_views(RESULTS), ids=name_view)
def test_no_result_page_tells_who_judged_or_what_they_wrote(
    open_page: OpenPage,
    viewer: str,
    organiser: str,
    view: View,
    monkeypatch: pytest.MonkeyPatch,
):
    files: list[tuple[str, Callable[[], bytes]]] = []
    offer = st.download_button

    def keep(label: str, data: Any, **named: Any) -> bool:
        files.append((named.get("file_name", label), data))
        return bool(offer(label, data, **named))

    # What was computed for an organiser just before is not what a viewer is given.
    path, state = view
    assert not open_page(path, organiser, **state).exception
    monkeypatch.setattr(st, "download_button", keep)
    at = open_page(path, viewer, **state)
    assert not at.exception
    assert not at.error
    assert named_in(everything(at)) == []
    monkeypatch.setattr(st, "download_button", offer)
    for name, data in files:
        assert named_in(data() if callable(data) else data) == [], name


def test_an_organiser_is_told(open_page: OpenPage, judged: str, organiser: str):
    told = set()
    for path, state in list_views(["monitor", "agreement", "assessors", "qrels"]):
        told |= set(named_in(everything(open_page(path, organiser, **state))))
    assert {*NAMES, REMARK} <= told


def test_a_viewer_changes_nothing(open_page: OpenPage, store: Store, judged: str, viewer: str):
    rules = list_rules(store, judged)
    at = open_page("qrels", viewer)
    assert not [one for one in at.button if one.key and one.key.startswith(("delete", "rule"))]
    for path, state in list_views(RESULTS):
        labels = {one.label for one in open_page(path, viewer, **state).button}
        assert not labels & {"Mark as gold", "Unmark", "Delete"}
        assert not any(one.startswith(("Save", "Take over")) for one in labels)
    assert list_rules(store, judged) == rules


def test_a_viewer_reads_what_is_open_to_them_only(
    open_page: OpenPage, store: Store, judged: str, viewer: str
):
    create_collection(store, "Secret study")
    at = open_page("monitor", viewer)
    assert "Secret study" not in str(everything(at))
    assert list_viewers(store, judged) == {viewer: "Vera"}
    remove_viewer(store, judged, viewer)
    at = open_page("monitor", viewer, collection_id=judged, next_collection_id=judged)
    assert any("No collection is open to you" in one.value for one in at.info)
    assert b"jaguar" not in everything(at)


def test_a_collection_of_others_shows_an_assessor_nothing(
    open_page: OpenPage, store: Store, judged: str
):
    person = add_person(store, "Other", "assessor")
    elsewhere = create_collection(store, "Elsewhere")
    add_member(store, elsewhere, person, "Other")
    for path in (page.path for page in PAGES if "assessor" in page.roles):
        at = open_page(path, person, collection_id=judged, next_collection_id=judged)
        assert not at.exception
        for text in (
            b"Small *one",
            b"Small \\*one",
            b"Big cats",
            "עברית".encode(),
            *(n.encode() for n in NAMES),
        ):
            assert text not in everything(at), path
