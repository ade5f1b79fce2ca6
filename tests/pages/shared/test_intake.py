"""What a judging page signs, the intake reads; what was not signed here gives no right."""

import uuid

import pytest

from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round
from core.errors import NotAllowed
from core.store.people.members import add_member
from core.store.store import Store
from pages.shared.addresses import page_address
from pages.shared.intake import (
    accept_event,
    name_assignment,
    read_assignment,
    read_grant,
    sign_grant,
)

GRANT = Grant("c", "anna", "r-1", "t1", 2)


@pytest.mark.usefixtures("store")
def test_a_token_holds_a_grant_and_its_session():
    assert read_grant(sign_grant(GRANT, "s")) == (GRANT, "s")


@pytest.mark.usefixtures("store")
def test_no_other_token_is_one():
    page = page_address("c", "d", "", "s").removeprefix("/api/page/")
    for token in ("", sign_grant(GRANT, "s") + "x", name_assignment(GRANT), page):
        with pytest.raises(NotAllowed):
            read_grant(token)


@pytest.mark.usefixtures("store")
def test_an_assignment_has_the_same_name_each_time_and_no_other_name_is_read():
    name = name_assignment(GRANT)
    assert name == name_assignment(GRANT)
    assert read_assignment(name) == GRANT
    for forged in ("", name + "x", sign_grant(GRANT, "s")):
        assert read_assignment(forged) is None


def test_one_event_is_stored_and_acknowledged(store: Store, filled: str):
    add_member(store, filled, "anna", "Anna")
    round_id = open_round(store, filled, Plan(judges=1, assessors=("anna",), flow="page only"))
    event = {"event_id": str(uuid.uuid4()), "topic": "t1", "document": "d1", "facet": "page",
             "engine": "", "state": "level", "level": 1}  # fmt: skip
    before = store.labels.sequence(filled)
    ack = accept_event(Grant(filled, "anna", round_id, "t1", 0), event)
    assert (ack["status"], ack["event_id"]) == ("saved", event["event_id"])
    assert store.labels.sequence(filled) == ack["sequence"] == before + 1
