"""Practice items: only what can be shown, with a level of the scale and a reason."""

from dataclasses import replace

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.practice import (
    PracticeItem,
    add_practice_item,
    list_practice_items,
    read_candidates,
    remove_practice_item,
)
from core.store.store import Store
from tests.short import long

FILES = {
    "topics": b"t1\tjaguar\n",
    "documents": b'{"id": "d1", "title": "Cats", "text": "A cat."}\n{"id": "d2", "html": "<p>x"}\n'
    b'{"id": "d3"}\n{"id": "d4", "text": "Returned by nobody."}\n',
    "results": b"topic\tengine\tdocument\trank\tsnippet\nt1\te1\td1\t1\tBig cats\n"
    b"t1\te2\td1\t1\tCats\nt1\te1\td9\t2\tGone\n",
    "runs": b"t1 Q0 d2 1 2.5 s1\nt1 Q0 d3 2 1.5 s1\n",
}
PAGE = PracticeItem("t1", "d1", "page", "", 2, "It answers.")
SNIPPET = PracticeItem("t1", "d1", "snippet", "e2", 1, "It is short.")


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


@pytest.fixture
def collection_id(store: Store) -> str:
    made = create_collection(store, "Small")
    for kind, content in FILES.items():
        write_import(store, made, read_import(kind, Source(f"{kind}.txt", content)))
    return made


def test_candidates_are_what_can_be_judged(store: Store, collection_id: str):
    pages = read_candidates(store, collection_id, "t1", "page")
    assert pages[["document_id", "shown"]].values.tolist() == [["d1", "A cat."], ["d2", "<p>x"]]
    snippets = read_candidates(store, collection_id, "t1")
    shown = snippets[["document_id", "engine", "shown"]].values.tolist()
    assert shown == [["d1", "e1", "Big cats"], ["d1", "e2", "Cats"]]


def test_items_are_added_changed_and_removed(store: Store, collection_id: str):
    for item in (PAGE, SNIPPET):
        add_practice_item(store, collection_id, item)
    assert list_practice_items(store, collection_id) == [SNIPPET, PAGE]
    better = replace(PAGE, level=3, why="It is the best.")
    add_practice_item(store, collection_id, better)
    remove_practice_item(store, collection_id, SNIPPET)
    assert list_practice_items(store, collection_id) == [better]


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"why": " "}, "why this level is right"),
        pytest.param({"level": 9}, "9 is not on the page scale", marks=long),
        pytest.param({"document_id": "d3"}, "d3 has no page", marks=long),
        pytest.param({"document_id": "d4"}, "d4 has no page", marks=long),
        pytest.param({"facet": "snippet"}, "d1 has no snippet", marks=long),
        pytest.param(
            {"facet": "snippet", "document_id": "d9", "engine": "e1"},
            "d9 has no snippet",
            marks=long,
        ),
    ],
)
def test_what_cannot_be_practised_is_refused(store: Store, collection_id: str, change, fault):
    with pytest.raises(BadInput, match=fault):
        add_practice_item(store, collection_id, replace(PAGE, **change))
    assert list_practice_items(store, collection_id) == []


@long
def test_every_change_is_recorded_and_wakes_the_pages(store: Store, collection_id: str):
    before = store.state(collection_id)
    add_practice_item(store, collection_id, PAGE, by="olga")
    assert store.state(collection_id) != before
    row = store.cursor().execute("SELECT person_id, subject, detail FROM changes").fetchall()[-1]
    assert row == (
        "olga",
        "practice item",
        't1 d1 page, level: none → 2; why: none → "It answers."',
    )
