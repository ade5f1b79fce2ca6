"""The steps until the first label."""

from core.analysis.base.study import Study
from core.analysis.overview.steps import setup_steps
from core.store.content.collections import create_collection
from core.store.store import Store


def done(study: Study) -> list[bool]:
    return [step.is_done for step in setup_steps(study)]


def test_without_a_collection_nothing_is_done(store: Store):
    assert done(Study(store, "", False)) == [False] * 5
    empty = create_collection(store, "Empty")
    assert done(Study(store, empty, False)) == [True, False, False, False, False]


def test_each_step_is_ticked_when_it_is_done(scene):
    assert done(scene.study) == [True, True, False, False, False]
    scene.invite("Anna")
    scene.open(judges=1)
    assert done(scene.study) == [True, True, True, True, False]
    scene.judge_place("Anna", most=1)
    steps = setup_steps(scene.study)
    assert all(step.is_done for step in steps)
    assert [step.found for step in steps] == [
        "Small", "3 topics, 18 documents, 2 runs", "1 person", "1 round", "",
    ]  # fmt: skip
