"""Places held in memory: what they tell is what the tables tell, whoever changed them and how."""

from contextlib import suppress
from dataclasses import astuple, replace
from datetime import datetime, timedelta

import numpy as np
import pandas as pd
import pytest

from core.collection.records import Import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.file.database import Rows, write_insert
from core.store.rounds.places import HeldPlaces, Places, held_places
from core.store.rounds.rounds import (
    PAGE_ONLY,
    Round,
    Slot,
    finish_slot,
    insert_round,
    insert_slots,
    update_closing,
    update_slot,
    update_slots,
)
from core.store.store import Store
from tests.short import few, long

pytestmark = pytest.mark.contract

BEGUN = datetime(2026, 1, 1)
HOUR = timedelta(hours=1)
PEOPLE = ("anna", "bob", "carla", "dan")
TOPICS = ("t3", "t1", "t2", "t4")
"""In their order; the last is of no list of topics."""

_SAME_BY_TABLES = """
    WITH open_rounds AS (FROM rounds WHERE collection_id = $collection AND closed_at IS NULL),
    places AS (FROM slots SEMI JOIN open_rounds USING (round_id)),
    batches AS (
        SELECT round_id, topic_id, batch, count(assessor_id) AS begun,
            coalesce(bool_or(assessor_id = $assessor), false) AS is_theirs,
            min(slot) FILTER (finished_at IS NULL
                AND (assessor_id IS NULL OR (leased_until < $now AND NOT reserved))) AS slot
        FROM places GROUP BY ALL)
    SELECT round_id, batches.topic_id, batch, slot FROM batches
    JOIN (SELECT round_id, created_at FROM open_rounds) USING (round_id)
    LEFT JOIN (FROM topics WHERE collection_id = $collection) AS known USING (topic_id)
    WHERE slot IS NOT NULL AND NOT is_theirs
    ORDER BY begun DESC, created_at, position, topic_id, batch"""


@pytest.fixture
def here(store: Store) -> str:
    made = create_collection(store, "here")
    frame = pd.DataFrame(
        {"topic_id": TOPICS[:-1], "query": "q", "description": "", "narrative": "", "type": ""}
    )
    write_import(store, made, Import("topics", "made", {"topics": frame}, {}, (), "0" * 64))
    with store.database.write() as cursor:
        for number, name in enumerate(("old", "young", "shut")):
            rules = Round(
                name, made, name, 3, PAGE_ONLY, None, 10, None, 60, 0.0, 1,
                BEGUN + number * HOUR, BEGUN if name == "shut" else None,
            )  # fmt: skip
            insert_round(cursor, rules)
    return made


def draw(rng: np.random.Generator) -> list[Slot]:
    """Draw the places of some batches, in any state that a place may be in."""
    slots = []
    for round_id in ("old", "young", "shut"):
        for topic_id in TOPICS[int(rng.integers(2)) :]:
            for batch in range(int(rng.integers(1, 4))):
                holders = [None, *PEOPLE][int(rng.integers(2)) :]
                drawn = rng.permutation(len(holders))[:3]
                for slot, one in enumerate(drawn):
                    slots.append(draw_state(rng, Slot(
                        round_id, topic_id, batch, slot, holders[one], False, None, None
                    )))  # fmt: skip
    return [slots[place] for place in rng.permutation(len(slots))]


def draw_state(rng: np.random.Generator, slot: Slot) -> Slot:
    if slot.assessor_id is None or rng.random() < 0.2:
        return replace(slot, assessor_id=None)
    finished = BEGUN if rng.random() < 0.4 else None
    leased = BEGUN + int(rng.integers(-3, 4)) * HOUR if rng.random() < 0.7 else None
    return replace(
        slot, reserved=bool(rng.random() < 0.3), leased_until=leased, finished_at=finished
    )


