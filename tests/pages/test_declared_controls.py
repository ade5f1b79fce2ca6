"""A page says what is declared and what is shown wherever a control differs, and only there.

A collection with labels of people and of a machine, preferences, clicks and runs declares a
measure, a version, α, users and a facet. Each page that can show something else begins in silence.
"""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.agreement.preferences import preferences_of
from core.analysis.base.study import Study
from core.analysis.collection.declaring import declare
from core.collection.records import DOCUMENTS, SYSTEMS
from core.demo import load_demo
from core.preference.selection import preference_parts
from core.store.store import Store
from core.wording import plain
from tests.pages.conftest import OpenPage, lasting_organiser, lasting_store
from tests.pages.drawn_figures import said
from tests.pages.judging_machine import judge_by_machine

store, organiser = lasting_store, lasting_organiser

DECLARED = {
    **{"measure": "AP", "version": "all, maximum", "alpha": 0.2, "users": 5, "at_least": 2},
    "facet": "page",
}
VERSION = {
    "plan": "plan-version-page",
    "enough": "enough-version",
    "judging-orders": "judging-orders-version-page",
    "machines": "machines-people-page",
    "clicks": "clicks-judgements-page",
    "preferences": "pref-version",
    "effectiveness": "version-page",
    "ranking": "ranking-versions-page",
    "unpooled": "unpooled-version-page",
    "comparison": "comparison-versions-page",
    "informativeness": "informativeness-version-page",
    "interleaving": "interleaving-version-page",
}
"""By the address of a page: the key of the control of its version."""

MEASURE = {
    "plan": "plan-measure",
    "enough": "enough-measure",
    "judging-orders": "judging-orders-measure",
    "machines": "machines-measure",
    "preferences": "pref-measure",
    "effectiveness": "scores-measures",
    "ranking": "ranking-measure",
    "unpooled": "unpooled-measure",
    "comparison": "comparison-one-measures",
}
FACET = {
    "judging-orders": "judging-orders-facet",
    "clicks": "clicks-facet",
    "effectiveness": "scores-facet",
    "ranking": "scores-facet",
    "unpooled": "scores-facet",
    "comparison": "scores-facet",
    "informativeness": "scores-facet",
    "interleaving": "scores-facet",
    "preferences": "scores-facet",
}
LABELS = {
    "disagreement": "disagreement-facet",
    "verification": "verify-facet",
    "agreement": "agreement-facet",
    "assessors": "assessors-facet",
}
"""Pages on which no system is scored, and the key of the control of the facet."""

OF_USERS = ("disagreement", "documents")
"""Pages that show weights for users: *Level weights*, and *Preferences* of documents."""

ALPHA = {"comparison": "comparison-alpha", "plan": "plan-alpha"}
BY_WEIGHTS = ("effectiveness", "comparison", "ranking", "unpooled", "preferences")
"""Pages whose scores may be by the weights of users that are chosen there."""

UDM = "nDCG(gain='udm')@10"


@pytest.fixture(scope="module")
def study(store: Store) -> Study:
    made = Study(store, load_demo(store), is_masked=False)
    judge_by_machine(store, made.collection_id)
    declare(made, DECLARED)
    return made


@pytest.fixture
def draw(open_page: OpenPage, organiser: str, study: Study):
    """Return what opens a page, preferences with the part of systems, or of documents."""

    def opened(path: str) -> AppTest:
        parts = preference_parts(preferences_of(study))
        kind = {"preferences": SYSTEMS, "documents": DOCUMENTS}.get(path)
        state = {"preference-part": next(one for one in parts if one[0] == kind)} if kind else {}
        at = open_page("preferences" if kind else path, organiser, study.collection_id, **state)
        assert not at.exception
        return at

    return opened


def control(at: AppTest, key: str) -> Any:
    (found,) = [
        one
        for kind in (at.selectbox, at.multiselect, at.radio, at.number_input, at.slider)
        for one in kind
        if one.key == key
    ]
    return found


def choose(at: AppTest, key: str, value: object) -> AppTest:
    one = control(at, key)
    at = one.set_value([value] if isinstance(one.value, list) else value).run()
    assert not at.exception
    return at


@pytest.mark.parametrize("path", sorted(VERSION))
def test_a_page_that_shows_what_is_declared_says_nothing(path, draw):
    assert "Declared:" not in said(draw(path))


@pytest.mark.parametrize("path", sorted(VERSION))
def test_another_version_is_said(path, draw):
    at = draw(path)
    key = VERSION[path]
    other = next(one for one in control(at, key).options if one.startswith("all, minimum"))
    at = choose(at, key, other)
    assert "Declared: AP under *all, maximum*" in said(at)
    assert "under *all, minimum*" in said(at)


@pytest.mark.parametrize("path", sorted(MEASURE))
def test_another_measure_is_said(path, draw):
    at = draw(path)
    other = "nDCG@10" if path == "enough" else "P@5"
    at = choose(at, MEASURE[path], other)
    assert f"Declared: AP under *all, maximum*; shown: {plain(other)}" in said(at)


@pytest.mark.parametrize("path", sorted(FACET))
def test_another_facet_is_said(path, draw):
    at = choose(draw(path), FACET[path], "snippet")
    assert "Declared: AP under *all, maximum* of pages; shown: " in said(at)
    assert "of snippets." in said(at)


@pytest.mark.parametrize("path", sorted(ALPHA))
def test_another_alpha_is_said(path, draw):
    at = choose(draw(path), ALPHA[path], 0.01)
    assert "α = 0.2; shown: AP under *all, maximum*, α = 0.01." in said(at)


@pytest.mark.parametrize("path", BY_WEIGHTS)
def test_users_that_are_chosen_count_where_a_measure_names_the_udm(path, draw, study):
    """Whether the measure's own text says so or the choice of a gain."""
    declare(study, {"measure": UDM})
    try:
        at = draw(path)
        assert "Declared:" not in said(at)
        before = [one.value.to_csv() for one in at.dataframe]
        at = choose(at, "udm-users", 9)
        assert "2 of 5 users; shown: " in said(at)
        assert "2 of 9 users." in said(at)
        assert [one.value.to_csv() for one in at.dataframe] != before
    finally:
        declare(study, {"measure": DECLARED["measure"]})


@pytest.mark.parametrize("path", BY_WEIGHTS)
def test_users_that_do_not_count_are_not_spoken_of(path, draw):
    at = choose(draw(path), "udm-users", 9)
    assert "Declared:" not in said(at)


@pytest.mark.parametrize("path", [*LABELS, "documents"])
def test_a_page_of_the_labels_that_are_declared_says_nothing(path, draw):
    assert "Declared:" not in said(draw(path))


@pytest.mark.parametrize("path", LABELS)
def test_other_labels_are_said(path, draw):
    at = choose(draw(path), LABELS[path], "snippet")
    assert "Declared: labels of pages; shown: labels of snippets." in said(at)


@pytest.mark.parametrize("path", OF_USERS)
def test_other_users_of_weights_are_said(path, draw):
    at = choose(draw(path), "udm-users", 9)
    assert "Declared: 2 of 5 users; shown: 2 of 9 users." in said(at)


def test_other_labels_and_other_users_are_said_at_once(draw):
    at = choose(draw("disagreement"), "udm-users", 9)
    at = choose(at, LABELS["disagreement"], "snippet")
    told = "Declared: labels of pages, 2 of 5 users; shown: labels of snippets, 2 of 9 users."
    assert told in said(at)
