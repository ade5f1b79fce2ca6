"""The order of judging: an assessor's own, the same each time, snippet before page."""

from itertools import groupby

import numpy as np

from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out, repeat_steps, scales_for
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.scales import get_scales
from core.store.events.labels import PRACTICE
from tests.core.assessment.conftest import Small
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