def write(store: Store, slots: list[Slot]) -> None:
    with store.database.write() as cursor:
        cursor.execute("DELETE FROM slots WHERE true")
        fields = tuple(Slot.__dataclass_fields__)
        cursor.execute(*write_insert(Rows("slots", fields, [astuple(one) for one in slots])))


def describe(places: Places) -> list[object]:
    """Return what places tell of everybody."""
    lapsing = places.list_lapsing(BEGUN)
    after = places.list_leased_after(BEGUN)
    people = [
        (
            *(places.count(one), places.list_held(one), places.find_free(one, lapsing)),
            *(places.find_free(one), places.find_free(one, lapsing, {"old"})),
            *(places.count_free(one, lapsing), places.has_others_batch("young", one)),
        )
        for one in (*PEOPLE, "nobody")
    ]
    return [lapsing, after, places.count_leased(), people]


def compare(store: Store, collection_id: str) -> Places:
    """Assert that what is held is what would be read now, and return it."""
    held = held_places(store).look_at(collection_id)
    assert describe(held) == describe(HeldPlaces(store.database).look_at(collection_id))
    return held


def test_the_next_place_is_the_one_that_the_tables_tell(store: Store, here: str, long_form: bool):
    rng = np.random.default_rng(7)
    for _ in range(6 if long_form else 3):
        write(store, draw(rng))
        places = held_places(store).look_at(here)
        lapsing = places.list_lapsing(BEGUN)
        for person in (*PEOPLE, "nobody"):
            values = {"collection": here, "assessor": person, "now": BEGUN}
            told = store.cursor().execute(_SAME_BY_TABLES, values).fetchall()
            found = places.find_free(person, lapsing)
            named = found and (found.round_id, found.topic_id, found.batch, found.slot)
            assert named == (told[0] if told else None)
            assert places.count_free(person, lapsing) == len(told)
            for barred in ({row[:3] for row in told[:2]}, {row[:3] for row in told}):
                left = [row for row in told if row[:3] not in barred]
                found = places.find_free(person, lapsing, barred=barred)
                assert (found is None) == (not left)
                assert found is None or (found.topic_id, found.batch) == left[0][1:3]


@long
def test_what_is_put_in_is_what_would_be_read(store: Store, here: str):
    rng = np.random.default_rng(8)
    before, after = draw(rng), draw(rng)
    keys = {(one.round_id, one.topic_id) for one in before}
    after = [one for one in after if (one.round_id, one.topic_id) in keys]
    write(store, before)
    known = {(one.round_id, one.topic_id, one.batch, one.slot): one for one in before}
    held = held_places(store)
    assert held.look_at(here).count("anna").places
    with store.database.write() as cursor:
        held.use(cursor, here)
        for one in after:
            cursor.execute(
                "DELETE FROM slots WHERE round_id = ? AND topic_id = ? AND batch = ? AND slot = ?",
                [one.round_id, one.topic_id, one.batch, one.slot],
            )
            cursor.execute(
                "INSERT INTO slots VALUES (?, ?, ?, ?, ?, ?, ?, ?)", list(vars(one).values())
            )
        held.put(after)
    assert any((*key, one.batch, one.slot) not in known for one in after for key in keys)
    mine = held.look_at(here)
    assert compare(store, here) is mine, "it was read again"


@long
def test_a_topic_that_is_new_is_read(store: Store, here: str):
    write(store, [Slot("old", "t1", 0, 0, None, False, None, None)])
    places = held_places(store).look_at(here)
    new = Slot("old", "t3", 0, 0, None, False, None, None)
    with store.database.write() as cursor:
        held_places(store).use(cursor, here)
        insert_slots(cursor, [new])
        held_places(store).put([new])
        assert held_places(store).use(cursor, here).find_free("anna") == new
    assert compare(store, here) is not places


