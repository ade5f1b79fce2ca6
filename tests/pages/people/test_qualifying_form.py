"""The organiser sets a mark, sees who is below it, and lets somebody in."""

import pytest

from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.people.qualifying import TestRules, get_test_rules
from tests.short import long


def press(at, label: str):
    next(one for one in at.button if one.label == label).click()
    return at.run()


def standings_of(at):
    return next(one.value for one in at.dataframe if "test" in one.value).set_index("name")["test"]


def said(at) -> str:
    return "\n".join(one.value for one in at.markdown)


@pytest.fixture
def anna(store, filled) -> str:
    made = add_person(store, "Anna", "assessor")
    add_member(store, filled, made, "Anna")
    add_practice_item(store, filled, PracticeItem("t2", "d2", "page", "", 3, "Only cars."))
    open_round(store, filled, Plan(judges=1))
    return made


def test_a_mark_needs_practice_items(open_page, organiser, filled):
    at = open_page("people", organiser)
    assert any("There are no practice items" in one.value for one in at.info)
    assert not any(one.label == "Begin to test" for one in at.button)


@long
def test_somebody_below_the_mark_waits_until_let_in(open_page, store, organiser, filled, anna):
    at = press(open_page("people", organiser), "Begin to test")
    assert get_test_rules(store, filled) == TestRules(0.8)
    assert standings_of(at)["Anna"] == "0 of 1 answered"
    judging = open_page("judge", anna)
    judging.sidebar.toggle[0].set_value(True).run()
    assert "Practice" in judging.main.caption[-1].value
    judging.button[0].click().run()
    assert not judging.exception
    assert [one.value for one in judging.title] == ["Test not passed"]
    assert "**0 of 1** answers are right; 1 are asked for." in said(judging)
    assert "You said **Non**, we would say **Key**." in said(judging)
    assert "Only cars\\." in said(judging)
    assert "Ask Olga, who sees your answers" in judging.info[0].value
    assert not judging.button
    assert standings_of(open_page("people", organiser))["Anna"] == "below the mark: 0 of 1 right"
    press(open_page("people", organiser), "Let in to judge")
    assert next_assignment(store, filled, anna)
    at = open_page("people", organiser)
    assert standings_of(at)["Anna"] == "let in: 0 of 1 right"
    press(at, "Leave it to the test")
    assert next_assignment(store, filled, anna) is None
    press(open_page("people", organiser), "End the test")
    assert get_test_rules(store, filled) is None
    assert next_assignment(store, filled, anna)
