"""One document."""

from core.store.content.collections import create_collection
from core.store.content.documents import get_document
from core.store.store import Store


def test_a_document_that_is_not_stored_is_empty(store: Store):
    here = create_collection(store, "here")
    assert set(get_document(store, here, "d").values()) == {""}


def test_a_document_comes_with_what_is_stored(store: Store):
    here = create_collection(store, "here")
    store.cursor().execute(
        "INSERT INTO documents VALUES (?, 'd', 'Title', 'http://x.example', 'Text', NULL)", [here]
    )
    expected = {"title": "Title", "url": "http://x.example", "text": "Text", "html": ""}
    assert get_document(store, here, "d") == expected
