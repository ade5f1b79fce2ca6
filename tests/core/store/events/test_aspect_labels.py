"""What was said of aspects: with its label or not at all, and as frames of labels."""

import uuid

import pytest

from core.collection.aspects import Aspect
from core.collection.records import FACETS, Level, numeric_scale
from core.store.content.aspects import add_aspect
from core.store.content.collections import create_collection
from core.store.events.aspect_labels import (
    list_aspect_levels,
    read_aspect_labels,
    read_labels_of_aspect,
)
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent
from core.store.store import Store
from tests.short import long

pytestmark = pytest.mark.contract

KEY = Key("t1", "d1", "page", "", "anna", 0)
SCALE = (
    Level(0, "No", "", "1", 0),
    Level(1, "Yes", "", "2", 1),
    Level(2, "Very", "", "3", 1),
)


@pytest.fixture
def collection(store: Store) -> str:
    made = create_collection(store, "One")
    add_aspect(store, made, Aspect("trust", ("page",), "Is it true?", SCALE))
    age = Aspect("age", FACETS, "Is it new?", numeric_scale(range(2)), may_be_left_out=True)
    add_aspect(store, made, age)
    return made


def event(key: Key = KEY, before: str | None = None, level: int | None = 2, **other) -> LabelEvent:
    state = "cannot judge" if level is None else "level"
    return LabelEvent(str(uuid.uuid4()), before, key, state, level, **other)


def count(store: Store) -> int:
    return store.cursor().execute("SELECT count(*) FROM aspect_labels").fetchone()[0]


def test_they_survive_reopening_and_are_stored_once(store, collection):
    first = event(aspects=(("trust", 2), ("age", None)))
    once = store.labels.append(collection, [first])
    assert store.labels.append(collection, [first, first]) == [*once, *once]
    assert count(store) == 2
    store.close()
    again = Store(store.place)
    (label,) = again.labels.current(collection, "anna").values()
    assert label.aspects == (("age", None), ("trust", 2)) == once[0].current.aspects
    again.close()


@long
def test_neither_is_there_without_the_other(store, collection):
    """An aspect twice cannot be stored; its label is then not stored either, others are."""
    unfit, good = event(aspects=(("trust", 1), ("trust", 2))), event(KEY._replace(document_id="d2"))
    with pytest.raises(Exception, match=r"(?i)constraint"):
        store.labels.append(collection, [unfit])
    assert count(store) == 0
    assert read_labels(store, collection).empty
    (receipt,) = store.labels.append(collection, [good])
    assert receipt.sequence == 1


@long
def test_the_frame_of_an_aspect_is_that_of_labels_with_its_levels(store, collection):
    other = KEY._replace(document_id="d2")
    lacking, without = KEY._replace(document_id="d3"), KEY._replace(assessor_id="bob")
    events = [
        event(aspects=(("trust", 2), ("age", 0))),
        event(other, level=0, aspects=(("trust", 0),)),
        event(lacking),
        event(without, aspects=(("age", None),)),
    ]
    store.labels.append(collection, events)
    labels, trust = (
        read_labels(store, collection),
        read_labels_of_aspect(store, collection, "trust"),
    )
    assert trust.columns.tolist() == labels.columns.tolist()
    assert trust[["document_id", "given_level", "level", "sequence"]].values.tolist() == [
        ["d1", 2, 1, 1],
        ["d2", 0, 0, 2],
    ]
    same = [one for one in labels if one not in ("level", "given_level")]
    assert trust[same].equals(labels[same].iloc[:2])
    assert read_labels_of_aspect(store, collection, "age")["document_id"].tolist() == ["d1"]


@long
def test_what_stands_is_that_of_the_last_event(store, collection):
    first = event(aspects=(("trust", 2),))
    second = event(before=first.event_id, aspects=(("trust", 0),))
    third = event(before=second.event_id, level=None)
    store.labels.append(collection, [first, second, third])
    by_event = [
        read_labels_of_aspect(store, collection, "trust", until)["level"].tolist()
        for until in (0, 1, 2, 3)
    ]
    assert by_event == [[], [1], [0], []]


@long
def test_the_tidy_frame_has_a_row_for_each_label_and_aspect(store, collection):
    store.labels.append(collection, [event(level=3, aspects=(("trust", 2), ("age", None)))])
    said = read_aspect_labels(store, collection)
    rows = list_aspect_levels(read_labels(store, collection), said)
    assert rows[["aspect", "relevance", "sequence"]].values.tolist() == [
        ["trust", 3, 1],
        ["age", 3, 1],
    ]
    assert rows["given_level"].isna().tolist() == [False, True]
    assert rows["state"].tolist() == ["level", "unjudged"]
