"""One document."""

import pytest

from core.store.content.collections import create_collection
from core.store.content.documents import find_document, get_document, get_snippet
from core.store.store import Store


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


@pytest.fixture
def here(store: Store) -> str:
    return create_collection(store, "here")


def test_a_document_that_is_not_stored_is_empty(store: Store, here: str):
    assert set(get_document(store, here, "d").values()) == {""}
    assert find_document(store, here, "d") is None


def test_a_document_comes_with_what_is_stored(store: Store, here: str):
    store.database.run(
        "INSERT INTO documents VALUES (?, 'd', 'Title', 'http://x.example', 'Text', NULL)", [here]
    )
    expected = {"title": "Title", "url": "http://x.example", "text": "Text", "html": ""}
    assert get_document(store, here, "d") == find_document(store, here, "d") == expected
    assert find_document(store, create_collection(store, "there"), "d") is None


def test_a_snippet_is_that_of_one_engine(store: Store, here: str):
    for engine in ("one", "two"):
        store.database.run(
            "INSERT INTO results (collection_id, topic_id, engine, document_id, rank, snippet) "
            "VALUES (?, 't', ?, 'd', 1, ?)",
            [here, engine, f"{engine} says"],
        )
    assert get_snippet(store, here, "t", "d", "two") == "two says"
    assert get_snippet(store, here, "t", "d", "three") == ""
