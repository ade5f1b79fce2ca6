"""Agreement by aspect: one control, the same page, and a table beside relevance."""

import pytest

from core.analysis.agreement.between_assessors import agreement_of_aspects, pairs_of_assessors
from core.analysis.base.study import Study
from core.store.content.gold import GoldItem, mark_gold
from core.store.people.members import add_viewer
from core.store.people.people import add_person
from pages.agreement.coefficients.agreement import PART
from tests.core.judged_aspects import build
from tests.short import long

TRUST = {"agreement-aspect": "trust"}


@pytest.fixture
def judged(store) -> Study:
    return Study(store, build(store), is_masked=False)


@long
def test_without_aspects_there_is_no_control(open_page, organiser, demo):
    at = open_page("agreement", organiser)
    assert "Aspect" not in [one.label for one in at.selectbox]
    assert "Aspects" not in [one.label for one in at.tabs]


def test_the_control_swaps_the_labels_and_is_in_the_address(open_page, organiser, judged):
    at = open_page("agreement", organiser)
    assert at.dataframe[0].value["n"].tolist() == pairs_of_assessors(judged, "page")["n"].tolist()
    at = open_page("agreement", organiser, **TRUST)
    assert not at.exception
    assert at.selectbox(key="agreement-aspect").value == "trust"
    expected = pairs_of_assessors(judged.of_aspect("trust"), "page")
    shown = at.dataframe[0].value
    for name in ("n", "linear", "low", "high", "raw"):
        assert shown[name].tolist() == pytest.approx(expected[name].tolist(), nan_ok=True)


@long
@pytest.mark.parametrize("part", ["One pair", "Topics", "Rounds", "Coefficients", "Aspects"])
def test_every_part_can_be_had_of_an_aspect(open_page, organiser, judged, part):
    at = open_page("agreement", organiser, **TRUST, **{PART: part})
    assert not at.exception
    assert not at.error


@long
def test_the_table_of_aspects_says_how_each_goes_with_relevance(open_page, organiser, judged):
    at = open_page("agreement", organiser, **{PART: "Aspects"})
    expected = agreement_of_aspects(judged, "page")
    shown = at.dataframe[0].value
    assert shown["aspect"].tolist() == ["trust", "age"]
    assert shown["tau"].tolist() == pytest.approx(expected["tau"].tolist())
    assert "topics** are what is sampled" in " ".join(one.value for one in at.markdown)


@long
def test_gold_is_marked_of_relevance_only(open_page, organiser, judged):
    mark_gold(judged.store, judged.collection_id, GoldItem("t1", "d1", "page", "", 3))
    topic = {PART: "Topics"}
    labels = [one.label for one in open_page("agreement", organiser, **topic).button]
    at = open_page("agreement", organiser, **topic, **TRUST)
    assert set(labels) - {one.label for one in at.button}


@long
def test_a_viewer_sees_it_by_codes(open_page, store, judged):
    viewer = add_person(store, "Vic", "viewer")
    add_viewer(store, judged.collection_id, viewer)
    at = open_page("agreement", viewer, **TRUST)
    assert not at.exception
    assert not {"Anna", "Bob"} & {*at.dataframe[0].value["first"]}
