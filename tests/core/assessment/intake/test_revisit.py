"""One item again: one's own label that stands, with what was seen when it was given."""

import uuid

import pandas as pd
import pytest

from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.handing_out.side_by_side import order_sides
from core.assessment.handing_out.steps import scales_for
from core.assessment.intake.judging import Intake, grant_of
from core.assessment.intake.revisit import lay_out_again
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.events.labels import LabelEvent
from core.store.rounds.rounds import read_slots
from tests.core.assessment.conftest import Small
from tests.core.assessment.intake.test_judging import event_for
from tests.short import long


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
