"""What a viewer reads: results under codes, never who judged or what they wrote."""

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st

from core.store.people.people import add_person
from core.store.people.viewers import add_viewer
from core.store.store import Store
from tests.pages.conftest import OpenPage, lasting_filled, lasting_organiser
from tests.pages.judging_machine import judge_by_machine
from tests.pages.named_people import NAMES, REMARK, RESULTS, everything, give_names, named_in
from tests.pages.parts import View, list_views, name_view
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


@long
def test_an_organiser_is_told(open_page: OpenPage, judged: str, organiser: str):
    told = set()
    for path, state in list_views(["monitor", "agreement", "assessors", "qrels"]):
        told |= set(named_in(everything(open_page(path, organiser, **state))))
    assert {*NAMES, REMARK} <= told
