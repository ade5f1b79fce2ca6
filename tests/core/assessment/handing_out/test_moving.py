"""Slots given to people by hand: nothing that was judged is lost, nobody judges twice."""

import uuid
from dataclasses import replace

import pytest

from core.assessment.handing_out.blinding import engine_code
from core.assessment.handing_out.matrix import read_places
from core.assessment.handing_out.moving import give_slot
from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.handing_out.queue import Assignment, finish_assignment, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Intake, grant_of
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, read_audit
from core.store.check.check_rounds import SLOTS
from core.store.events.frames import read_labels
from core.store.people.members import add_member, drop_member
from core.store.people.people import add_person
from core.store.rounds.rounds import Slot, get_round, read_slots
from tests.core.assessment.conftest import Small
from tests.short import long


@pytest.fixture
def people(small: Small) -> tuple[str, str]:
    """Two assessors who can sign in."""
    ids = []
    for name in ("Emil", "Fay"):
        ids.append(add_person(small.store, name, "assessor"))
        add_member(small.store, small.collection_id, ids[-1], name)
    return ids[0], ids[1]


def slots_of(small: Small, topic_id: str) -> list[Slot]:
    found = read_slots(small.store.cursor(), small.collection_id)
    return [slot for slot in found if slot.topic_id == topic_id]


def judge(small: Small, given: Assignment, most: int) -> list[str]:
    """Judge the first pages of an assignment; return what became of them."""
    steps = [step for step in lay_out(small.store, given).steps if step.facet == "page"][:most]
    events = [
        {"event_id": str(uuid.uuid4()), "topic": step.topic_id, "document": step.document_id,
         "facet": "page", "engine": "", "state": "level", "level": 1}
        for step in steps
    ]  # fmt: skip
    return [one["status"] for one in Intake(small.store).accept(grant_of(given), events)]


def test_an_open_slot_is_assigned_moved_and_freed_on_record(small: Small, people):
    emil, fay = people
    open_round(small.store, small.collection_id, Plan(judges=2, flow="page only"))
    give_slot(small.store, slots_of(small, "t2")[0], emil, by="olga")
    assert take_assignment(small.store, small.collection_id, emil).topic_id == "t2"
    give_slot(small.store, slots_of(small, "t2")[0], fay, by="olga")
    give_slot(small.store, slots_of(small, "t2")[0], None, by="olga")
    assert slots_of(small, "t2")[0].assessor_id is None
    assert not slots_of(small, "t2")[0].reserved
    audit = read_audit(small.store, AuditFilter(person_id="olga"), 9)
    assert audit["what"].tolist() == ["free", "move", "assign"]
    assert audit["change"].tolist() == [
        f'assessor: "{fay}" → none',
        f'assessor: "{emil}" → "{fay}"',
        f'assessor: none → "{emil}"',
    ]
    assert set(audit["kind"]) == {"assignments"}
    assert SLOTS.check(small.store).faults == ()


def test_labels_stay_when_a_slot_moves_and_those_on_their_way_are_taken(small: Small, people):
    emil, fay = people
    open_round(small.store, small.collection_id, Plan(judges=1, flow="page only"))
    given = take_assignment(small.store, small.collection_id, emil)
    assert judge(small, given, 1) == ["saved"]
    (held,) = slots_of(small, given.topic_id)
    give_slot(small.store, held, fay)
    # Sent by a screen that has not heard of it, to an intake that has never seen the assignment.
    assert judge(small, given, 3) == ["stale", "saved", "saved"]
    labels = read_labels(small.store, small.collection_id)
    assert labels["assessor_id"].tolist() == [emil] * 3
    taken, content = next_assignment(small.store, small.collection_id, fay)
    assert taken.topic_id == given.topic_id
    assert len(content.steps) == 4
    assert next_assignment(small.store, small.collection_id, emil)[0].topic_id != given.topic_id


