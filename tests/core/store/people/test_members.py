"""Members: who may judge in a collection, now and again."""

import pytest

from core.errors import NotFound
from core.store.content.collections import create_collection
from core.store.people.members import (
    add_member,
    collections_of,
    drop_member,
    is_member,
    list_members,
)
from core.store.store import Store


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
