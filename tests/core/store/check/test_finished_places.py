"""Finished places, and what has come to them since."""

import uuid
from datetime import timedelta

import pytest

from core.store.check.check_rounds import has_moved_since, list_finished_places
from core.store.content.collections import create_collection
from core.store.events.labels import Key, LabelEvent
from core.store.rounds.rounds import PAGE_ONLY, Round, Slot, insert_round, insert_slots
from core.store.store import Store, utc_now

ANNA = Key("t1", "d1", "page", "", "anna", 0)
LONG_AGO = utc_now() - timedelta(days=1)


@pytest.fixture
def here(store: Store) -> str:
    return create_collection(store, "here")


def judge(store: Store, here: str, key: Key, supersedes: str | None = None) -> str:
    event = LabelEvent(str(uuid.uuid4()), supersedes, key, "level", 1)
    store.labels.append(here, [event])
    return event.event_id


def test_finished_places_come_by_assessor(store: Store, here: str):
    rules = Round("r", here, "R", 3, PAGE_ONLY, None, 10, None, 60, 0.0, 1, LONG_AGO, None)
    slots = [
        Slot("r", "t1", 0, place, who, False, None, done)
        for place, (who, done) in enumerate(
            [("bob", LONG_AGO), ("anna", LONG_AGO), ("dan", None), (None, LONG_AGO)]
        )
    ]
    with store.database.write() as cursor:
        insert_round(cursor, rules)
        insert_slots(cursor, slots)
        for slot in slots:
            done = [slot.finished_at, slot.slot]
            cursor.execute("UPDATE slots SET finished_at = ? WHERE slot = ?", done)
    found = [(row["assessor_id"], row["slot"]) for row in list_finished_places(store)]
    assert found == [("anna", 1), ("bob", 0)]


def test_a_first_label_moves_nothing_and_a_revision_does(store: Store, here: str):
    asked = here, LONG_AGO, "anna", "t1"
    first = judge(store, here, ANNA)
    assert not has_moved_since(store, *asked)
    judge(store, here, ANNA, first)
    assert has_moved_since(store, *asked)
    assert not has_moved_since(store, here, utc_now() + timedelta(days=1), "anna", "t1")
    assert not has_moved_since(store, here, LONG_AGO, "bob", "t1")
    assert not has_moved_since(store, here, LONG_AGO, "anna", "t2")


def test_files_that_came_later_move_everything(store: Store, here: str):
    with store.change(here, "describe", "collection"):
        pass
    assert not has_moved_since(store, here, LONG_AGO, "anna", "t1")
    with store.change(here, "top up", "round r"):
        pass
    assert has_moved_since(store, here, LONG_AGO, "anna", "t1")
