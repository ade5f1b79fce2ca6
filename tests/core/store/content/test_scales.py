"""Scales: in order, told apart, and kept where they are in use."""

import pytest

from core.collection.records import Level, numeric_scale
from core.errors import BadInput
from core.store.content.collections import create_collection, list_collections
from core.store.content.scales import get_scales, replace_scale
from core.store.events.labels import Key, LabelEvent
from core.store.store import Store
from tests.short import few


def test_the_scales_come_back_in_order(store: Store):
    made = create_collection(store, "One")
    scales = get_scales(store, made)
    assert [level.name for level in scales["snippet"]] == ["No", "Unlikely", "Maybe", "Sure"]
    assert [level.counts_as for level in scales["page"]] == [0, 1, 2, 3, 3]
    replace_scale(store, made, "page", numeric_scale(range(3)))
    assert get_scales(store, made)["page"] == numeric_scale(range(3))


def level(number: int, name: str = "", key: str = "", counts_as: int | None = None) -> Level:
    shown = name or f"L{number}"
    return Level(number, shown, "", key or str(number), number if counts_as is None else counts_as)


@pytest.mark.parametrize(
    "levels",
    few(
        [
            [level(0)],
            [level(0), level(0)],
            [level(0, "A"), level(1, "a")],
            [level(0, key="x"), level(1, key="X")],
            [level(0), level(1, " ")],
            [level(0), level(1, counts_as=7)],
        ],
        2,
    ),
)
def test_a_scale_that_cannot_be_told_apart_is_refused(store: Store, levels: list[Level]):
    made = create_collection(store, "One")
    before = get_scales(store, made)
    with pytest.raises(BadInput):
        replace_scale(store, made, "page", levels)
    assert get_scales(store, made) == before


def test_a_level_that_is_in_use_stays(store: Store):
    made = create_collection(store, "One")
    key = Key("t", "d", "page", "", "anna", 0)
    event = LabelEvent("00000000-0000-4000-8000-000000000000", None, key, "level", 4)
    store.labels.append(made, [event])
    with pytest.raises(BadInput, match="level 4"):
        replace_scale(store, made, "page", numeric_scale(range(3)))


def test_a_collection_is_not_made_with_such_a_scale(store: Store):
    with pytest.raises(BadInput, match="two levels"):
        create_collection(store, "One", scales={"page": [level(0)]})
    assert list_collections(store) == []
