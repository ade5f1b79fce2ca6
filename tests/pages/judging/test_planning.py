"""The plan of a collection: its answer, its parts, and what it does without a pilot."""

import pytest


def texts(at) -> str:
    return "\n".join(part.value for part in [*at.markdown, *at.caption, *at.info, *at.error])


@pytest.mark.parametrize("part", ["Topics", "Agreement", "Cost"])
def test_the_demo_is_its_own_pilot(demo, organiser, open_page, part):
    at = open_page("plan", organiser, demo, **{"plan-part": part})
    assert not at.exception
    said = texts(at)
    print(said)
    assert "you need **" in said


@pytest.mark.parametrize("part", ["Topics", "Agreement", "Cost"])
def test_a_small_collection(filled, organiser, open_page, part):
    at = open_page("plan", organiser, filled, **{"plan-part": part})
    assert not at.exception
    print(texts(at))


@pytest.mark.parametrize("part", ["Topics", "Agreement", "Cost"])
def test_an_empty_collection(store, organiser, open_page, part):
    from core.store.content.collections import create_collection

    empty = create_collection(store, "Empty")
    at = open_page("plan", organiser, empty, **{"plan-part": part})
    assert not at.exception
    print(texts(at))
