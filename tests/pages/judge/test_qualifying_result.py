"""What a test tells at its end: score, mark, what differed and why; and how it goes on."""

import json

import pytest

from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.events.frames import read_labels
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.people.qualifying import TestRules, admit, set_test_rules
from core.store.rounds.rounds import PAGE_ONLY
from core.store.store import Store
from tests.short import long


@pytest.fixture
def anna(store: Store, filled: str, organiser: str) -> str:
    """Somebody in a test of two pages, one of which is Non and the other Key."""
    made = add_person(store, "Anna", "assessor")
    add_member(store, filled, made, "Anna")
    for topic, document, level in (("t1", "d1", 0), ("t2", "d2", 3)):
        item = PracticeItem(topic, document, "page", "", level, f"*{document}* is so.")
        add_practice_item(store, filled, item)
    open_round(store, filled, Plan(judges=1, flow=PAGE_ONLY))
    return made


def take(at, *levels: int):
    """Answer items with ordinary buttons, by the place of a level on the scale."""
    if not at.sidebar.toggle[0].value:
        at.sidebar.toggle[0].set_value(True).run()
    for level in levels:
        at.button[level].click().run()
        assert not at.exception
    return at


def press(at, label: str):
    next(one for one in at.button if one.label == label).click()
    return at.run()


def said(at) -> str:
    return "\n".join(one.value for one in [*at.title, *at.header, *at.markdown, *at.caption])


def test_passing_shows_what_differed_once_and_opens_work(store, filled, organiser, anna, open_page):
    set_test_rules(store, filled, TestRules(0.5), by=organiser)
    at = take(open_page("judge", anna), 0, 1)
    assert "Test passed" in said(at)
    assert "**1 of 2** answers are right; 1 are asked for." in said(at)
    assert "You said **Rel**, we would say **Key**." in said(at)
    assert "\\*d2\\* is so\\." in said(at)
    assert "\\*d1\\* is so\\." not in said(at)
    at = press(at, "Begin to judge")
    assert "Test passed" not in said(at)
    take(at, 2)
    assert len(read_labels(store, filled, assessor_id=anna)) == 1
    assert "Test passed" not in said(open_page("judge", anna))


@long
def test_the_last_feedback_does_not_stand_above_the_first_item(
    store, filled, organiser, anna, open_page
):
    set_test_rules(store, filled, TestRules(0.5), by=organiser)
    at = press(take(open_page("judge", anna), 0, 1), "Begin to judge")
    assert not at.info


@long
def test_below_the_mark_it_can_be_repeated_while_attempts_are_left(
    store, filled, organiser, anna, open_page
):
    set_test_rules(store, filled, TestRules(1, within=1, attempts=2), by=organiser)
    at = take(open_page("judge", anna), 3, 3)
    assert "Test not passed" in said(at)
    assert "One level off counts as right. This was attempt 1 of 2." in said(at)
    assert "You can repeat the test once more" in said(at)
    again = open_page("judge", anna)
    assert "Test not passed" in said(again), "coming back is no attempt"
    at = press(at, "Repeat the test")
    assert "Practice, not counted" in said(at)
    at = take(at, 2, 2)
    assert "This was attempt 2 of 2." in said(at)
    assert "Ask Olga" in at.info[0].value
    assert not [one for one in at.button if one.label == "Repeat the test"]
    admit(store, filled, anna, admitted=True, by=organiser)
    at = open_page("judge", anna)
    assert "Test not passed" not in said(at)
    assert len(at.get("bidi_component")) == 2


@long
def test_one_level_off_is_shown_and_counts(store, filled, organiser, anna, open_page):
    set_test_rules(store, filled, TestRules(1, within=1), by=organiser)
    at = take(open_page("judge", anna), 1, 3)
    assert "Test passed" in said(at)
    assert "You said **Rel**, we would say **Non**." in said(at)


@long
def test_the_screen_is_told_the_rules_and_never_the_levels(
    store, filled, organiser, anna, open_page
):
    set_test_rules(store, filled, TestRules(0.6, within=1, attempts=3), by=organiser)
    screen = open_page("judge", anna).get("bidi_component")[-1]
    sent = json.loads(screen.proto.json)
    assert sent["test"] == {"needed": 2, "items": 2, "within": 1, "attempt": 1, "attempts": 3}
    assert "is so" not in screen.proto.json
    assert "expected" not in screen.proto.json


def test_nothing_is_said_of_a_test_where_there_is_none(store, filled, anna, open_page):
    screen = open_page("judge", anna).get("bidi_component")[-1]
    assert "test" not in json.loads(screen.proto.json)
