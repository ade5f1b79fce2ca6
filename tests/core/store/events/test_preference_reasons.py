"""Reasons of preferences: stored with their event, once, and read where they still stand."""

import uuid

import pytest

from core.assessment.intake.judging import Grant, Intake
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, read_audit
from core.store.content.collections import create_collection
from core.store.events.labels import Key, LabelEvent
from core.store.events.preference_reasons import (
    LONGEST_REASON,
    list_reason_choices,
    read_given_reasons,
    read_reasons,
    set_reason_choices,
)
from core.store.people.members import add_member
from core.store.store import Store
from tests.short import long

KEY = Key("t1", "p1", "panel pair", "first", "anna", 0)


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


@pytest.fixture
def here(store: Store) -> str:
    made = create_collection(store, "Here")
    add_member(store, made, "anna", "Anna")
    return made


def event(level: int = 1, before: str | None = None, **more) -> LabelEvent:
    return LabelEvent(str(uuid.uuid4()), before, KEY, "level", level, **more)


def test_up_to_eight_are_offered_and_the_record_says_so(store: Store, here: str):
    assert list_reason_choices(store, here) == ()
    set_reason_choices(store, here, [" fresher ", "", "more <b>relevant</b>"], "olga")
    assert list_reason_choices(store, here) == ("fresher", "more <b>relevant</b>")
    for wrong in ([str(n) for n in range(9)], ["a", "A"], ["x" * (LONGEST_REASON + 1)]):
        with pytest.raises(BadInput):
            set_reason_choices(store, here, wrong)
    set_reason_choices(store, here, [])
    assert list_reason_choices(store, here) == ()
    told = read_audit(store, AuditFilter(kind="collections", person_id="olga"), 9)
    assert told["change"].tolist() == ['reasons: "" → "fresher; more <b>relevant</b>"']


def test_they_come_with_their_event_and_with_no_other(store: Store, here: str):
    first = event(reasons=("fresher", "shorter"))
    (receipt,) = store.labels.append(here, [first])
    store.labels.append(here, [first])
    assert read_given_reasons(store, here, [first.event_id]) == {
        first.event_id: ["fresher", "shorter"]
    }
    assert read_reasons(store, here).to_numpy().tolist() == [
        [receipt.sequence, "fresher"],
        [receipt.sequence, "shorter"],
    ]
    second = event(-1, first.event_id, reasons=("shorter",))
    stale = event(2, first.event_id, reasons=("late",))
    for one in (second, stale):
        store.labels.append(here, [one])
    assert read_reasons(store, here).to_numpy().tolist() == [[receipt.sequence, "shorter"]]
    assert len(read_reasons(store, here, receipt.sequence)) == 2
    assert read_given_reasons(store, here, [stale.event_id]) == {stale.event_id: ["late"]}
    (kept,) = store.cursor().execute("SELECT count(*) FROM preference_reasons").fetchone()
    assert kept == 4, "what was given before stays on record"


def test_an_event_that_is_not_stored_leaves_no_reason(store: Store, here: str):
    good = event(reasons=("fresher",))
    bad = LabelEvent(good.event_id, None, KEY._replace(topic_id="t2"), "level", 1, reasons=("x",))
    store.labels.append(here, [good])
    with pytest.raises(BadInput):
        store.labels.append(here, [bad])
    assert read_reasons(store, here)["reason"].tolist() == ["fresher"]


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (["fresher"], "saved"),
        (["not offered any more"], "saved"),
        pytest.param(["fresher", "fresher"], "saved", marks=long),
        pytest.param(["x" * (LONGEST_REASON + 1)], "refused", marks=long),
        pytest.param(["", "a"], "refused", marks=long),
        pytest.param("fresher", "refused", marks=long),
        pytest.param([1], "refused", marks=long),
        pytest.param(["a"] * 9, "refused", marks=long),
        pytest.param(None, "saved", marks=long),
    ],
)
def test_what_a_browser_sends_is_checked(store: Store, here: str, given, status: str):
    first = event()
    store.labels.append(here, [first])
    raw = {
        **{"event_id": str(uuid.uuid4()), "supersedes": first.event_id},
        **{"topic": "t1", "document": "p1", "facet": "panel pair", "occasion": 0},
        **{"engine": _code(store), "state": "level", "level": 2, "reasons": given},
    }
    (ack,) = Intake(store).accept(Grant(here, "anna"), [raw])
    assert ack["status"] == status
    known = list(dict.fromkeys(given or [])) if status == "saved" else []
    assert read_reasons(store, here)["reason"].tolist() == known


def _code(store: Store) -> str:
    from core.assessment.handing_out.blinding import engine_code

    return engine_code(store.secret, KEY)
