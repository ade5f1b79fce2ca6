"""The order of judging: an assessor's own, the same each time, snippet before page."""

import uuid
from itertools import groupby

import numpy as np
import pandas as pd
import pytest

from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.side_by_side import order_sides
from core.assessment.handing_out.steps import lay_out, lay_out_again, repeat_steps, scales_for
from core.assessment.intake.judging import Intake, grant_of
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.content.scales import get_scales
from core.store.events.labels import PRACTICE, LabelEvent
from core.store.rounds.rounds import read_slots
from tests.core.assessment.conftest import Small
from tests.core.assessment.intake.test_judging import event_for
from tests.short import long


def content_for(small: Small, assessor: str = "anna", **plan: object):
    open_round(small.store, small.collection_id, Plan(judges=4, seed=2, **plan))
    return lay_out(small.store, take_assignment(small.store, small.collection_id, assessor))


def test_snippets_come_before_their_page(small: Small):
    content = content_for(small)
    for _, group in groupby(content.steps, key=lambda step: step.document_id):
        facets = [step.facet for step in group]
        assert facets == ["snippet"] * (len(facets) - 1) + ["page"]
    assert len(content.steps) == 6 + 4


def test_items_are_judged_on_the_scales_of_the_collection(small: Small):
    open_round(small.store, small.collection_id, Plan())
    assignment = take_assignment(small.store, small.collection_id, "anna")
    assert scales_for(small.store, assignment) == get_scales(small.store, small.collection_id)


def test_the_order_is_the_same_each_time_and_differs_between_assessors(small: Small):
    open_round(small.store, small.collection_id, Plan(judges=4))
    orders = {}
    for assessor in ("anna", "bob", "carla", "dan"):
        assignment = take_assignment(small.store, small.collection_id, assessor)
        orders[assessor] = lay_out(small.store, assignment).steps
        assert lay_out(small.store, assignment).steps == orders[assessor]
    assert len(set(orders.values())) > 1
    assert len({frozenset(order) for order in orders.values()}) == 1


def test_flows(small: Small):
    assert {step.facet for step in content_for(small, flow="page only").steps} == {"page"}


@long
def test_snippet_only(small: Small):
    assert {step.facet for step in content_for(small, flow="snippet only").steps} == {"snippet"}


def test_pages_may_wait_for_a_good_snippet(small: Small):
    steps = content_for(small, page_from=2).steps
    assert {step.page_from for step in steps if step.facet == "page"} == {2}


def test_repeats_are_new_occasions_at_the_end():
    groups = [[Step("t", f"d{n}", "page")] for n in range(10)]
    repeats = repeat_steps(groups, 0.3, np.random.default_rng(1))
    assert len(repeats) == 3
    assert {step.occasion for step in repeats} == {1}
    assert repeats == sorted(repeats, key=lambda step: step.document_id)
    assert repeat_steps([], 0.3, np.random.default_rng(1)) == []


@long
def test_practice_brings_its_own_texts(small: Small):
    rows = [("t2", "t2d1", "snippet", "one", 3, "It names the very thing."),
            ("t2", "t2d5", "page", "", 0, "Nothing fits.")]  # fmt: skip
    with small.store.change(small.collection_id, "add", "practice") as cursor:
        for row in rows:
            cursor.execute(
                "INSERT INTO practice VALUES (?, ?, ?, ?, ?, ?, ?)", [small.collection_id, *row]
            )
    content = content_for(small)
    assert [(one.step.facet, one.level) for one in content.practice] == [
        ("snippet", 3),
        ("page", 0),
    ]
    assert {one.step.occasion for one in content.practice} == {PRACTICE}
    assert content.snippets["t2", "t2d1", "one"] == "one on 1"
    assert "t2" in content.topics
    assert content.documents["t2d5"]["text"] == "Text of t2d5"


def answer_all(small: Small, who: str = "anna", level: int = 1) -> list:
    """Answer everything of one assignment; returns its steps."""
    _, content = next_assignment(small.store, small.collection_id, who)
    steps = [*(one.step for one in content.practice), *content.steps]
    for step in steps:
        event = LabelEvent(str(uuid.uuid4()), None, step.key(who), "level", level)
        small.store.labels.append(small.collection_id, [event])
    return steps


def label_of(small: Small, step, who: str = "anna"):
    return small.store.labels.current(small.collection_id, who)[step.key(who)]


def again(small: Small, event_id: str, who: str = "anna"):
    return lay_out_again(small.store, small.collection_id, who, event_id)


@pytest.mark.parametrize("facet", ["snippet", "page"])
def test_an_item_comes_with_its_topic_and_takes_a_new_level(small: Small, facet: str):
    open_round(small.store, small.collection_id, Plan(judges=1))
    step = next(one for one in answer_all(small) if one.facet == facet)
    taken = sum(one.assessor_id == "anna" for one in slots(small))
    before = label_of(small, step)
    assignment, content = again(small, before.event_id)
    assert [one.key("anna") for one in content.steps] == [step.key("anna")]
    assert content.topics[step.topic_id]["query"]
    assert content.documents[step.document_id]["text"] == f"Text of {step.document_id}"
    assert set(content.snippets) == (
        {(step.topic_id, step.document_id, step.engine)} if facet == "snippet" else set()
    )
    assert facet in scales_for(small.store, assignment)
    event = event_for(small, step) | {"level": 3, "supersedes": before.event_id}
    (ack,) = Intake(small.store).accept(grant_of(assignment), [event])
    assert ack["status"] == "saved"
    assert label_of(small, step).level == 3
    assert again(small, before.event_id) is None, "another label stands now"
    assert sum(one.assessor_id == "anna" for one in slots(small)) == taken


def slots(small: Small):
    return read_slots(small.store.cursor(), small.collection_id)


def test_only_ones_own_labels_that_count_can_be_asked_for(small: Small):
    item = PracticeItem("t1", "t1d1", "page", "", 1, "So it is.")
    add_practice_item(small.store, small.collection_id, item)
    open_round(small.store, small.collection_id, Plan(judges=2, flow="page only"))
    practice, *steps = answer_all(small)
    assert practice.occasion == -1
    assert again(small, label_of(small, practice).event_id) is None
    own = label_of(small, steps[0]).event_id
    assert again(small, own)
    assert again(small, own, "bob") is None
    for unknown in (str(uuid.uuid4()), "", "x' OR 1=1"):
        assert again(small, unknown) is None


@long
def test_a_pair_comes_as_it_was_shown(small: Small):
    systems = pd.DataFrame(
        [("t1", "systems", "one", "two")], columns=["topic_id", "kind", "first", "second"]
    )
    plan = Plan(judges=1, flow="systems side by side", depth=2)
    open_pair_round(small.store, small.collection_id, plan, systems)
    _, shown = next_assignment(small.store, small.collection_id, "anna")
    (step,) = answer_all(small)
    _, content = again(small, label_of(small, step).event_id)
    place = (step.topic_id, step.document_id, step.facet)
    assert content.pairs[place] == shown.pairs[place]
    left, right = order_sides(content.pairs[place], content.steps[0].engine)
    assert {len(left), len(right)} == {2}, "as deep as the round was"
