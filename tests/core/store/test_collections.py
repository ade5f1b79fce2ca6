"""Collections, scales, people and members."""

import pytest

from core.collection.records import Level, numeric_scale
from core.errors import BadInput, NotFound
from core.store.collections import (
    close_collection,
    create_collection,
    describe_collection,
    find_collection,
    get_collection,
    get_scales,
    list_collections,
    replace_scale,
)
from core.store.labels import Key, LabelEvent
from core.store.members import add_member, collections_of, drop_member, is_member, list_members
from core.store.people import add_person, begin_session, has_organiser, list_people
from core.store.store import Store


def test_a_collection_can_be_found_described_and_closed(store: Store):
    first = create_collection(store, " One ")
    create_collection(store, "Two")
    assert [one.name for one in list_collections(store)] == ["One", "Two"]
    assert find_collection(store, "One") == find_collection(store, first) == first
    describe_collection(store, first, name="Uno", description="d", guidelines="g")
    close_collection(store, first, closed=True)
    changed = get_collection(store, first)
    assert (changed.name, changed.guidelines) == ("Uno", "g")
    assert changed.closed_at is not None
    close_collection(store, first, closed=False)
    assert get_collection(store, first).closed_at is None


def test_what_is_not_there_is_not_found(store: Store):
    with pytest.raises(NotFound):
        get_collection(store, "nowhere")
    with pytest.raises(NotFound, match="nothing"):
        find_collection(store, "nothing")
    with pytest.raises(BadInput):
        create_collection(store, "  ")


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
    [
        [level(0)],
        [level(0), level(0)],
        [level(0, "A"), level(1, "a")],
        [level(0, key="x"), level(1, key="X")],
        [level(0), level(1, " ")],
        [level(0), level(1, counts_as=7)],
    ],
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


def test_people_have_names_and_roles_of_their_own(store: Store):
    person = add_person(store, "Anna", "assessor")
    for name, role in (("Anna", "assessor"), (" ", "assessor"), ("Bob", "emperor")):
        with pytest.raises(BadInput):
            add_person(store, name, role)
    assert [one.person_id for one in list_people(store)] == [person]
    assert not has_organiser(store)
    begin_session(store, person)
    assert not has_organiser(store)
    begin_session(store, add_person(store, "Olga", "organiser"))
    assert has_organiser(store)


def test_members_come_go_and_come_back(store: Store):
    made = create_collection(store, "One")
    add_member(store, made, "anna", "Anna", group="crowd")
    assert collections_of(store, "anna") == [made]
    drop_member(store, made, "anna")
    assert not is_member(store, made, "anna")
    add_member(store, made, "anna", "Anna", group="expert")
    assert is_member(store, made, "anna")
    assert list_members(store, made)["group"].tolist() == ["expert"]
    with pytest.raises(NotFound):
        drop_member(store, made, "bob")