def test_what_cannot_be_moved_is_refused_with_a_reason(small: Small, people):
    emil, fay = people
    round_id = open_round(small.store, small.collection_id, Plan(judges=2, flow="page only"))
    first, second = slots_of(small, "t1")
    with pytest.raises(BadInput, match="does not judge in the collection"):
        give_slot(small.store, first, "anna")  # came with a file: nobody can sign in as her
    with pytest.raises(BadInput, match="no such slot"):
        give_slot(small.store, replace(first, slot=7), emil)
    give_slot(small.store, first, emil)
    with pytest.raises(BadInput, match="another holder by now"):
        give_slot(small.store, first, fay)
    (first,) = [slot for slot in slots_of(small, "t1") if slot.assessor_id]
    with pytest.raises(BadInput, match="theirs already"):
        give_slot(small.store, first, emil)
    with pytest.raises(BadInput, match="nobody judges an item twice"):
        give_slot(small.store, second, emil)
    finish_assignment(small.store, take_assignment(small.store, small.collection_id, emil))
    with pytest.raises(BadInput, match="finished"):
        give_slot(small.store, first, fay)
    drop_member(small.store, small.collection_id, fay)
    with pytest.raises(BadInput, match="let them in first"):
        give_slot(small.store, second, fay)
    close_round(small.store, round_id, closed=True)
    with pytest.raises(BadInput, match="reopen it first"):
        give_slot(small.store, second, emil)


def test_the_same_documents_of_another_open_round_are_not_given_twice(small: Small, people):
    emil, _ = people
    plan = Plan(judges=1, flow="page only", assessors=(emil,))
    open_round(small.store, small.collection_id, plan)
    again = open_round(small.store, small.collection_id, Plan(judges=1, flow="page only"))
    (slot,) = [one for one in slots_of(small, "t3") if one.round_id == again]
    with pytest.raises(BadInput, match="nobody judges an item twice"):
        give_slot(small.store, slot, emil)


@long
def test_the_share_counts_what_the_holder_has_judged(small: Small, people):
    emil, fay = people
    round_id = open_round(small.store, small.collection_id, Plan(judges=2, flow="page only"))
    give_slot(small.store, slots_of(small, "t1")[0], emil)
    give_slot(small.store, slots_of(small, "t2")[0], fay)
    judge(small, take_assignment(small.store, small.collection_id, emil), 3)
    places = read_places(small.store, get_round(small.store, round_id))
    known = places.set_index(["topic_id", "slot"])
    assert known["state"].tolist() == ["taken", "open", "reserved", "open", "open", "open"]
    assert known.loc[("t1", 0), ["documents", "steps", "judged", "share"]].tolist() == [
        *(4, 4, 3, 0.75),
    ]
    assert known.loc[("t2", 0), "share"] == 0
    assert known.loc[("t3", 0), ["share"]].isna().all()


@pytest.mark.parametrize(
    ("flow", "page_from", "steps", "judged"),
    [
        pytest.param("snippet then page", None, 10, 2, marks=long),
        ("snippet then page", 2, 10, 3),
        pytest.param("snippet only", None, 6, 2, marks=long),
    ],
)
def test_snippets_count_and_a_page_that_is_not_called_for_is_done(
    small: Small, people, flow, page_from, steps, judged
):
    emil, _ = people
    plan = Plan(judges=1, flow=flow, page_from=page_from, assessors=(emil,))
    round_id = open_round(small.store, small.collection_id, plan)
    given = take_assignment(small.store, small.collection_id, emil)
    content = lay_out(small.store, given)
    engines = {one.document_id: one.engine for one in content.steps if one.facet == "snippet"}
    several = {
        step.document_id for step in content.steps
        if step.facet == "snippet" and engines[step.document_id] != step.engine
    }  # fmt: skip
    chosen = [one for one in content.steps if one.document_id == min(several)]
    snippets = [one for one in chosen if one.facet == "snippet"]
    assert len(snippets) == 2
    intake, events = Intake(small.store), []
    for step, (state, level) in zip(snippets, (("level", 1), ("cannot judge", None)), strict=True):
        code = engine_code(small.store.secret, step.key(emil))
        events.append(
            {"event_id": str(uuid.uuid4()), "topic": step.topic_id, "document": step.document_id,
             "facet": "snippet", "engine": code, "state": state, "level": level}
        )  # fmt: skip
    assert {one["status"] for one in intake.accept(grant_of(given), events)} == {"saved"}
    places = read_places(small.store, get_round(small.store, round_id))
    (row,) = places[places["topic_id"] == given.topic_id].to_dict("records")
    assert (row["steps"], row["judged"]) == (steps, judged)
