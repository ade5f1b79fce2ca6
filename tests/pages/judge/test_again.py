"""The link from the history, and what the judging screen is given at its end."""

import json
from urllib.parse import parse_qs

import pytest

from core.assessment.rounds.rounds import Plan, open_round
from core.store.events.frames import read_labels
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.rounds import PAGE_ONLY
from core.store.store import Store
from tests.short import long

CHOSEN = {"selection": {"rows": [0], "columns": []}}


@pytest.fixture
def assessor(store: Store, filled: str, open_page) -> str:
    """Somebody who has judged one page."""
    person = add_person(store, "Anna", "assessor")
    add_member(store, filled, person, "Anna")
    open_round(store, filled, Plan(judges=1, flow=PAGE_ONLY))
    at = open_page("judge", person)
    at.sidebar.toggle[0].set_value(True).run()
    at.button[1].click().run()
    return person


def given(at) -> dict:
    """Return what the judging screen is given."""
    screen = at.get("bidi_component")[-1]
    return json.loads(screen.proto.json)


@long
def test_a_chosen_label_has_a_link_to_its_item(store: Store, filled: str, assessor: str, open_page):
    assert not open_page("history", assessor).get("page_link")
    at = open_page("history", assessor, history=CHOSEN)
    (link,) = (one.proto for one in at.get("page_link"))
    (label,) = store.labels.current(filled, assessor).values()
    assert link.label == "Judge again"
    assert parse_qs(link.query_string) == {"collection": [filled], "again": [label.event_id]}


def test_the_screen_is_given_the_one_item_with_its_label(
    store: Store, filled: str, assessor: str, open_page
):
    ((key, label),) = store.labels.current(filled, assessor).items()
    sent = given(open_page("judge", assessor, address={"again": label.event_id}))
    (step,) = sent["steps"]
    assert (step["topic"], step["document"]) == (key.topic_id, key.document_id)
    assert step["label"]["level"] == label.level
    assert sent["again"] is True
    assert sent["intro"] is None
    assert sent["pace"]["topics"] is None
    assert "again" not in given(open_page("judge", assessor))


@long
def test_what_an_address_names_that_is_not_ones_own_is_passed_over(
    store: Store, filled: str, assessor: str, open_page
):
    other = add_person(store, "Bob", "assessor")
    add_member(store, filled, other, "Bob")
    (label,) = store.labels.current(filled, assessor).values()
    at = open_page("judge", other, address={"again": label.event_id})
    assert "again" not in given(at)
    assert "again" not in at.query_params
    assert len(read_labels(store, filled, assessor_id=other)) == 0
