"""Collections: made, found, described, closed."""

import pytest

from core.errors import BadInput, NotFound
from core.store.audit.audit import AuditFilter, read_audit
from core.store.content.collections import (
    choose_language,
    close_collection,
    create_collection,
    describe_collection,
    find_collection,
    get_collection,
    hide_pace,
    list_collections,
)
from core.store.content.scales import get_scales
from core.store.store import Store


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


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


def test_usual_scales_are_in_the_language_that_a_collection_begins_with(store: Store):
    german, english = create_collection(store, "Eins", language="de"), create_collection(store, "2")
    begun = get_scales(store, german)
    assert [level.name for level in begun["page"]][:2] == ["Nicht", "Etwas"]
    choose_language(store, german, "en")
    choose_language(store, english, "de")
    assert get_scales(store, german) == begun
    assert [level.name for level in get_scales(store, english)["page"]][:2] == ["Non", "Rel"]


def test_the_pace_is_shown_until_it_is_hidden(store: Store):
    made = create_collection(store, "One")
    assert not get_collection(store, made).hides_pace
    hide_pace(store, made, hidden=True, by="olga")
    assert get_collection(store, made).hides_pace
    change = read_audit(store, AuditFilter(), 1).iloc[0]["change"]
    assert "pace hidden" in change
