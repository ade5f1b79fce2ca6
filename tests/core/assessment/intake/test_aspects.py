"""What comes in of aspects: checked by name, facet, level and what was asked; else refused."""

from dataclasses import replace

import pytest

from core.assessment.intake.aspects import show_aspects
from core.assessment.intake.judging import Intake
from core.collection.aspects import Aspect
from core.collection.records import numeric_scale
from core.store.content.aspects import add_aspect, end_aspect, list_aspects
from core.store.events.frames import read_labels
from tests.core.assessment.conftest import Small
from tests.core.assessment.intake.test_judging import assignment_for, event_for
from tests.each import each
from tests.short import long

TRUST = Aspect("trust", ("page",), "Is it true?", numeric_scale(range(4)), from_level=2)
AGE = Aspect("age", ("page",), "Is it new?", numeric_scale(range(2)), may_be_left_out=True)


@pytest.fixture
def opened(opened: Small) -> Small:
    for aspect in (TRUST, AGE):
        add_aspect(opened.store, opened.collection_id, aspect)
    return opened


def send(
    opened: Small, facet: str = "page", intake: Intake | None = None, **fields: object
) -> dict:
    grant, content = assignment_for(opened)
    step = next(one for one in content.steps if one.facet == facet)
    event = event_for(opened, step, **{"level": 3, **fields})
    (ack,) = (intake or Intake(opened.store)).accept(grant, [event])
    return ack


def test_a_label_comes_with_its_aspects(opened):
    ack = send(opened, aspects={"trust": 3, "age": None}, asked=["trust", "age"])
    assert (ack["status"], ack["reason"]) == ("saved", None)
    assert ack["current"]["aspects"] == {"trust": 3, "age": None}


def test_without_aspects_the_answer_is_as_ever(opened):
    ack = send(opened, "snippet")
    assert set(ack["current"]) == {"event_id", "state", "level", "comment"}


@each(
    ("fields", "reason"),
    [
        ({"aspects": {"truth": 1}}, "'truth' is no aspect of a page"),
        ({"aspects": {"\ud800": 1}}, "no aspect"),
        ({"aspects": {"trust": 4}}, "4 is not on the scale of 'trust'"),
        ({"aspects": {"trust": "3"}}, "whole number"),
        ({"aspects": {"trust": True}}, "whole number"),
        ({"aspects": {"trust": None}}, "may not be left out"),
        ({"aspects": {"trust": 1}, "level": 1}, "asked from level 2 on"),
        (
            {"aspects": {"age": 1}, "asked": ["trust", "age"]},
            "'trust' has no level",
        ),
        ({"asked": ["trust"]}, "'trust' has no level"),
        ({"aspects": [1]}, "levels by name"),
        ({"aspects": {"age": 1}, "asked": "age"}, "list of names"),
        ({"aspects": {"age": 1}, "state": "cannot judge", "level": None}, "level only"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_sentence(opened, fields, reason):
    ack = send(opened, **fields)
    assert ack["status"] == "refused"
    assert reason in ack["reason"]
    assert read_labels(opened.store, opened.collection_id).empty


def test_an_aspect_of_pages_is_none_of_snippets(opened):
    assert "no aspect of a snippet" in send(opened, "snippet", aspects={"age": 1})["reason"]


@long
def test_what_is_not_asked_below_its_level_is_not_missed(opened):
    ack = send(opened, level=1, aspects={"age": 1}, asked=["age"])
    assert ack["status"] == "saved"
    ack = send(opened, level=0, asked=["trust"], supersedes=ack["event_id"])
    assert ack["status"] == "saved"


def test_a_screen_that_does_not_know_an_aspect_yet_is_not_refused(opened):
    intake = Intake(opened.store)
    assert send(opened, intake=intake, aspects={"trust": 3})["status"] == "saved"
    late = replace(AGE, name="late", may_be_left_out=False)
    add_aspect(opened.store, opened.collection_id, late)
    ack = send(opened, intake=intake, aspects={"trust": 2}, asked=["trust"])
    assert ack["status"] == "stale"
    ack = send(opened, intake=intake, asked=["late"])
    assert "'late' has no level" in ack["reason"]


@long
def test_what_was_asked_before_an_aspect_ended_is_kept(opened):
    end_aspect(opened.store, opened.collection_id, "trust")
    assert send(opened, aspects={"trust": 3}, asked=["trust"])["status"] == "saved"
    (label,) = opened.store.labels.current(opened.collection_id, "anna").values()
    assert label.aspects == (("trust", 3),)
    assert send(opened, asked=["trust"])["status"] == "stale"


def test_the_screen_is_told_what_is_asked_now(opened):
    end_aspect(opened.store, opened.collection_id, "age")
    aspects = list_aspects(opened.store, opened.collection_id)
    (told,) = show_aspects(aspects, ["page", "snippet"])
    assert (told["name"], told["question"], told["facets"]) == ("trust", "Is it true?", ["page"])
    assert (told["from_level"], told["may_be_left_out"]) == (2, False)
    assert [one["level"] for one in told["levels"]] == [0, 1, 2, 3]
    assert show_aspects(aspects, ["snippet"]) == []
