"""Leases: what is taken, what comes back, what is surplus."""

import uuid
from datetime import timedelta

import pytest

from core.assessment.handing_out.blinding import engine_code
from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.handing_out.queue import (
    Assignment,
    Share,
    finish_assignment,
    read_share,
    take_assignment,
)
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Grant, Intake
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.collections import close_collection
from core.store.people.members import add_member, drop_member
from core.store.rounds.rounds import read_slots
from core.store.store import utc_now
from tests.core.assessment.conftest import ASSESSORS, Small
from tests.short import long


def take(small: Small, assessor: str, minutes: float = 0) -> Assignment | None:
    now = utc_now() + timedelta(minutes=minutes)
    return take_assignment(small.store, small.collection_id, assessor, now)


def judge(small: Small, assignment: Assignment) -> dict:
    rules, assessor = assignment.rules, assignment.assessor_id
    step = next(s for s in lay_out(small.store, assignment).steps if s.facet == "page")
    event = {"event_id": str(uuid.uuid4()), "topic": step.topic_id, "document": step.document_id,
             "facet": "page", "engine": "", "state": "level", "level": 1}  # fmt: skip
    grant = Grant(small.collection_id, assessor, rules.round_id, assignment.topic_id, 0)
    (ack,) = Intake(small.store).accept(grant, [event])
    return ack


def test_taking_again_gives_the_same_topic_until_it_is_finished(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=2))
    first = take(small, "anna")
    assert take(small, "anna").topic_id == first.topic_id
    finish_assignment(small.store, first)
    finish_assignment(small.store, first)
    assert take(small, "anna").topic_id != first.topic_id


def test_ones_share_counts_what_is_finished_held_and_free(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=2))
    assert read_share(small.store, small.collection_id, "anna") == Share(0, 0, 3)
    first = take(small, "anna")
    assert read_share(small.store, small.collection_id, "anna") == Share(0, 1, 2)
    finish_assignment(small.store, first)
    take(small, "anna")
    assert read_share(small.store, small.collection_id, "anna") == Share(1, 1, 1)


@long
def test_begun_topics_are_completed_first(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=2))
    first = take(small, "anna")
    assert take(small, "bob").topic_id == first.topic_id
    assert take(small, "carla").topic_id != first.topic_id


def test_exactly_k_are_handed_out_and_nobody_twice(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=2))
    held = []
    for assessor in ASSESSORS * 3:
        assignment = take(small, assessor)
        if assignment:
            held.append((assignment.topic_id, assessor))
            finish_assignment(small.store, assignment)
    assert len(held) == len(set(held)) == 6
    assert all(take(small, assessor) is None for assessor in ASSESSORS)


@pytest.mark.contract
def test_a_lapsed_lease_comes_back_and_the_late_label_is_kept(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=1, lease_minutes=30))
    late = take(small, "anna")
    for assessor in ("bob", "carla"):
        assert take(small, assessor).topic_id != late.topic_id
    assert take(small, "dan", minutes=29) is None
    heir = take(small, "dan", minutes=31)
    assert heir.topic_id == late.topic_id
    assert judge(small, late)["status"] == "saved"
    holders = [s.assessor_id for s in read_slots(small.store.cursor(), small.collection_id)]
    assert "dan" in holders
    assert "anna" not in holders


def test_judging_keeps_a_lease_alive(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=1, lease_minutes=30))
    held = take(small, "anna", minutes=-40)
    judge(small, held)
    for assessor in ("bob", "carla"):
        take(small, assessor)
    assert take(small, "dan", minutes=20) is None
    assert take(small, "dan", minutes=31).topic_id == held.topic_id


@long
def test_the_holder_of_a_lapsed_lease_may_go_on_while_nobody_took_it(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=1, lease_minutes=30))
    held = take(small, "anna")
    assert take(small, "anna", minutes=300).topic_id == held.topic_id


@long
def test_reserved_topics_never_lapse(small: Small):
    plan = Plan(judges=1, lease_minutes=1, assessors=("anna",))
    open_round(small.store, small.collection_id, plan)
    take(small, "anna")
    assert take(small, "bob", minutes=1000) is None


@long
def test_a_second_round_never_gives_the_same_topic_to_the_same_person(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=1, assessors=("anna",)))
    open_round(small.store, small.collection_id, Plan(judges=1))
    while assignment := take(small, "anna"):
        finish_assignment(small.store, assignment)
    topics = [s.topic_id for s in read_slots(small.store.cursor(), small.collection_id)
              if s.assessor_id == "anna"]  # fmt: skip
    assert sorted(topics) == ["t1", "t2", "t3"]


@long
def test_batches_of_one_topic_may_go_to_one_person(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=1, batch_size=2))
    batches = set()
    while assignment := take(small, "anna"):
        batches.add((assignment.topic_id, assignment.batch))
        finish_assignment(small.store, assignment)
    assert len(batches) == 6


@pytest.mark.contract
def test_a_dropped_assessor_hands_on_what_is_unfinished(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=1, assessors=("anna",)))
    finish_assignment(small.store, take(small, "anna"))
    assert drop_member(small.store, small.collection_id, "anna", "bob") == 2
    assert take(small, "anna") is None
    assert take(small, "bob") is not None
    assert drop_member(small.store, small.collection_id, "bob") == 2
    assert take(small, "carla") is not None
    add_member(small.store, small.collection_id, "anna", "anna")


def test_a_closed_collection_and_strangers_get_nothing(small: Small):
    open_round(small.store, small.collection_id, Plan())
    assert take(small, "stranger") is None
    close_collection(small.store, small.collection_id, closed=True)
    assert take(small, "anna") is None


def test_a_batch_judged_to_the_end_is_not_given_away_though_its_lease_lapsed(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=1, lease_minutes=30))
    mine, content = next_assignment(small.store, small.collection_id, "anna")
    grant = Grant(small.collection_id, "anna", mine.rules.round_id, mine.topic_id, 0)
    events = [
        {
            "event_id": str(uuid.uuid4()),
            "topic": step.topic_id,
            "document": step.document_id,
            "facet": step.facet,
            "engine": engine_code(small.store.secret, step.key("anna")),
            "occasion": step.occasion,
            "state": "cannot judge",
        }
        for step in content.steps
    ]
    acks = Intake(small.store).accept(grant, events)
    assert {ack["status"] for ack in acks} == {"saved"}
    later = utc_now() + timedelta(hours=3)
    topics = set()
    for assessor in ("bob", "carla", "dan"):
        if handed_out := next_assignment(small.store, small.collection_id, assessor, later):
            topics.add(handed_out[0].topic_id)
    assert len(topics) == 2
    assert mine.topic_id not in topics
    slots = read_slots(small.store.cursor(), small.collection_id)
    assert [s.assessor_id for s in slots if s.finished_at] == ["anna"]
