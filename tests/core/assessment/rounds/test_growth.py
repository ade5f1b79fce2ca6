"""Rounds that ask only for what is missing, grow by assessors, and have a deadline."""

import uuid
from datetime import datetime

import numpy as np
import pandas as pd
import pytest

from core.assessment.class_mode import start_lesson
from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.rounds.growth import MOST_JUDGES, add_judges, top_up
from core.assessment.rounds.pools import keep_lacking, split_batches
from core.assessment.rounds.rounds import Plan, close_round, open_round, set_deadline
from core.errors import BadInput
from core.store.audit.audit import AuditFilter, read_audit
from core.store.check.check_rounds import SLOTS
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.rounds import get_round, list_rounds, read_pool, read_slots
from tests.core.assessment.conftest import Small, documents, results
from tests.short import long


@pytest.fixture
def people(small: Small) -> list[str]:
    """Three assessors who can sign in."""
    ids = []
    for name in ("Emil", "Fay", "Gus"):
        ids.append(add_person(small.store, name, "assessor"))
        add_member(small.store, small.collection_id, ids[-1], name)
    return ids


def label(small: Small, assessor: str, *documents: str, facet: str = "page") -> None:
    events = [
        LabelEvent(str(uuid.uuid4()), None, Key(one[:2], one, facet, "", assessor, 0), "level", 1)
        for one in documents
    ]
    small.store.labels.append(small.collection_id, events)


def places(small: Small) -> dict[str, int]:
    """Return how many slots there are for each document of the latest round's pool."""
    latest = list_rounds(small.store, small.collection_id)[-1].round_id
    slots = read_slots(small.store.cursor(), small.collection_id)
    pool = read_pool(small.store, latest)
    counts = pd.Series([(s.topic_id, s.batch) for s in slots if s.round_id == latest])
    return {
        row.document_id: int((counts == (row.topic_id, row.batch)).sum())
        for row in pool.itertuples()
    }


def fits(small: Small) -> bool:
    return SLOTS.check(small.store).faults == ()


def test_a_round_asks_only_for_what_is_missing(small: Small, people):
    emil, fay, _ = people
    label(small, emil, "t1d1", "t1d2")
    label(small, fay, "t1d1", "t1d3")
    label(small, "anna", "t1d4")  # came with a file: counts, but cannot be asked
    label(small, "gold", "t2d1")
    plan = Plan(judges=2, flow="page only", lacking=2)
    round_id = open_round(small.store, small.collection_id, plan)
    assert places(small) == {
        "t1d2": 1, "t1d3": 1, "t1d4": 1,
        **{f"{topic}d{number}": 2 for topic in ("t2", "t3") for number in (1, 2, 3, 4)},
    }  # fmt: skip
    assert fits(small)
    batches = read_pool(small.store, round_id).set_index("document_id")["batch"]
    assert batches[["t1d2", "t1d3", "t1d4"]].nunique() == 3  # of Emil, of Fay, of neither
    taken = []
    while given := take_assignment(small.store, small.collection_id, emil):
        taken.append((given.topic_id, given.batch))
        finish_assignment(small.store, given)
    assert ("t1", batches["t1d2"]) not in taken
    assert ("t1", batches["t1d3"]) in taken
    assert len(taken) == 4


@long
def test_what_has_any_label_can_be_left_out(small: Small, people):
    label(small, people[0], "t1d1")
    open_round(small.store, small.collection_id, Plan(judges=2, flow="page only", lacking=1))
    assert set(places(small).values()) == {2}
    assert "t1d1" not in places(small)


@long
def test_a_snippet_is_no_page(small: Small, people):
    label(small, people[0], "t1d1", facet="snippet")
    open_round(small.store, small.collection_id, Plan(judges=1, flow="page only", lacking=1))
    assert "t1d1" in places(small)
    open_round(small.store, small.collection_id, Plan(judges=1, flow="snippet only", lacking=1))
    assert "t1d1" not in places(small)


@long
def test_by_name_nobody_gets_what_they_have_labelled(small: Small, people):
    emil, fay, _ = people
    everything = [f"{topic}d{number}" for topic in ("t1", "t2", "t3") for number in (1, 2, 3, 4)]
    label(small, emil, *everything[:8])
    plan = Plan(judges=2, flow="page only", lacking=2, assessors=(emil, fay))
    open_round(small.store, small.collection_id, plan)
    held = [
        (one.topic_id, one.assessor_id)
        for one in read_slots(small.store.cursor(), small.collection_id)
    ]
    assert sorted(held) == sorted([("t1", fay), ("t2", fay), ("t3", emil), ("t3", fay)])


@long
def test_without_anybody_else_a_slot_is_open(small: Small, people):
    emil, fay, _ = people
    label(small, emil, "t1d1")
    label(small, fay, "t1d1")
    plan = Plan(judges=3, flow="page only", lacking=3, assessors=(emil, fay), depth=10, seed=3)
    with pytest.raises(BadInput, match="3 different assessors"):
        open_round(small.store, small.collection_id, plan)
    plan = Plan(judges=3, flow="page only", lacking=3, assessors=tuple(people))
    open_round(small.store, small.collection_id, plan)
    (one,) = [s for s in read_slots(small.store.cursor(), small.collection_id)
              if s.topic_id == "t1" and s.batch == read_batch(small, "t1d1")]  # fmt: skip
    assert one.assessor_id == people[2]
    label(small, people[2], *[f"t1d{number}" for number in (1, 2, 3, 4)])
    again = Plan(judges=4, flow="page only", lacking=4, assessors=(*people, "anna"))
    open_round(small.store, small.collection_id, again)
    place = (list_rounds(small.store, small.collection_id)[-1].round_id, "t1")
    place = (*place, read_batch(small, "t1d1"))
    held = [s.assessor_id for s in read_slots(small.store.cursor(), small.collection_id)
            if (s.round_id, s.topic_id, s.batch) == place]  # fmt: skip
    assert held == ["anna"]


