"""Passages that come with a judgement: checked against the text, and never lost for nothing."""

import json

import pytest

from core.assessment.intake.judging import Intake
from core.collection.records import PAGE
from core.store.events.labels import PRACTICE, Key
from core.store.events.marked import MOST_PASSAGES, hash_text
from core.store.events.passages import find_marked, read_passages
from tests.core.assessment.conftest import Small
from tests.core.assessment.intake.test_judging import assignment_for, event_for
from tests.each import each
from tests.short import few


def page_event(small: Small, **more: object) -> tuple:
    """Return a grant, an event of a page with passages, and the page's text."""
    grant, content = assignment_for(small)
    step = next(one for one in content.steps if one.facet == PAGE)
    text = f"Text of {step.document_id}"
    marked = {"passages": [[0, 4], [8, len(text)]], "text_hash": hash_text(text)}
    return grant, event_for(small, step, **{**marked, **more}), text


def accept(small: Small, grant, event: dict) -> dict:
    (ack,) = Intake(small.store).accept(grant, [event])
    return ack


def test_passages_are_stored_with_the_label(opened: Small):
    grant, event, text = page_event(opened)
    assert accept(opened, grant, event)["status"] == "saved"
    stored = read_passages(opened.store, opened.collection_id)
    assert stored["quote"].tolist() == ["Text", text[8:]]
    assert stored["level"].tolist() == [1, 1]


def test_a_snippet_has_them_in_its_own_text(opened: Small):
    grant, content = assignment_for(opened)
    step = next(one for one in content.steps if one.facet == "snippet")
    text = content.snippets[step.topic_id, step.document_id, step.engine]
    event = event_for(opened, step, passages=[[0, 3]], text_hash=hash_text(text))
    assert accept(opened, grant, event)["status"] == "saved"
    (row,) = read_passages(opened.store, opened.collection_id).to_dict("records")
    assert (row["facet"], row["engine"], row["quote"]) == ("snippet", step.engine, text[:3])


@each(
    ("change", "reason"),
    [
        ({"passages": "all"}, "at most"),
        ({"passages": {"0": 1}}, "at most"),
        ({"passages": [[n, n + 1] for n in range(MOST_PASSAGES + 1)]}, "at most 20"),
        ({"passages": [[0]]}, "a pair"),
        ({"passages": [[0, 1, 2]]}, "a pair"),
        ({"passages": [[0, "4"]]}, "a pair"),
        ({"passages": [[False, True]]}, "a pair"),
        ({"passages": [[0, 1.5]]}, "a pair"),
        ({"passages": [4]}, "a pair"),
        ({"passages": [[-1, 4]]}, "order"),
        ({"passages": [[4, 4]]}, "order"),
        ({"passages": [[4, 2]]}, "order"),
        ({"passages": [[4, 6], [0, 2]]}, "order"),
        ({"passages": [[0, 4], [3, 6]]}, "none overlap"),
        ({"passages": [[0, 1000]]}, "the text ends at 12"),
        ({"text_hash": None}, "SHA-256"),
        ({"text_hash": "A" * 64}, "SHA-256"),
        ({"text_hash": 3}, "SHA-256"),
        ({"state": "unjudged"}, "with the judgement"),
        (
            {"text_hash": "0" * 64, "passages": [[0, 10**9]]},
            "the text ends at",
        ),
    ],
)
def test_what_is_unfit_is_refused_whole(opened: Small, change: dict, reason: str):
    grant, event, _ = page_event(opened, **change)
    ack = accept(opened, grant, event)
    assert ack["status"] == "refused"
    assert reason in ack["reason"]
    assert opened.store.labels.current(opened.collection_id, "anna") == {}
    assert read_passages(opened.store, opened.collection_id).empty


@pytest.mark.parametrize("more", few([{}, {"passages": None}, {"passages": []}]))
def test_a_judgement_without_passages_goes_on_as_before(opened: Small, more: dict):
    grant, event, _ = page_event(opened)
    del event["passages"], event["text_hash"]
    assert accept(opened, grant, event | more)["status"] == "saved"
    assert find_marked(opened.store, [event["event_id"]]) == {}


def test_passages_of_a_text_that_was_replaced_meanwhile_are_kept_as_such(opened: Small):
    grant, event, _ = page_event(opened)
    opened.store.database.run("UPDATE documents SET text = 'Short'")
    assert accept(opened, grant, event)["status"] == "saved"
    stored = read_passages(opened.store, opened.collection_id)
    assert stored["quote"].tolist() == ["", ""]
    assert set(stored["text_hash"]) == {event["text_hash"]}


def test_a_page_that_has_html_by_now_keeps_what_was_marked_in_its_text(opened: Small):
    grant, event, _ = page_event(opened)
    opened.store.database.run("UPDATE documents SET html = '<p>New'")
    assert accept(opened, grant, event)["status"] == "saved"
    assert set(read_passages(opened.store, opened.collection_id)["characters"]) == {0}


def test_whose_label_does_not_stand_is_told_the_passages_of_the_one_that_does(opened: Small):
    grant, event, _ = page_event(opened)
    accept(opened, grant, event)
    _, late, _ = page_event(opened, passages=[[5, 7]])
    late["document"] = event["document"]
    ack = accept(opened, grant, late)
    assert ack["status"] == "stale"
    assert ack["current"]["passages"] == event["passages"]
    assert ack["current"]["text_hash"] == event["text_hash"]


def test_the_most_that_a_label_can_carry_is_small(opened: Small):
    spans = [[n * 1_000_000, n * 1_000_000 + 999_999] for n in range(MOST_PASSAGES)]
    grant, event, _ = page_event(opened, passages=spans, text_hash="0" * 64)
    assert accept(opened, grant, event)["status"] == "saved"
    assert len(json.dumps(event)) < 4096


def test_a_pair_has_none(opened: Small):
    from core.assessment.intake.passages import read_marked
    from core.errors import BadInput

    key = Key("t1", "p", "page pair", "", "anna", PRACTICE)
    with pytest.raises(BadInput, match="a snippet or a page"):
        read_marked(opened.store, opened.collection_id, key, {"passages": [[0, 1]]})
