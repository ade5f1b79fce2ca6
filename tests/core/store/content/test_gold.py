"""Gold items: marked by hand or taken over from labels, recorded, and waking the pages."""

import uuid
from dataclasses import replace

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput, NotFound
from core.store.content.collections import create_collection
from core.store.content.gold import (
    GoldItem,
    count_gold_labels,
    list_gold,
    mark_gold,
    read_judged,
    take_over_gold,
    unmark_gold,
)
from core.store.content.imports import write_import
from core.store.events.labels import PRACTICE, Key, LabelEvent
from core.store.store import Store
from tests.short import long

pytestmark = pytest.mark.contract

FILES = {
    "topics": b"t1\tjaguar\nt2\tlynx\n",
    "documents": b'{"id": "d1", "title": "Cats", "text": "A cat."}\n{"id": "d2", "html": "<p>x"}\n',
    "results": b"topic\tengine\tdocument\trank\tsnippet\nt1\te1\td1\t1\tBig cats\n",
}
PAGE = GoldItem("t1", "d1", "page", "", 2)
SNIPPET = GoldItem("t1", "d1", "snippet", "e1", 1)


def judge(store, collection_id, who, item, state="level", occasion=0, before=None):
    event_id = str(uuid.uuid4())
    key = Key(item.topic_id, item.document_id, item.facet, item.engine, who, occasion)
    level = item.level if state == "level" else None
    store.labels.append(collection_id, [LabelEvent(event_id, before, key, state, level)])
    return event_id


@pytest.fixture
def collection_id(store: Store) -> str:
    made = create_collection(store, "Small")
    for kind, content in FILES.items():
        write_import(store, made, read_import(kind, Source(f"{kind}.txt", content)))
    for item in (PAGE, SNIPPET, replace(PAGE, document_id="d2"), replace(PAGE, document_id="d9")):
        judge(store, made, "anna", item)
    return made


def test_items_are_marked_changed_and_unmarked(store: Store, collection_id: str):
    mark_gold(store, collection_id, PAGE)
    mark_gold(store, collection_id, SNIPPET)
    assert list_gold(store, collection_id) == [SNIPPET, PAGE]
    better = replace(PAGE, level=4)
    mark_gold(store, collection_id, better)
    unmark_gold(store, collection_id, SNIPPET)
    assert list_gold(store, collection_id) == [better]
    assert list_gold(store, create_collection(store, "Other")) == []


@long
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"level": 9}, "9 is not on the page scale"),
        ({"facet": "sound"}, "2 is not on the sound scale"),
        ({"topic_id": "t2"}, "nobody has judged the page of document d1 in topic t2"),
    ],
)
def test_what_cannot_be_compared_is_refused(store: Store, collection_id: str, change, fault):
    with pytest.raises(BadInput, match=fault):
        mark_gold(store, collection_id, replace(PAGE, **change))
    assert list_gold(store, collection_id) == []


@long
def test_an_item_without_gold_cannot_be_unmarked(store: Store, collection_id: str):
    with pytest.raises(NotFound, match="has no gold level"):
        unmark_gold(store, collection_id, PAGE)


@long
def test_every_change_is_recorded_and_wakes_the_pages(store: Store, collection_id: str):
    before = store.state(collection_id)
    mark_gold(store, collection_id, SNIPPET, by="olga")
    assert store.state(collection_id) != before
    unmark_gold(store, collection_id, SNIPPET, by="olga")
    rows = store.cursor().execute("SELECT person_id, what, subject, detail FROM changes").fetchall()
    assert rows[-2:] == [
        ("olga", "mark", "gold item", "t1 d1 snippet e1, level: none → 1"),
        ("olga", "unmark", "gold item", "t1 d1 snippet e1, level: 1 → none"),
    ]


def test_labels_of_gold_are_taken_over_once_and_never_overwrite(store: Store, collection_id: str):
    mark_gold(store, collection_id, replace(PAGE, level=0))
    judge(store, collection_id, "gold", PAGE)
    first = judge(store, collection_id, "gold", SNIPPET)
    judge(store, collection_id, "gold", replace(SNIPPET, level=3), before=first)
    judge(store, collection_id, "gold", replace(PAGE, document_id="d2"), state="cannot judge")
    judge(store, collection_id, "gold", replace(PAGE, document_id="d9"), occasion=PRACTICE)
    judge(store, collection_id, "gold", replace(PAGE, topic_id="t2"), occasion=1)
    assert count_gold_labels(store, collection_id) == 1
    assert take_over_gold(store, collection_id) == 1
    assert list_gold(store, collection_id) == [replace(SNIPPET, level=3), replace(PAGE, level=0)]
    assert count_gold_labels(store, collection_id) == take_over_gold(store, collection_id) == 0


@long
def test_judged_items_come_with_what_was_shown(store: Store, collection_id: str):
    judge(store, collection_id, "bob", PAGE)
    pages = read_judged(store, collection_id, "t1", "page")
    assert pages.values.tolist() == [
        ["d1", "", "Cats", "A cat."],
        ["d2", "", "", ""],
        ["d9", "", "", ""],
    ]
    snippets = read_judged(store, collection_id, "t1", "snippet")
    assert snippets.values.tolist() == [["d1", "e1", "Cats", "Big cats"]]
    assert read_judged(store, collection_id, "t2", "page").empty