@pytest.mark.parametrize(
    "statement",
    few(
        [
            "UPDATE slots SET assessor_id = 'bob' WHERE round_id = 'old'",
            "UPDATE rounds SET closed_at = created_at WHERE round_id = 'old'",
            "UPDATE topics SET position = 10 - position",
            "DELETE FROM slots WHERE round_id = 'young'",
        ]
    ),
)
@pytest.mark.parametrize("alone", few([True, False]))
def test_what_anybody_else_changes_is_seen(store: Store, here: str, statement: str, alone: bool):
    write(store, draw(np.random.default_rng(9)))
    before = describe(held_places(store).look_at(here))
    if alone:
        store.database.run(statement)
    else:
        with store.database.write() as cursor:
            cursor.execute(statement)
    assert describe(compare(store, here)) != before


@long
def test_what_comes_to_nothing_is_forgotten(store: Store, here: str):
    open_slot = Slot("old", "t1", 0, 0, None, False, None, None)
    write(store, [open_slot])
    with suppress(ZeroDivisionError), store.database.write() as cursor:
        places = held_places(store).use(cursor, here)
        taken = replace(open_slot, assessor_id="anna", leased_until=BEGUN)
        update_slot(cursor, taken, None)
        held_places(store).put([taken])
        assert places.list_held("anna") == [taken]
        raise ZeroDivisionError
    assert compare(store, here).find_free("anna") == open_slot


@long
def test_other_writing_leaves_them_held(store: Store, here: str):
    write(store, draw(np.random.default_rng(10)))
    places = held_places(store).look_at(here)
    with store.change(here, "note", "a thing") as cursor:
        cursor.execute("UPDATE collections SET description = 'x'")
    create_collection(store, "there")
    assert held_places(store).look_at(here) is places


@long
def test_a_round_that_is_closed_hands_out_nothing(store: Store, here: str):
    write(store, [Slot("old", "t1", 0, 0, None, False, None, None)])
    assert held_places(store).look_at(here).find_free("anna")
    with store.database.write() as cursor:
        update_closing(cursor, "old", BEGUN)
    assert compare(store, here).find_free("anna") is None


def test_a_place_is_only_given_as_it_was_seen(store: Store, here: str):
    seen = Slot("old", "t1", 0, 0, None, False, None, None)
    write(store, [replace(seen, assessor_id="bob", leased_until=BEGUN)])
    mine = replace(seen, assessor_id="anna", leased_until=BEGUN)
    with (
        pytest.raises(RuntimeError, match="no longer what it was"),
        store.database.write() as cursor,
    ):
        update_slot(cursor, mine, None)
    with store.database.write() as cursor:
        assert not finish_slot(cursor, replace(mine, finished_at=BEGUN))
        assert finish_slot(cursor, replace(mine, assessor_id="bob", finished_at=BEGUN))
    with (
        pytest.raises(RuntimeError, match="no longer what it was"),
        store.database.write() as cursor,
    ):
        update_slot(cursor, mine, "bob")
    assert compare(store, here).count("bob").finished == 1


def test_places_are_given_together_or_not_at_all(store: Store, here: str):
    free, held = (Slot("old", "t1", batch, 0, None, False, None, None) for batch in (0, 1))
    held = replace(held, assessor_id="bob", leased_until=BEGUN)
    write(store, [free, held])
    taken = replace(free, assessor_id="anna", leased_until=BEGUN)
    done = replace(held, finished_at=BEGUN)
    with (
        pytest.raises(RuntimeError, match="no longer what it was"),
        store.database.write() as cursor,
    ):
        update_slots(cursor, [(free, taken), (replace(held, assessor_id="cleo"), done)])
    assert compare(store, here).find_free("cleo") == free
    with store.database.write() as cursor:
        update_slots(cursor, [])
        update_slots(cursor, [(free, taken), (held, done)])
    places = compare(store, here)
    assert places.list_held("anna") == [taken]
    assert (places.list_held("bob"), places.count("bob").finished) == ([], 1)
    with (
        pytest.raises(RuntimeError, match="no longer what it was"),
        store.database.write() as cursor,
    ):
        update_slots(cursor, [(held, held)])