def read_batch(small: Small, document_id: str) -> int:
    latest = list_rounds(small.store, small.collection_id)[-1].round_id
    pool = read_pool(small.store, latest).set_index("document_id")
    return int(pool.loc[document_id, "batch"])


def test_nothing_lacking_is_refused_and_so_is_more_than_k(small: Small, people):
    everything = [f"{topic}d{number}" for topic in ("t1", "t2", "t3") for number in (1, 2, 3, 4)]
    label(small, people[0], *everything)
    plan = Plan(judges=1, flow="page only", lacking=1)
    with pytest.raises(BadInput, match="nothing lacks labels"):
        open_round(small.store, small.collection_id, plan)
    for lacking in (0, 3):
        with pytest.raises(BadInput, match="from 1 label"):
            Plan(judges=2, lacking=lacking).check()


def test_batches_of_what_lacks_unequally_many_keep_their_size():
    pool = pd.DataFrame({"topic_id": "t1", "document_id": [f"d{n}" for n in range(7)]})
    given = pd.DataFrame(
        {"topic_id": "t1", "document_id": ["d0", "d1", "d1", "d2"], "assessor_id": list("abca")}
    )
    kept = keep_lacking(pool, given, 2, 2, {"a"})
    assert kept["document_id"].tolist() == ["d0", "d2", "d3", "d4", "d5", "d6"]
    split = split_batches(kept, 3, np.random.default_rng(1))
    by = split.groupby("batch")
    assert sorted(by.size()) == [1, 2, 3]
    assert sorted(split["batch"].unique()) == [0, 1, 2]
    assert set(by["judges"].nunique()) == {1}
    assert by["judged_by"].first().tolist() == [(), (), ("a",)]


@long
def test_a_round_that_fills_up_is_topped_up_by_what_lacks_labels(small: Small, people):
    label(small, people[0], "t1d1")
    plan = Plan(judges=2, flow="page only", lacking=2)
    round_id = open_round(small.store, small.collection_id, plan)
    label(small, people[0], "t1d5", "t1d6")
    label(small, people[1], "t1d6")
    small.add("results", results({"three": [5, 6]}))
    assert top_up(small.store, round_id) == 5
    assert {one: n for one, n in places(small).items() if one[-1] in "56"} == {
        "t1d5": 1, "t2d5": 2, "t2d6": 2, "t3d5": 2, "t3d6": 2,
    }  # fmt: skip
    assert fits(small)
    assert top_up(small.store, round_id) == 0


def test_every_topic_gets_further_assessors(small: Small, people):
    emil = people[0]
    label(small, emil, "t1d1")
    plan = Plan(judges=2, flow="page only", lacking=2)
    round_id = open_round(small.store, small.collection_id, plan)
    before = len(read_slots(small.store.cursor(), small.collection_id))
    assert add_judges(small.store, round_id, 4, by="olga") == 8
    assert get_round(small.store, round_id).judges == 4
    slots = read_slots(small.store.cursor(), small.collection_id)
    assert len(slots) == before + 8
    assert {slot.assessor_id for slot in slots} == {None}
    assert places(small)["t1d1"] == 3
    assert places(small)["t2d1"] == 4
    assert fits(small)
    audit = read_audit(small.store, AuditFilter(person_id="olga"), 1).iloc[0]
    assert audit[["what", "change", "kind"]].tolist() == [
        *("add assessors", "assessors: 2 → 4", "assignments"),
    ]


def test_fewer_assessors_and_too_many_are_refused(small: Small):
    round_id = open_round(small.store, small.collection_id, Plan(judges=2))
    for judges in (1, 2, MOST_JUDGES + 1):
        with pytest.raises(BadInput, match="a number above it"):
            add_judges(small.store, round_id, judges)
    close_round(small.store, round_id, closed=True)
    with pytest.raises(BadInput, match="reopen it first"):
        add_judges(small.store, round_id, 3)


def test_a_class_is_not_topped_up(small: Small):
    lesson = start_lesson(small.store, "t01")
    with pytest.raises(BadInput, match="a place for each student"):
        add_judges(small.store, lesson.round_id, 3)


def test_a_deadline_is_set_and_taken_away_on_record(small: Small):
    due = datetime(2026, 5, 3, 12, 0)
    round_id = open_round(small.store, small.collection_id, Plan(due_at=due), by="olga")
    assert get_round(small.store, round_id).due_at == due
    set_deadline(small.store, round_id, due, by="olga")
    set_deadline(small.store, round_id, None, by="olga")
    assert get_round(small.store, round_id).due_at is None
    audit = read_audit(small.store, AuditFilter(person_id="olga"), 9)
    assert audit["what"].tolist() == ["set deadline", "open"]
    assert audit["change"].iloc[0] == 'due: "2026-05-03 12:00:00" → none'


@long
def test_documents_of_other_topics_play_no_part(small: Small):
    small.add("documents", documents(("t9",)))
    round_id = open_round(small.store, small.collection_id, Plan(judges=1, flow="page only"))
    assert top_up(small.store, round_id) == 0
