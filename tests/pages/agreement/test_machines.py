"""The page of machines: what it answers, its parts, and that nothing changes without one."""

import pytest
from streamlit.testing.v1 import AppTest

from core.analysis.base.study import Study
from core.analysis.machines.audit import compare_machines
from core.store.store import Store
from tests.pages.conftest import OpenPage, lasting_demo, lasting_organiser
from tests.pages.drawn_figures import figure_of, numbers, said
from tests.pages.judging_machine import judge_by_machine

store, organiser = lasting_demo, lasting_organiser

PART = "machines-part"


@pytest.fixture(scope="module")
def collection(store: Store, demo_store: tuple[object, str]) -> str:
    judge_by_machine(store, demo_store[1])
    return demo_store[1]


@pytest.fixture
def seen(store: Store, collection: str) -> Study:
    return Study(store, collection, is_masked=False)


def draw(open_page: OpenPage, person: str, **state: object) -> AppTest:
    at = open_page("machines", person, **state)
    assert not at.exception
    assert not at.error
    return at


def test_it_answers_before_anything_else(open_page, organiser, collection, seen):
    at = draw(open_page, organiser)
    answer = said(at)
    row = compare_machines(seen, "page").iloc[0]
    assert f"linear weighted κ **{row['value']:.3f}".replace(".", r"\.") in answer
    assert r"llm \(machine\) agrees with people" in answer
    assert "By nDCG@" in answer
    assert numbers(figure_of(at, "linear")["data"][0]["x"])[0] == pytest.approx(row["value"])
