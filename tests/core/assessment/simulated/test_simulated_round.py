"""Simulated assessors in a round: they judge what was handed out to them, to the end, no more."""

from datetime import datetime, timedelta

import pytest

from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.assessment.simulated.simulated_assessors import Intended, Simulated, judge
from core.assessment.simulated.simulated_round import SimulatedRound
from core.store.content.collections import close_collection
from core.store.events.frames import read_labels
from core.store.people.members import drop_member
from core.store.rounds.rounds import get_round, read_slot_frame
from tests.core.assessment.conftest import Small
from tests.short import few, long

SINCE = datetime(2026, 5, 4, 9)
NAMES = ("anna", "bob")
ASSESSORS = tuple(Simulated(name, "", 0.2, 0.5, 0.05, 8.0) for name in NAMES)
PAGES = {(f"t{t}", f"t{t}d{d}"): d % 4 for t in range(1, 4) for d in range(1, 7)}
SNIPPETS = {(*pair, engine): level for pair, level in PAGES.items() for engine in ("one", "two")}
INTENDED = Intended(PAGES, SNIPPETS, {"t1": 0.2, "t2": 0.4, "t3": 0.6})


@pytest.fixture
def simulated(small: Small) -> tuple[SimulatedRound, str]:
    """A round of two simulated assessors beside one that is open to all, and its id."""
    open_round(small.store, small.collection_id, Plan("Visitors", judges=2), now=SINCE)
    plan = Plan("Simulated", judges=1, batch_size=2, repeat_share=0.5, assessors=NAMES)
    round_id = open_round(small.store, small.collection_id, plan, now=SINCE + timedelta(seconds=1))
    return SimulatedRound(small.store, round_id, ASSESSORS, INTENDED), round_id


def finished(small: Small, name: str) -> list[bool]:
    slots = read_slot_frame(small.store, small.collection_id)
    return slots.loc[slots["round"] == name, "finished_at"].notna().tolist()


def test_every_place_is_judged_to_the_end_and_then_nothing_is_left(small: Small, simulated):
    work, _ = simulated
    assert work.count_given() == 0
    count = 0
    while work.judge_next():
        count += 1
        assert work.count_given() == count == small.store.labels.sequence(small.collection_id)
    assert count > 20
    assert all(finished(small, "Simulated"))
    assert not work.judge_next()
    slots = read_slot_frame(small.store, small.collection_id)
    visitors = slots[slots["round"] == "Visitors"]
    assert visitors["assessor_id"].isna().all()
    found = next_assignment(small.store, small.collection_id, "carla")
    assert found is not None
    assert found[0].rules.name == "Visitors"


@long
def test_levels_are_those_of_the_model(small: Small, simulated):
    work, round_id = simulated
    while work.judge_next():
        pass
    rules = get_round(small.store, round_id)
    by_name = {one.assessor_id: one for one in ASSESSORS}
    labels = read_labels(small.store, small.collection_id)
    assert set(labels["occasion"]) == {0, 1}
    for row in labels.itertuples():
        engine = row.engine if row.facet == "snippet" else ""
        step = Step(row.topic_id, row.document_id, row.facet, engine, row.occasion)
        given = judge(by_name[row.assessor_id], step, INTENDED, rules)
        assert (row.level, row.dwell_ms) == (given.level, int(1000 * given.seconds))


@long
def test_a_past_has_a_course_and_goes_on_where_it_stopped(small: Small, simulated):
    work, _ = simulated
    until = SINCE + timedelta(hours=1)
    count = work.judge_past(SINCE, until)
    assert count == work.count_given()
    labels = read_labels(small.store, small.collection_id)
    assert labels["time"].between(SINCE, until).all()
    assert labels.sort_values("sequence")["time"].is_monotonic_increasing
    assert 0 < sum(finished(small, "Simulated")) < len(finished(small, "Simulated"))
    slots = read_slot_frame(small.store, small.collection_id)
    assert slots["finished_at"].dropna().between(SINCE, until).all()
    assert work.judge_past(until, until + timedelta(days=2)) > 0
    assert all(finished(small, "Simulated"))


@long
def test_a_round_is_taken_up_where_it_stands(small: Small, simulated):
    work, round_id = simulated
    until = SINCE + timedelta(hours=1)
    count = work.judge_past(SINCE, until)
    again = SimulatedRound(small.store, round_id, ASSESSORS, INTENDED)
    assert again.count_given() == count
    assert again.judge_past(SINCE, SINCE) == 0


@pytest.mark.parametrize("close", few(["round", "collection"]))
def test_nothing_is_judged_after_closing(small: Small, simulated, close: str):
    work, round_id = simulated
    assert work.judge_next()
    if close == "round":
        close_round(small.store, round_id, closed=True)
    else:
        close_collection(small.store, small.collection_id, closed=True)
    assert not work.judge_next()
    assert work.count_given() == 1


@long
def test_who_is_taken_off_judges_no_more(small: Small, simulated):
    work, _ = simulated
    assert work.judge_next()
    for name in NAMES:
        drop_member(small.store, small.collection_id, name)
    assert not work.judge_next()


@long
def test_a_place_that_was_judged_elsewhere_leads_to_no_other_round(small: Small, simulated):
    work, round_id = simulated
    while sum(finished(small, "Simulated")) < len(finished(small, "Simulated")) - 1:
        assert work.judge_next()
    (holder,) = _holders_of_unfinished(small, round_id)
    other = SimulatedRound(small.store, round_id, ASSESSORS, INTENDED)
    desk = next(desk for desk in other._desks if desk.assessor_id == holder)
    assert desk.has_work()
    while not desk.is_through:  # the labels are there, but nobody has said that it is finished
        small.store.labels.append(small.collection_id, [desk.judge_next(None)])
    assert not work.judge_next()
    assert all(finished(small, "Simulated"))


def test_what_came_later_is_marked_as_impossible_to_judge(small: Small, simulated):
    _, round_id = simulated
    ignorant = SimulatedRound(small.store, round_id, ASSESSORS, Intended({}, {}, {}))
    assert ignorant.judge_next()
    (label,) = [
        label
        for name in NAMES
        for label in small.store.labels.current(small.collection_id, name).values()
    ]
    assert (label.state, label.level) == ("cannot judge", None)


def _holders_of_unfinished(small: Small, round_id: str) -> list[str]:
    slots = read_slot_frame(small.store, small.collection_id)
    mine = slots[(slots["round_id"] == round_id) & slots["finished_at"].isna()]
    return mine["assessor_id"].tolist()
