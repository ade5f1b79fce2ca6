"""What is handed out ahead: a hundred items, in order, never more than one's share or than k."""

import uuid
from collections import Counter
from datetime import datetime, timedelta

import pytest

from core.assessment.handing_out.ahead import hand_out_ahead
from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.handing_out.queue import AWAY, Assignment, finish_assignment, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Intake, grant_of
from core.assessment.rounds.rounds import Plan, open_round
from core.store.rounds.rounds import read_slots
from core.store.store import utc_now
from tests.core.assessment.conftest import ASSESSORS, Small
from tests.short import few, long

LEASE = 30


def ahead(small: Small, assessor: str, items: int = 100, minutes: float = 0) -> list[str]:
    now = utc_now() + timedelta(minutes=minutes)
    found = hand_out_ahead(small.store, small.collection_id, assessor, items, now)
    return [f"{one.topic_id} {one.batch}" for one, _ in found]


def judge_all(small: Small, assignment: Assignment) -> list[str]:
    """Judge everything of an assignment, as events sent late would."""
    events = [
        {"event_id": str(uuid.uuid4()), "topic": step.topic_id, "document": step.document_id,
         "facet": "page", "engine": "", "state": "level", "level": 1}
        for step in lay_out(small.store, assignment).steps
    ]  # fmt: skip
    acks = Intake(small.store).accept(grant_of(assignment), events)
    return [ack["status"] for ack in acks]


def slots(small: Small) -> list:
    return read_slots(small.store.cursor(), small.collection_id)


def open_pages(small: Small, **plan: object) -> None:
    wanted = {"judges": 1, "flow": "page only", "lease_minutes": LEASE, **plan}
    open_round(small.store, small.collection_id, Plan(**wanted))


@long
def test_the_first_is_what_is_judged_now_and_all_the_rest_may_follow(small: Small):
    open_pages(small, batch_size=1)
    found = ahead(small, "anna")
    first = next_assignment(small.store, small.collection_id, "anna")[0]
    assert found[0] == f"{first.topic_id} {first.batch}"
    assert len(found) == len(set(found)) == len(slots(small))
    assert ahead(small, "anna") == found


@pytest.mark.parametrize("items", few([3, 1, 5]))
def test_no_more_is_taken_than_there_are_items_wanted(small: Small, items: int):
    open_pages(small, batch_size=1)
    assert len(ahead(small, "anna", items)) == items
    assert sum(slot.assessor_id == "anna" for slot in slots(small)) == items


@long
def test_nobody_gets_more_than_their_share_ahead(small: Small):
    open_pages(small, batch_size=1)
    for name in ASSESSORS:
        assert take_assignment(small.store, small.collection_id, name)
    places = len(slots(small))
    found = [ahead(small, name) for name in ASSESSORS]
    assert [len(one) for one in found] == [places // 4] * 4
    assert max(Counter(batch for one in found for batch in one).values()) == 1


def test_exactly_k_hold_a_batch_however_often_it_is_asked_for(small: Small):
    open_pages(small, judges=2, batch_size=2)
    for _ in range(3):
        for name in ASSESSORS:
            ahead(small, name)
    held = Counter((s.topic_id, s.batch) for s in slots(small) if s.assessor_id)
    whose = Counter((s.topic_id, s.batch, s.assessor_id) for s in slots(small) if s.assessor_id)
    assert max(held.values()) == 2
    assert max(whose.values()) == 1


@long
def test_the_order_stays_when_the_leases_have_run_out(small: Small):
    open_pages(small, batch_size=2)
    take_assignment(small.store, small.collection_id, "bob")
    found = ahead(small, "anna")
    assert len(found) > 2
    for minutes in (0, LEASE + 61, 600, 1200):
        now = utc_now() + timedelta(minutes=minutes)
        held = take_assignment(small.store, small.collection_id, "anna", now)
        assert f"{held.topic_id} {held.batch}" == found[0]
    finish_assignment(small.store, held)
    after = take_assignment(small.store, small.collection_id, "anna", now)
    assert f"{after.topic_id} {after.batch}" == found[1]


def test_what_is_kept_for_an_hour_offline_is_given_to_nobody_else(small: Small):
    open_pages(small)
    assert len(ahead(small, "anna")) == 3
    hour = AWAY.total_seconds() / 60
    at = utc_now() + timedelta(minutes=LEASE + hour - 1)
    assert take_assignment(small.store, small.collection_id, "bob", at) is None
    late = utc_now() + timedelta(minutes=LEASE + hour + 1)
    assert take_assignment(small.store, small.collection_id, "bob", late)


def test_labels_given_offline_are_taken_though_the_lease_ran_out(small: Small):
    open_pages(small)
    found = hand_out_ahead(small.store, small.collection_id, "anna")
    rows = small.store.cursor()
    rows.execute("UPDATE slots SET leased_until = ?", [utc_now() - timedelta(hours=5)])
    for assignment, content in found:
        assert judge_all(small, assignment) == ["saved"] * len(content.steps)
    for name in ("bob", "anna"):
        assert next_assignment(small.store, small.collection_id, name) is None
    finished = [slot.finished_at for slot in slots(small)]
    assert all(finished)
    (most,) = rows.execute(
        "SELECT max(n) FROM (SELECT count(DISTINCT assessor_id) AS n FROM labels "
        "GROUP BY topic_id, document_id)"
    ).fetchone()
    assert most == 1


@long
def test_leases_are_not_longer_than_promised(small: Small):
    open_pages(small, batch_size=1)
    now = utc_now()
    hand_out_ahead(small.store, small.collection_id, "anna", now=now)
    ends = [slot.leased_until for slot in slots(small)]
    longest = now + timedelta(minutes=LEASE) + AWAY
    assert all(isinstance(one, datetime) for one in ends)
    assert max(ends) - longest < timedelta(seconds=1)
    assert min(ends) >= longest
    assert len(set(ends)) == len(ends)


def test_nothing_is_handed_out_to_strangers(small: Small):
    open_pages(small)
    assert hand_out_ahead(small.store, small.collection_id, "stranger") == []
