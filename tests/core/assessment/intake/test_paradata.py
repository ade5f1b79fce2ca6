"""Paradata that come with a judgement: each field checked, stored with its event, and optional."""

import pytest

from core.assessment.intake.judging import Intake
from core.store.events.answered import PARADATA
from core.store.file.database import fetch
from tests.core.assessment.conftest import Small
from tests.core.assessment.intake.test_judging import assignment_for, event_for
from tests.each import each
from tests.short import few

ALL = {
    **{"shown_ms": 2_400, "given_by": "touch", "place": 1, "x": 0, "y": 1000, "furthest": 620},
    **{"first_side": "right", "both_sides": True, "text_only": False},
}


def send(small: Small, **more: object) -> dict:
    grant, content = assignment_for(small)
    (ack,) = Intake(small.store).accept(grant, [event_for(small, content.steps[0], **more)])
    return ack


def stored(small: Small) -> list[dict]:
    rows = fetch(small.store.cursor(), f"SELECT {', '.join(PARADATA)} FROM paradata")
    return [dict(row) for row in rows]


def test_all_that_is_known_is_stored_with_the_event(opened: Small):
    ack = send(opened, paradata=ALL | {"tomorrow": "more"})
    assert ack["status"] == "saved"
    assert stored(opened) == [ALL]
    (row,) = fetch(opened.store.cursor(), "SELECT event_id::VARCHAR AS id FROM paradata")
    assert row["id"] == ack["event_id"]


def test_each_is_optional(opened: Small):
    assert send(opened, paradata={"given_by": "key", "x": None})["status"] == "saved"
    assert stored(opened) == [dict.fromkeys(PARADATA) | {"given_by": "key"}]


@pytest.mark.parametrize("told", few([None, {}, {"tomorrow": 1}, {"x": None}]))
def test_a_judgement_without_goes_on_as_before(opened: Small, told: object):
    assert send(opened, paradata=told)["status"] == "saved"
    assert stored(opened) == []


@each(
    ("told", "reason"),
    [
        ([], "values by name"),
        ("key", "values by name"),
        ({"shown_ms": -1}, "'shown_ms' has to be a whole number from 0"),
        ({"shown_ms": 2.5}, "'shown_ms'"),
        ({"shown_ms": True}, "'shown_ms'"),
        ({"shown_ms": 10**12}, "'shown_ms'"),
        ({"place": "1"}, "'place'"),
        ({"x": 1001}, "'x' has to be a whole number from 0 to 1000"),
        ({"y": -1}, "'y'"),
        ({"furthest": 1001}, "'furthest'"),
        ({"given_by": "cat"}, "'given_by' is one of: key, mouse, touch, pen, button"),
        ({"given_by": ["key"]}, "'given_by'"),
        ({"first_side": "up"}, "'first_side' is one of: left, right"),
        ({"both_sides": 1}, "'both_sides' has to be true or false"),
        ({"text_only": "no"}, "'text_only'"),
    ],
)
def test_what_is_unfit_is_refused_whole(opened: Small, told: object, reason: str):
    ack = send(opened, paradata=told)
    assert ack["status"] == "refused"
    assert reason in ack["reason"]
    assert opened.store.labels.current(opened.collection_id, "anna") == {}
    assert stored(opened) == []
