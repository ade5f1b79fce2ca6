"""Paradata: stored once with their event, and read for the labels that stand."""

import uuid
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.store.content.collections import create_collection
from core.store.events.afterwards import Seeing, allow_seeing, note_topic_seen
from core.store.events.answered import Paradata
from core.store.events.labels import PRACTICE, Key, LabelEvent
from core.store.events.paradata import has_paradata, read_paradata
from core.store.people.members import add_member
from core.store.store import Store

KEY = Key("t1", "d1", "page", "", "anna", 0)
SLOW = Paradata(4_000, "mouse", 1, 200, 900, 870, text_only=True)
FAST = Paradata(300, "key", 2)


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


@pytest.fixture
def here(store: Store) -> str:
    made = create_collection(store, "Here")
    add_member(store, made, "anna", "Anna")
    return made


def judge(store: Store, here: str, level: int | None, key: Key = KEY, **more) -> LabelEvent:
    before = store.labels.current(here, key.assessor_id).get(key)
    state = more.pop("state", "level")
    told = {"dwell_ms": 500, **more}
    event = LabelEvent(
        str(uuid.uuid4()), before.event_id if before else None, key, state, level, **told
    )
    store.labels.append(here, [event])
    return event


def read(store: Store, here: str, *columns: str) -> list[list[object]]:
    frame = read_paradata(store, here)[list(columns)].astype(object)
    return frame.where(frame.notna(), None).to_numpy().tolist()


@pytest.mark.contract
def test_they_are_stored_once_with_their_event(store: Store, here: str):
    assert not has_paradata(store, here)
    event = judge(store, here, 1, paradata=SLOW)
    store.labels.append(here, [event, replace(event)])
    assert has_paradata(store, here)
    (row,) = read_paradata(store, here).to_dict("records")
    assert {name: row[name] for name in ("topic_id", "document_id", "facet", "name", "level")} == {
        **{"topic_id": "t1", "document_id": "d1", "facet": "page", "name": "Anna", "level": 1},
    }
    assert [row[name] for name in ("dwell_ms", "shown_ms", "given_by", "place")] == [
        *(500, 4_000, "mouse", 1),
    ]
    assert [row[name] for name in ("x", "y", "furthest", "text_only")] == [200, 900, 870, True]
    assert read(store, here, "first_side", "both_sides") == [[None, None]]


def test_those_of_the_latest_answer_with_the_level_that_stands_count(store: Store, here: str):
    judge(store, here, 1, paradata=SLOW)
    judge(store, here, 2, paradata=FAST)
    columns = ("level", "given_by", "dwell_ms")
    assert read(store, here, *columns) == [[2, "key", 1_000]]
    judge(store, here, 2, comment="Only a comment.")
    assert read(store, here, *columns) == [[2, "key", 1_500]]
    judge(store, here, 0)
    assert read(store, here, *columns) == [], "nothing is known of how this level was given"
    judge(store, here, None, state="cannot judge", paradata=FAST)
    assert read(store, here, "state", "level", "given_by") == [["cannot judge", None, "key"]]
    judge(store, here, None, state="unjudged")
    assert read(store, here, *columns) == []


def test_a_pair_whose_sides_have_changed_is_one_row(store: Store, here: str):
    pair = Key("t1", "p1", "page pair", "first", "anna", 0)
    judge(store, here, 1, pair, paradata=FAST)
    other = pair._replace(engine="second")
    judge(store, here, -1, other, paradata=Paradata(first_side="right", both_sides=True))
    columns = ("engine", "level", "first_side", "both_sides")
    assert read(store, here, *columns) == [["second", -1, "right", True]]


def test_practice_and_what_was_said_after_seeing_others_are_left_out(store: Store, here: str):
    judge(store, here, 1, KEY._replace(occasion=PRACTICE), paradata=FAST)
    judge(store, here, 1, paradata=SLOW)
    allow_seeing(store, here, Seeing())
    note_topic_seen(store, here, "anna", "t1")
    judge(store, here, 2, paradata=FAST)
    assert read(store, here, "level", "given_by") == [[1, "mouse"]]


def test_a_store_of_before_has_none(tmp_path: Path):
    with closing(Store(tmp_path / "new.duckdb")) as store:
        assert read_paradata(store, create_collection(store, "New")).empty
