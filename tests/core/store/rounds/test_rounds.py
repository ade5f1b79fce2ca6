"""Rounds that are closed and opened again, and the frame of all places."""

from datetime import datetime

import pytest

from core.store.content.collections import create_collection
from core.store.rounds.rounds import (
    PAGE_ONLY,
    Round,
    Slot,
    get_round,
    insert_round,
    insert_slots,
    list_rounds,
    read_slot_frame,
    update_closing,
)
from core.store.store import Store
from tests.short import long

pytestmark = pytest.mark.contract

BEGUN, ENDED = datetime(2026, 1, 1), datetime(2026, 1, 2)


@pytest.fixture
def here(store: Store) -> str:
    made = create_collection(store, "here")
    with store.database.write() as cursor:
        for name, judges in (("one", 2), ("two", 1)):
            rules = Round(
                name, made, f"Round {name}", judges, PAGE_ONLY, None, 10, None, 60, 0.0, 1, BEGUN,
                None,
            )  # fmt: skip
            insert_round(cursor, rules)
            slots = [Slot(name, "t1", 0, n, None, False, None, None) for n in range(judges)]
            insert_slots(cursor, slots)
    return made


def test_one_round_is_closed_and_opened_again(store: Store, here: str):
    with store.database.write() as cursor:
        update_closing(cursor, "one", ENDED)
    assert [one.closed_at for one in list_rounds(store, here)] == [ENDED, None]
    with store.database.write() as cursor:
        update_closing(cursor, "one", None)
    assert get_round(store, "one").closed_at is None


@long
def test_the_frame_has_the_places_of_closed_rounds(store: Store, here: str):
    with store.database.write() as cursor:
        update_closing(cursor, "one", ENDED)
    frame = read_slot_frame(store, here).sort_values(["round", "slot"])
    columns = ["round_id", "round", "topic_id", "slot", "judges", "closed"]
    assert frame[columns].values.tolist() == [
        ["one", "Round one", "t1", 0, 2, True],
        ["one", "Round one", "t1", 1, 2, True],
        ["two", "Round two", "t1", 0, 1, False],
    ]
    assert read_slot_frame(store, create_collection(store, "there")).empty
