"""The frame that keeps up with the events is at every moment what reading it anew would give."""

import random
import uuid
from dataclasses import replace

import pandas as pd
import pytest

from core.collection.records import Import, numeric_scale
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import replace_scale
from core.store.events import current_labels
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store
from tests.short import few, long

STATES = ("level", "level", "level", "cannot judge", "later")


@pytest.fixture
def collection_id(store: Store) -> str:
    return create_collection(store, "Small", scales={"page": numeric_scale(range(4))})


def judge(store: Store, collection_id: str, rng: random.Random, *, stale: bool = False) -> None:
    """Give, revise or repeat one label, or send one too late."""
    key = Key(
        f"t{rng.randrange(2)}",
        f"d{rng.randrange(4)}",
        "page",
        "",
        f"a{rng.randrange(3)}",
        rng.choice((0, 0, 1, -1)),
    )
    before = store.labels.current(collection_id, key.assessor_id).get(key)
    supersedes = before.event_id if before else None
    state = rng.choice(STATES)
    level = rng.randrange(4) if state == "level" else None
    event = LabelEvent(
        str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        str(uuid.uuid4()) if stale else supersedes,
        key,
        state,
        level,
        rng.randrange(3000),
        rng.choice(("", "unclear")),
    )
    store.labels.append(collection_id, [event])


def check(store: Store, collection_id: str) -> None:
    until = store.labels.sequence(collection_id)
    kept = store.current_labels.get(collection_id, until)
    coded = list(kept.select_dtypes("category").columns)
    assert coded == list(current_labels._CATEGORIES)
    assert all(kept[name].cat.categories.is_monotonic_increasing for name in coded)
    plain = kept.astype(dict.fromkeys(coded, "str"))
    pd.testing.assert_frame_equal(plain, read_labels(store, collection_id, until))


@pytest.mark.parametrize("seed", few(range(4)))
def test_it_follows_whatever_assessors_do(
    store: Store,
    collection_id: str,
    seed: int,
    long_form: bool,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(current_labels, "_MOST_REPLACED", 3)
    rng = random.Random(seed)
    check(store, collection_id)
    for _ in range(30 if long_form else 8):
        for _ in range(rng.choice((1, 1, 2, 8))):
            judge(store, collection_id, rng, stale=rng.random() < 0.1)
        check(store, collection_id)


@long
def test_it_follows_imports_and_what_levels_and_people_are_called(store: Store, collection_id: str):
    rng = random.Random(0)
    judge(store, collection_id, rng)
    check(store, collection_id)
    frame = pd.DataFrame(
        {
            **{"topic_id": "t9", "document_id": ["d1", "d2"], "facet": "page", "engine": ""},
            **{"assessor_id": "a0", "occasion": 0, "state": "level", "level": [1, 2]},
        }
    )
    made = Import("labels", "more.tsv", {"labels": frame}, {}, (), "0" * 64)
    write_import(store, collection_id, made)
    check(store, collection_id)
    person = add_person(store, "Anna", "assessor")
    add_member(store, collection_id, person, "Anna")
    judge(store, collection_id, rng)
    check(store, collection_id)
    add_member(store, collection_id, "a0", "a0", group="experts")
    check(store, collection_id)
    assert "experts" in set(store.current_labels.get(collection_id, 0)["group"])
    scale = numeric_scale(range(4))
    replace_scale(store, collection_id, "page", [*scale[:3], replace(scale[3], counts_as=2)])
    check(store, collection_id)
    assert store.current_labels.get(collection_id, 0)["level"].max() <= 2


@long
def test_it_reads_again_only_what_has_come(
    store: Store, collection_id: str, monkeypatch: pytest.MonkeyPatch
):
    rng, asked = random.Random(1), []
    read = current_labels.read_current

    def told(cursor, collection_id, until, **options):
        asked.append(options.get("since"))
        return read(cursor, collection_id, until, **options)

    monkeypatch.setattr(current_labels, "read_current", told)
    for _ in range(3):
        judge(store, collection_id, rng)
        check(store, collection_id)
        first = store.current_labels.get(collection_id, store.labels.sequence(collection_id))
        assert first is store.current_labels.get(collection_id, 0)
    assert asked == [None, 1, 2]


@long
def test_few_collections_are_held(store: Store):
    for number in range(current_labels._MOST_HELD + 2):
        made = create_collection(store, f"c{number}")
        store.current_labels.get(made, 0)
    assert len(store.current_labels._held) == current_labels._MOST_HELD
