"""What is handed out ahead: a hundred items, in order, never more than one's share or than k."""

import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.next_assignment import hand_out_ahead, next_assignment
from core.assessment.handing_out.queue import AWAY, Assignment, finish_assignment, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Intake, grant_of
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.collections import create_collection
from core.store.people.members import add_member
from core.store.rounds.holders import update_holder
from core.store.rounds.rounds import read_slots
from core.store.store import Store, utc_now
from tests.core.assessment.conftest import ASSESSORS, Small
from tests.short import few, long

LEASE = 30


def ahead(small: Small, assessor: str, items: int = 100, minutes: float = 0) -> list[str]:
    now = utc_now() + timedelta(minutes=minutes)
    found = hand_out_ahead(small.store, small.collection_id, assessor, items, now)
    return [f"{one.topic_id} {one.batch}" for one, _ in found]


def judge_all(small: Small, assignment: Assignment) -> list[str]:
    """Judge everything of an assignment, as events sent late would."""
    return judge_steps(small, assignment, lay_out(small.store, assignment).steps)


def judge_steps(small: Small, assignment: Assignment, steps: tuple[Step, ...]) -> list[str]:
    events = [
        {"event_id": str(uuid.uuid4()), "topic": step.topic_id, "document": step.document_id,
         "facet": "page", "engine": "", "state": "level", "level": 1}
        for step in steps
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


SIZES = {"t1": 34, "t2": 10, "t3": 10, "t4": 30, "t5": 30, "t6": 30}
"""Topics of such sizes that fewer are fetched ahead once some of the first is judged."""


@pytest.fixture
def uneven(tmp_path: Path) -> Iterator[Small]:
    """A collection whose topics have very different numbers of items."""
    with closing(Store(tmp_path / "uneven.duckdb")) as store:
        made = Small(store, create_collection(store, "Uneven"))
        made.add("topics", "".join(f"{topic}\tquery of {topic}\n" for topic in SIZES))
        keys = [(topic, n) for topic, size in SIZES.items() for n in range(size)]
        texts = [f"{topic}d{n}\tTitle\tText of {topic}d{n}" for topic, n in keys]
        made.add("documents", "\n".join(["id\ttitle\ttext", *texts]) + "\n")
        found = [f"{topic}\tone\t{topic}d{n}\t{n + 1}\tsnippet" for topic, n in keys]
        header = "topic\tengine\tdocument\trank\tsnippet"
        made.add("results", "\n".join([header, *found]) + "\n")
        add_member(store, made.collection_id, "anna", "anna")
        yield made


@pytest.mark.contract
def test_a_begun_topic_stays_the_first_however_often_is_asked(uneven: Small):
    open_pages(uneven, depth=100)
    place = uneven.store, uneven.collection_id, "anna"
    begun = ahead(uneven, "anna")
    assert len(begun) > 1
    assignment, content = next_assignment(*place)
    for start in range(0, 30, 6):
        judge_steps(uneven, assignment, content.steps[start : start + 6])
        minutes = 400 * start
        assert ahead(uneven, "anna", minutes=minutes)[0] == begun[0]
        at = utc_now() + timedelta(minutes=minutes)
        assert next_assignment(*place, at)[0].topic_id == assignment.topic_id
    judge_steps(uneven, assignment, content.steps[30:])
    assert f"{next_assignment(*place, at)[0].topic_id} 0" == begun[1]


@pytest.mark.contract
def test_so_it_does_with_several_rounds_whose_leases_differ(small: Small):
    place = small.store, small.collection_id, "anna"
    open_pages(small, lease_minutes=240, share=0.34)
    open_pages(small, lease_minutes=5)
    found = ahead(small, "anna")
    assert len(found) == 3
    for minutes in (0, 70, 900):
        at = utc_now() + timedelta(minutes=minutes)
        assert f"{next_assignment(*place, at)[0].topic_id} 0" == found[0]
        assert ahead(small, "anna", minutes=minutes) == found


@long
def test_a_clock_that_was_ahead_changes_no_order(small: Small):
    open_pages(small)
    with small.store.database.write() as cursor:
        update_holder(cursor, slots(small)[-1], "anna")
    found = ahead(small, "anna", minutes=60 * 24 * 365)
    assert found == ["t3 0", "t1 0", "t2 0"]
    assert ahead(small, "anna") == found


@pytest.mark.contract
def test_who_lost_a_begun_batch_goes_on_there_where_a_place_is_free(small: Small):
    open_pages(small, judges=3)
    place, late = (small.store, small.collection_id), utc_now() + timedelta(hours=5)
    mine = take_assignment(*place, "anna")
    judge_steps(small, mine, lay_out(small.store, mine).steps[:1])
    assert take_assignment(*place, "bob", late).slot == mine.slot, "hers has lapsed"
    other = next(one.topic_id for one in slots(small) if one.topic_id != mine.topic_id)
    theirs = [one for one in slots(small) if one.topic_id == other][:2]
    with small.store.database.write() as cursor:
        for slot, name in zip(theirs, ("carla", "dan"), strict=True):
            update_holder(cursor, slot, name)
    again = take_assignment(*place, "anna", late)
    assert (again.topic_id, again.slot) == (mine.topic_id, mine.slot + 1)
