"""Cards: what is shown of documents side by side."""

import pytest

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.documents import read_page_card, read_panel_cards, read_snippet_card
from core.store.content.imports import write_import
from core.store.store import Store
from tests.short import long

FILES = {
    "topics": b"t1\tjaguar\n",
    "documents": b'{"id": "d1", "title": "Cats", "text": "A cat."}\n{"id": "d2", "html": "<p>x"}\n'
    b'{"id": "d3", "title": "Bare"}\n',
    "results": b"topic\tengine\tdocument\trank\tsnippet\n"
    b"t1\te1\td1\t2\tLower\nt1\te1\td3\t1\t\nt1\te2\td1\t1\tUpper\nt1\te2\td9\t2\tUnknown\n",
    "runs": b"t1 Q0 d1 1 9 r1 \nt1 Q0 d2 2 8 r1\nt1 Q0 d3 3 7 r1\n",
}


@pytest.fixture
def store(lasting_store: Store) -> Store:
    """One for the file: each test has a collection of its own in it."""
    return lasting_store


@pytest.fixture
def here(store: Store) -> str:
    made = create_collection(store, "here")
    for kind, content in FILES.items():
        write_import(store, made, read_import(kind, Source(f"{kind}.txt", content)))
    return made


def card(document_id: str, title: str, text: str | None, html: str | None = None) -> dict:
    return {"document_id": document_id, "title": title, "url": "", "text": text, "html": html}


def test_a_snippet_is_that_of_the_engine_that_has_it_furthest_up(store: Store, here: str):
    cursor = store.cursor()
    assert read_snippet_card(cursor, here, "t1", "d1") == [card("d1", "Cats", "Upper")]
    assert read_snippet_card(cursor, here, "t1", "d9") == [card("d9", "", "Unknown")]
    assert read_snippet_card(cursor, here, "t1", "d3") == []
    assert read_snippet_card(cursor, here, "t2", "d1") == []


@long
def test_a_page_without_text_has_no_card(store: Store, here: str):
    cursor = store.cursor()
    assert read_page_card(cursor, here, "d1") == [card("d1", "Cats", "A cat.", "")]
    assert read_page_card(cursor, here, "d2") == [card("d2", "", "", "<p>x")]
    assert read_page_card(cursor, here, "d3") == []
    assert read_page_card(cursor, here, "d9") == []


@long
def test_a_panel_has_the_first_results_in_order(store: Store, here: str):
    cursor = store.cursor()
    beginnings = [card("d1", "Cats", "A c"), card("d2", "", ""), card("d3", "Bare", "")]
    kept = zip(beginnings, (True, True, False), (False, True, False), strict=True)
    for one, is_stored, is_html in kept:
        one |= {"is_stored": is_stored, "is_html": is_html}
    assert read_panel_cards(cursor, here, "t1", "r1", 2, 3) == beginnings[:2]
    assert read_panel_cards(cursor, here, "t1", "r1", 9, 3) == beginnings
    own = read_panel_cards(cursor, here, "t1", "e2", 9, 3)
    assert [one["text"] for one in own] == ["Upper", "Unknown"]
