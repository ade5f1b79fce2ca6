"""Aspects by ordinary buttons, under History, and what the judging screen is told of them."""

import json

import pytest

from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.aspects import Aspect
from core.collection.records import numeric_scale
from core.store.content.aspects import add_aspect
from core.store.content.collections import get_collection
from core.store.events.aspect_labels import read_aspect_labels
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store
from pages.judge.assignment import component_data, data_ahead
from tests.short import long

TRUST = Aspect("trust", ("page",), "Would you trust it?", numeric_scale(range(3)), from_level=1)
AGE = Aspect("age", ("page",), "Is it new?", numeric_scale(range(2)), may_be_left_out=True)


@pytest.fixture
def assessor(store: Store, filled: str) -> str:
    person = add_person(store, "Anna", "assessor")
    add_member(store, filled, person, "Anna")
    for aspect in (TRUST, AGE):
        add_aspect(store, filled, aspect)
    open_round(store, filled, Plan(judges=1, flow="page only"))
    return person


def button(at, start: str, label: str):
    """Return the button whose key begins so, or which is called so."""
    return next(
        one for one in at.button if (one.key or "").startswith(start) and label in one.label
    )


def said(store, filled) -> list[list]:
    rows = read_aspect_labels(store, filled)[["aspect", "given_level"]].astype("object")
    return rows.where(rows.notna(), None).values.tolist()


@long
def test_plain_buttons_ask_one_aspect_after_the_other(open_page, store, filled, assessor):
    at = open_page("judge", assessor)
    at.sidebar.toggle[0].set_value(True).run()
    button(at, "2-", "HRel").click().run()
    assert not at.exception
    assert said(store, filled) == []
    assert any("Would you trust it?" in one.value for one in at.markdown)
    button(at, "trust-2", "2").click().run()
    assert any("Is it new?" in one.value for one in at.markdown)
    button(at, "leave-", "Leave out").click().run()
    assert not at.exception
    assert said(store, filled) == [["trust", 2], ["age", None]]
    (label,) = store.labels.current(filled, assessor).values()
    assert label.level == 2


@long
def test_plain_buttons_go_back_to_relevance_and_ask_less_below(open_page, store, filled, assessor):
    at = open_page("judge", assessor)
    at.sidebar.toggle[0].set_value(True).run()
    button(at, "2-", "HRel").click().run()
    button(at, "back-", "Back").click().run()
    button(at, "0-", "Non").click().run()
    assert any("Is it new?" in one.value for one in at.markdown)
    button(at, "age-1", "1").click().run()
    assert said(store, filled) == [["age", 1]]


@long
def test_history_shows_aspects_and_changes_them(open_page, store, filled, assessor):
    at = open_page("judge", assessor)
    at.sidebar.toggle[0].set_value(True).run()
    for start, label in (("2-", "HRel"), ("trust-2", "2"), ("age-0", "0")):
        button(at, start, label).click().run()
    at = open_page("history", assessor)
    assert not at.exception
    assert at.dataframe[0].value["Aspects"].tolist() == ["age: 0, trust: 2"]
    at = open_page("history", assessor, history={"selection": {"rows": [0], "columns": []}})
    level, trust, age = at.radio
    assert (level.value, trust.value, age.value) == (2, 2, 0)
    assert (trust.label, age.options) == ("trust: Would you trust it?", ["0", "1", "left out"])
    trust.set_value(0)
    age.set_value("left out")
    next(one for one in at.button if one.label == "Save").click().run()
    assert not at.exception
    assert not at.error
    assert said(store, filled) == [["trust", 0], ["age", None]]
    at = open_page("history", assessor, history={"selection": {"rows": [0], "columns": []}})
    at.radio[0].set_value(0)  # below the level from which trust is asked
    next(one for one in at.button if one.label == "Save").click().run()
    assert not at.error
    assert said(store, filled) == [["age", None]]


def test_the_screen_is_told_questions_and_nothing_of_others(store, filled, assessor):
    assignment = take_assignment(store, filled, assessor)
    collection = get_collection(store, filled)
    laid = lay_out(store, assignment)
    data = component_data(store, collection, assignment, laid, "session")
    (kept,) = data_ahead(store, collection, [(assignment, laid)], "session")
    assert kept["aspects"] == data["aspects"]
    assert [one["name"] for one in data["aspects"]] == ["trust", "age"]
    assert [one["from_level"] for one in data["aspects"]] == [1, None]
    assert not {"a1", "a2"} & set(json.dumps(data["aspects"]).split('"'))
