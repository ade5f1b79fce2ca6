"""The plan of a collection: its answer, its parts, and what it does without a pilot."""

import re

import pytest

from core.store.content.collections import create_collection
from tests.short import few, long

PARTS = ("Topics", "Agreement", "Opinions", "Votes", "Cost")


def read(markdown: str) -> str:
    """Return Markdown without what keeps signs from being read."""
    return re.sub(r"\\(.)", r"\1", markdown).replace("\u2060", "")


def texts(at) -> str:
    said = [*at.markdown, *at.caption, *at.info, *at.error]
    return read("\n".join(part.value for part in said))


def answer(at) -> str:
    (said,) = [one.value for one in at.markdown if one.value.startswith(("To tell", "For a con"))]
    return read(said)


@pytest.mark.parametrize("part", few(PARTS))
def test_a_collection_is_its_own_pilot(demo, organiser, open_page, part):
    at = open_page("plan", organiser, demo, **{"plan-part": part})
    assert not at.exception
    assert "0.050 in nDCG@" in answer(at)
    assert "as far as the variance is known); the 14 with scores so far tell" in answer(at)
    assert "Assumed" not in texts(at)


@long
def test_what_is_wanted_changes_the_answer(demo, organiser, open_page):
    at = open_page("plan", organiser, demo)
    before = answer(at)
    at.selectbox(key="plan-effect").set_value("0.1").run()
    assert "0.100 in" in answer(at)
    assert answer(at) != before
    at.selectbox(key="plan-power").set_value(0.95).run()
    assert "power 0.95" in answer(at)
    at.selectbox(key="plan-method").set_value("tukey").run()
    assert "by Tukey's test of all pairs among 5 systems" in answer(at)
    at.selectbox(key="plan-method").set_value("interval-width").run()
    assert answer(at).startswith("For a confidence interval")
    assert not at.exception
    at.selectbox(key="plan-measure").set_value("AP").run()
    assert "in AP" in answer(at)


@long
@pytest.mark.parametrize("effect", ["lots", "-1"])
def test_what_is_no_difference_is_told(demo, organiser, open_page, effect):
    at = open_page("plan", organiser, demo, **{"plan-effect": effect})
    assert not at.exception
    assert "difference" in at.info[0].value


@pytest.mark.parametrize("part", few(PARTS))
def test_an_empty_collection_is_planned_from_assumed_values(store, organiser, open_page, part):
    empty = create_collection(store, "Empty")
    at = open_page("plan", organiser, empty, **{"plan-part": part})
    assert not at.exception
    assert "you need **128 topics**. Assumed: differences with a standard dev" in answer(at)
    at.number_input(key="plan-spread").set_value(0.1).run()
    assert "**34 topics**" in answer(at)
    assert not at.exception


def test_without_a_collection_it_says_where_to_begin(organiser, open_page):
    at = open_page("plan", organiser)
    assert not at.exception
    assert "Create one" in at.info[0].value


@long
@pytest.mark.parametrize("part", PARTS)
def test_one_topic_is_no_pilot(filled, organiser, open_page, part):
    at = open_page("plan", organiser, filled, **{"plan-part": part})
    assert not at.exception
    assert "Assumed: " in answer(at)
    assert "two topics" in answer(at)


@long
def test_agreement_of_levels_and_assumed_values(store, demo, organiser, open_page):
    at = open_page("plan", organiser, demo, **{"plan-part": "Agreement"})
    assert "judged twice so far would give" in texts(at)
    box = at.selectbox(key="plan-figure")
    for place in range(len(box.options)):
        at.selectbox(key="plan-figure").set_value(place).run()
        assert not at.exception
    empty = create_collection(store, "Empty")
    at = open_page("plan", organiser, empty, **{"plan-part": "Agreement"})
    assert "No pilot: no item is judged by two assessors" in texts(at)
    places = [
        one for one, name in enumerate(at.selectbox(key="plan-figure").options) if "p(" in name
    ]
    at.selectbox(key="plan-figure").set_value(places[0]).run()
    assert not at.exception
    at.number_input(key="plan-value-False").set_value(0.5).run()
    assert "about 0.500" in texts(at)


@long
def test_cost_has_money_where_an_hour_has(demo, organiser, open_page):
    at = open_page("plan", organiser, demo, **{"plan-part": "Cost"})
    assert "judgements**" in texts(at)
    assert "in money" not in texts(at)
    at.number_input(key="plan-wage").set_value(20.0).run()
    assert "in money" in texts(at)
    at.selectbox(key="plan-depth").set_value(50).run()
    assert "pools of depth 50" in texts(at)
    at.selectbox(key="plan-method").set_value("interval-width").run()
    assert not at.exception


@pytest.mark.parametrize("part", few(["Opinions", "Votes"], 2))
def test_opinions_and_votes_of_a_collection(demo, organiser, open_page, part):
    at = open_page("plan", organiser, demo, **{"plan-part": part})
    assert not at.exception
    said = {"Opinions": "more opinion on each item", "Votes": "nearest to win shares"}[part]
    assert said in texts(at)
    if part == "Opinions":
        at.number_input(key="plan-items-of-score").set_value(1).run()
        assert "the mean level of 1 item a topic" in texts(at)


def test_without_labels_and_votes_that_is_said(store, organiser, open_page):
    empty = create_collection(store, "Empty")
    at = open_page("plan", organiser, empty, **{"plan-part": "Opinions"})
    assert "nothing has been judged so far" in texts(at)
    at = open_page("plan", organiser, empty, **{"plan-part": "Votes"})
    assert "nobody has given a preference so far" in texts(at)
