"""Moments: each collection counts its own events, whatever comes into others."""

import uuid

import pytest

from core.analysis.base.moments import count_since, describe_moment
from core.analysis.base.study import Study
from core.store.content.collections import create_collection
from core.store.events.current_labels import LATEST
from core.store.events.labels import Key, LabelEvent
from core.store.events.moments import find_event, number_events, read_moment
from core.store.store import Store
from tests.short import long


def judge(store: Store, collection_id: str, document_id: str) -> None:
    key = Key("t1", document_id, "page", "", "anna", 0)
    store.labels.append(collection_id, [LabelEvent(str(uuid.uuid4()), None, key, "level", 1)])


@pytest.fixture
def two(store: Store) -> tuple[str, str]:
    """Two collections whose events come by turns: 1, 3, 5 and 2, 4 of the store."""
    first, second = create_collection(store, "first"), create_collection(store, "second")
    for number in range(5):
        judge(store, (first, second)[number % 2], f"d{number}")
    return first, second


def test_a_collection_counts_its_own_events(store: Store, two: tuple[str, str]):
    first, second = two
    assert [read_moment(store, first, until).number for until in range(6)] == [0, 1, 1, 2, 2, 3]
    assert [read_moment(store, one).number for one in two] == [3, 2]
    assert read_moment(store, first, 0).time is None
    last = store.cursor().execute("SELECT time FROM labels WHERE sequence = 4").fetchone()
    assert (read_moment(store, second).time,) == last


def test_its_n_th_event_is_found_in_the_store(store: Store, two: tuple[str, str]):
    first, second = two
    assert [find_event(store, first, number) for number in range(5)] == [0, 1, 3, LATEST, LATEST]
    assert find_event(store, second, 1) == 2
    assert find_event(store, create_collection(store, "empty"), 1) == LATEST


@long
def test_its_events_have_the_numbers_of_its_moments(store: Store, two: tuple[str, str]):
    assert number_events(store.cursor(), [5, 2, 3]) == {2: 1, 3: 2, 5: 3}
    assert number_events(store.cursor(), []) == {}
    assert read_moment(store, two[0], 5).number == 3


@long
def test_moments_in_words(store: Store, two: tuple[str, str]):
    study = Study(store, two[0], is_masked=False)
    with store.database.write() as cursor:
        cursor.execute("UPDATE labels SET time = '2026-03-02 09:05:59' WHERE sequence = 3")
    assert describe_moment(study, 4) == "2 Mar 2026, 09:05 UTC (label event 2)"
    assert describe_moment(study).endswith(" UTC (label event 3)")
    assert describe_moment(study, 0) == "before the first label"
    assert (count_since(study, 3), count_since(study, 5)) == (1, 0)
