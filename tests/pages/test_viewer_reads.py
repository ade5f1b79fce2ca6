"""What a viewer reads: results under codes, never who judged or wrote, and nothing to change."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.store.content.saved_rules import list_rules
from core.store.people.members import add_viewer
from core.store.people.people import add_person
from core.store.store import Store
from tests.pages.conftest import OpenPage, lasting_filled, lasting_organiser
from tests.pages.judging_machine import judge_by_machine
from tests.pages.named_people import NAMES, REMARK, RESULTS, everything, give_names, named_in
from tests.pages.parts import View, list_views, mark_views, name_view
from tests.short import long

store, organiser = lasting_filled, lasting_organiser


@pytest.fixture(scope="module")
def judged(store: Store, filled_store: tuple[object, str]) -> str:
    give_names(store, filled_store[1])
    judge_by_machine(store, filled_store[1])
    return filled_store[1]


@pytest.fixture(scope="module")
def viewer(store: Store, judged: str) -> str:
    person = add_person(store, "Vera", "viewer")
    add_viewer(store, judged, person)
    return person


@pytest.fixture(scope="module")
def rules(store: Store, judged: str) -> list[Any]:
    """The saved rules before a viewer has opened anything."""
    return list_rules(store, judged)


@dataclass
class Read:
    """A page as a viewer has it, and the files that it offers."""

    at: AppTest
    files: list[tuple[str, Callable[[], bytes]]]


@pytest.fixture(scope="module")
def views_read() -> dict[str | None, Read]:
    """Views that were drawn for a viewer already, by name: no test changes them."""
    return {}


@pytest.fixture
def read(
    open_page: OpenPage,
    viewer: str,
    organiser: str,
    rules: list[Any],
    view: View,
    views_read: dict[str | None, Read],
    monkeypatch: pytest.MonkeyPatch,
) -> Read:
    if (name := name_view(view)) in views_read:
        return views_read[name]
    files: list[tuple[str, Callable[[], bytes]]] = []
    offer = st.download_button

    def keep(label: str, data: Any, **named: Any) -> bool:
        files.append((named.get("file_name", label), data))
        return bool(offer(label, data, **named))

    # What was computed for an organiser just before is not what a viewer is given.
    path, state = view
    assert not open_page(path, organiser, **state).exception
    with monkeypatch.context() as patch:
        patch.setattr(st, "download_button", keep)
        at = open_page(path, viewer, **state)
    assert not at.exception
    assert not at.error
    views_read[name] = Read(at, files)
    return views_read[name]


KEPT = {"agreement Topics", "assessors", "monitor", "qrels"}
of_views = pytest.mark.parametrize(
    "view",
    [pytest.param(view, marks=marks) for view, marks in mark_views(list_views(RESULTS), KEPT)],
    ids=name_view,
)


@of_views
def test_no_result_page_tells_who_judged_or_what_they_wrote(read: Read, view: View):
    assert named_in(everything(read.at)) == []
    for name, data in read.files:
        assert named_in(data() if callable(data) else data) == [], name


@of_views
def test_a_viewer_changes_nothing(
    read: Read, view: View, store: Store, judged: str, rules: list[Any]
):
    assert not [one for one in read.at.button if one.key and one.key.startswith(("delete", "rule"))]
    labels = {one.label for one in read.at.button}
    assert not labels & {"Mark as gold", "Unmark", "Delete"}
    assert not any(one.startswith(("Save", "Take over")) for one in labels)
    assert list_rules(store, judged) == rules


@long
def test_an_organiser_is_told(open_page: OpenPage, judged: str, organiser: str):
    told = set()
    for path, state in list_views(["monitor", "agreement", "assessors", "qrels"]):
        told |= set(named_in(everything(open_page(path, organiser, **state))))
    assert {*NAMES, REMARK} <= told
