"""Members: who may judge in a collection, now and again."""

import pytest

from core.errors import NotFound
from core.store.content.collections import create_collection
from core.store.people.members import (
    add_member,
    collections_of,
    drop_member,
    is_member,
    list_assessors,
    list_members,
)
from core.store.people.people import add_person
from core.store.people.sessions import disable_person
from core.store.store import Store


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


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


def test_only_those_who_can_sign_in_and_were_not_taken_off_are_assessors_to_choose(store: Store):
    made = create_collection(store, "One")
    anna, bob, carla = (add_person(store, name, "assessor") for name in ("Anna", "Bob", "Carla"))
    for person, name in ((anna, "Anna"), (bob, "Bob"), (carla, "Carla")):
        add_member(store, made, person, name)
    add_person(store, "Olga", "organiser")
    add_member(store, made, "u17", "u17", origin="imported")
    disable_person(store, bob)
    drop_member(store, made, carla)
    assert list_assessors(store, made) == {anna: "Anna"}
