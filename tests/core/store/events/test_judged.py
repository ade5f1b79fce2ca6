"""What has been judged by whom."""

import uuid
from datetime import timedelta
from typing import Any

import pytest

from core.store.content.collections import create_collection
from core.store.events.adjudications import ADJUDICATED, ADJUDICATION
from core.store.events.judged import (
    count_answered_since,
    count_events,
    is_judged,
    last_sequence,
    list_answered_keys,
    list_current_keys,
)
from core.store.events.labels import PRACTICE, Key, LabelEvent
from core.store.store import Store, utc_now
from tests.short import long

ANNA = Key("t1", "d1", "page", "", "anna", 0)
BOB = ANNA._replace(assessor_id="bob")


@pytest.fixture
def here(store: Store) -> str:
    return create_collection(store, "here")


def judge(store: Store, here: str, key: Key, state: str = "level", **more: Any) -> str:
    level = 1 if state == "level" else None
    event = LabelEvent(str(uuid.uuid4()), more.pop("supersedes", None), key, state, level, **more)
    store.labels.append(here, [event])
    return event.event_id


def test_an_item_is_judged_once_anybody_has_judged_it(store: Store, here: str):
    assert not is_judged(store, here, BOB)
    judge(store, here, ANNA)
    assert is_judged(store, here, BOB)
    assert not is_judged(store, here, BOB._replace(document_id="d2"))
    assert not is_judged(store, here, BOB._replace(engine="one"))
    assert not is_judged(store, create_collection(store, "there"), BOB)


def test_practice_and_adjudications_judge_nothing(store: Store, here: str):
    judge(store, here, ANNA._replace(occasion=PRACTICE))
    judge(store, here, ANNA._replace(occasion=ADJUDICATION), source=ADJUDICATED)
    judge(store, here, ANNA, source=ADJUDICATED)
    assert not is_judged(store, here, ANNA)


def test_an_assessor_has_the_keys_of_their_own_current_labels(store: Store, here: str):
    repeat = ANNA._replace(occasion=1)
    first = judge(store, here, ANNA)
    judge(store, here, ANNA, supersedes=first)
    judge(store, here, repeat)
    judge(store, here, BOB)
    assert sorted(list_current_keys(store, here, "anna")) == [ANNA, repeat]
    assert list_current_keys(store, here, "dan") == []


@long
def test_an_answer_stays_one_after_it_was_taken_back(store: Store, here: str):
    other, elsewhere = ANNA._replace(document_id="d2"), ANNA._replace(topic_id="t2")
    first = judge(store, here, ANNA, "cannot judge")
    judge(store, here, ANNA, "unjudged", supersedes=first)
    judge(store, here, other, "later")
    for key in (elsewhere, BOB):
        judge(store, here, key)
    assert list_answered_keys(store, here, "anna", "t1") == {ANNA}


def test_events_are_counted_with_revisions(store: Store, here: str):
    first = judge(store, here, ANNA)
    judge(store, here, ANNA, supersedes=first)
    judge(store, here, BOB)
    assert (count_events(store, here, "anna"), count_events(store, here, "dan")) == (2, 0)


@long
def test_the_last_sequence_is_that_of_the_whole_store(store: Store, here: str):
    assert last_sequence(store) == 0
    judge(store, here, ANNA)
    judge(store, create_collection(store, "there"), ANNA)
    assert last_sequence(store) == 2


def test_what_was_answered_since_a_moment_is_counted_once(store: Store, here: str):
    first = judge(store, here, ANNA)
    judge(store, here, ANNA, supersedes=first)
    judge(store, here, ANNA._replace(document_id="d2"), "cannot judge")
    judge(store, here, ANNA._replace(document_id="d3"), "later")
    judge(store, here, ANNA._replace(occasion=PRACTICE))
    judge(store, here, BOB)
    taken = judge(store, here, ANNA._replace(document_id="d4"))
    judge(store, here, ANNA._replace(document_id="d4"), "unjudged", supersedes=taken)
    now = utc_now()
    assert count_answered_since(store, here, "anna", now - timedelta(hours=1)) == 2
    assert count_answered_since(store, here, "anna", now + timedelta(hours=1)) == 0
