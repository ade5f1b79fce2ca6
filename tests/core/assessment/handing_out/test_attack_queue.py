"""Races and departures while work is handed out; labels that arrive broken."""

import threading
import uuid
from datetime import timedelta

import pytest

import core.assessment.handing_out.queue as queue
from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Grant, Intake
from core.assessment.rounds.growth import top_up
from core.assessment.rounds.rounds import Plan, open_round
from core.store.people.members import drop_member
from core.store.rounds.rounds import read_slots
from core.store.store import utc_now
from tests.core.assessment.conftest import ASSESSORS, Small
from tests.each import each
from tests.short import long


def take(small: Small, assessor: str, minutes: float = 0):
    now = utc_now() + timedelta(minutes=minutes)
    return take_assignment(small.store, small.collection_id, assessor, now)


@long
def test_a_top_up_reserves_nothing_for_somebody_who_left(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=1, assessors=("anna",)))
    while held := take(small, "anna"):
        finish_assignment(small.store, held)
        round_id = held.rules.round_id
    drop_member(small.store, small.collection_id, "anna")
    small.add("runs", "t1 Q0 t1d6 1 9 new\n", "new.run")
    assert top_up(small.store, round_id) == 1
    assert take(small, "bob") is not None


def test_finishing_late_does_not_take_a_slot_back(small: Small, monkeypatch: pytest.MonkeyPatch):
    open_round(small.store, small.collection_id, Plan(judges=1, share=0.1))
    late = take(small, "anna")
    (before,) = read_slots(small.store.cursor(), small.collection_id)
    assert take(small, "bob", minutes=61).topic_id == late.topic_id
    # What a page read just before somebody else took the lapsed slot.
    monkeypatch.setattr(queue, "find_holding", lambda *_: before)
    finish_assignment(small.store, late)
    (slot,) = read_slots(small.store.cursor(), small.collection_id)
    assert (slot.assessor_id, slot.finished_at) == ("bob", None)


@pytest.mark.contract
def test_many_at_once_get_exactly_k_places(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=2))
    held = []

    def work(assessor: str) -> None:
        while assignment := take(small, assessor):
            held.append((assignment.topic_id, assessor))
            finish_assignment(small.store, assignment)

    threads = [threading.Thread(target=work, args=(name,)) for name in ASSESSORS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(held) == len(set(held)) == 6
    slots = read_slots(small.store.cursor(), small.collection_id)
    assert sorted((slot.topic_id, slot.assessor_id) for slot in slots) == sorted(held)


def test_a_round_opened_meanwhile_does_not_trip_the_queue(
    small: Small, monkeypatch: pytest.MonkeyPatch
):
    open_round(small.store, small.collection_id, Plan(judges=1, share=0.1))
    listed = queue.list_rounds
    others: list[threading.Thread] = []

    def list_then_open(store, collection_id):
        rounds = listed(store, collection_id)
        if not others:
            others.append(threading.Thread(target=open_round, args=(store, collection_id, Plan())))
            others[0].start()
            others[0].join(0.5)
        return rounds

    monkeypatch.setattr(queue, "list_rounds", list_then_open)
    first = take(small, "anna")
    finish_assignment(small.store, first)
    others[0].join()
    assert first is not None


def send(small: Small, **fields: object) -> dict:
    assignment = take(small, "anna")
    step = next(s for s in lay_out(small.store, assignment).steps if s.facet == "page")
    grant = Grant(small.collection_id, "anna", assignment.rules.round_id, step.topic_id, 0)
    event = {"event_id": str(uuid.uuid4()), "topic": step.topic_id, "document": step.document_id,
             "facet": "page", "engine": "", "state": "level", "level": 1, **fields}  # fmt: skip
    (ack,) = Intake(small.store).accept(grant, [event])
    return ack


def test_half_a_character_in_a_comment_does_not_block_its_label(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=1))
    ack = send(small, comment="well \ud83d", client_time="\udc00")
    assert ack["status"] == "saved"
    assert ack["current"]["comment"] == "well ?"


@each("event_id", [float("nan"), float("inf"), ["x"], {"a": 1}, 5])
def test_an_event_id_that_is_none_is_not_sent_back(opened: Small, event_id: object):
    ack = send(opened, event_id=event_id)
    assert (ack["status"], ack["event_id"]) == ("refused", None)


def test_a_name_given_twice_is_one_assessor(small: Small):
    names = ("anna", "anna", "anna", "bob")
    open_round(small.store, small.collection_id, Plan(judges=2, assessors=names))
    slots = read_slots(small.store.cursor(), small.collection_id)
    assert len(slots) == len({(slot.topic_id, slot.assessor_id) for slot in slots}) == 6
