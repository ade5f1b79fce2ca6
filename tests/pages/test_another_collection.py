"""On another collection every control begins anew: with what that study declares.

Two collections with the same content declare different things. Whoever changes all controls of a
page on the one, and then looks at the other, sees what somebody sees who opens this at once.
"""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.base.study import Study, runs_of
from core.analysis.collection.declaring import declare
from core.demo import load_demo
from core.store.store import Store
from pages.shared.navigation import PAGES
from tests.pages.conftest import lasting_organiser, lasting_store
from tests.pages.parts import View, list_views, mark_views, name_view

store, organiser = lasting_store, lasting_organiser

CHOICE = "frame-collection"
FIRST = {"measure": "AP", "version": "all, maximum", "alpha": 0.2, "users": 5, "at_least": 2}
SECOND = {"measure": "P@5", "version": "all, minimum", "alpha": 0.01, "users": 8, "at_least": 6}
PATHS = [
    one.path
    for one in PAGES
    if one.destination in ("Overview", "Judging", "People", "Agreement", "Results", "Collection")
]
KEPT = {
    *("effectiveness", "comparison", "ranking", "unpooled", "informativeness", "interleaving"),
    *("plan", "enough", "judging-orders", "machines", "clicks", "preferences", "disagreement"),
}

WRITTEN_OTHERWISE = {"preference-topic", "matrix-topic"}
"""Controls whose options are not read back as they are written; none is of a declaration."""


@pytest.fixture(scope="module")
def collections(store: Store) -> tuple[str, str]:
    """Two collections, of pages and of snippets; each declares another baseline, too."""
    made = load_demo(store), load_demo(store)
    for one, declared, facet in zip(made, (FIRST, SECOND), ("page", "snippet"), strict=True):
        study = Study(store, one, is_masked=False)
        systems = sorted(runs_of(study)["system"].unique())
        baseline = systems[0] if facet == "page" else systems[-1]
        declare(study, {**declared, "facet": facet, "baseline": baseline})
    return made


def controls(at: AppTest) -> list[Any]:
    """Return the controls of a page by which something is chosen."""
    return [
        one
        for kind in (
            *(at.selectbox, at.multiselect, at.slider, at.number_input, at.radio),
            *(at.toggle, at.checkbox, at.button_group),
        )
        for one in kind
        if one.key and one.key != CHOICE
    ]


def values_of(at: AppTest) -> dict[str, object]:
    return {one.key: one.value for one in controls(at)}


def change(one: Any) -> None:
    """Give a control another value than it has."""
    if one.disabled or one.key in WRITTEN_OTHERWISE:
        return
    if one.type in ("toggle", "checkbox"):
        one.set_value(not one.value)
    elif one.type in ("slider", "number_input"):
        least = 0 if one.min is None else one.min
        most = least + 7 if one.max is None else min(one.max, least + 7)
        one.set_value(most if one.value != most else least)
    elif one.type == "multiselect" and one.options:
        one.set_value([one.options[-1]] if one.value != one.options[-1:] else one.options[:1])
    elif one.type == "selectbox" and one.proto.accept_new_options:
        one.set_value(one.options[-1].removeprefix("difference "))
    elif one.type == "selectbox" and len(one.options) > 1:
        one.select_index(0 if one.index else len(one.options) - 1)


@pytest.mark.parametrize(
    "view",
    [pytest.param(one, marks=marks) for one, marks in mark_views(list_views(PATHS), KEPT)],
    ids=name_view,
)
def test_controls_begin_with_what_is_declared(view: View, collections, organiser, open_page):
    path, part = view
    first, second = collections
    wanted = values_of(open_page(path, organiser, second, address=part))
    at = open_page(path, organiser, first, address=part)
    for one in controls(at):
        change(one)
    at = at.run()
    assert not at.exception
    at = at.selectbox(key=CHOICE).set_value(second).run()
    assert not at.exception
    found = values_of(at)
    assert {key: found.get(key) for key in wanted} == wanted


def test_the_address_has_nothing_of_the_other_collection(collections, organiser, open_page):
    """What is chosen stands there; the part of the page that is open stays open."""
    first, second = collections
    address = {"scores-gain": "exp", "scores-measures": "P@10", "closer": "Curves"}
    at = open_page("effectiveness", organiser, first, address=address)
    assert at.multiselect(key="scores-measures").value == ["P@10"]
    at = at.selectbox(key=CHOICE).set_value(second).run()
    assert at.multiselect(key="scores-measures").value[0] == "P@5"
    assert at.query_params == {"collection": second, "closer": "Curves"}
    at = at.run()
    assert at.multiselect(key="scores-measures").value[0] == "P@5"


def test_collections_of_one_name_are_told_apart(collections, organiser, open_page):
    at = open_page("effectiveness", organiser, collections[0])
    offered = at.selectbox(key=CHOICE).options
    assert len({*offered}) == len(offered) == 2
