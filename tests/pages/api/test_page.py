"""Documents to be judged: only with a signed address, only in the sandbox."""

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.collection.formats import read_import
from core.collection.source import Source
from core.store.imports import write_import
from core.store.store import Store
from pages.api.highlight import mark_terms
from pages.api.page import page_address
from pages.api.routes import ROUTES

HTML = "<h1>Jaguars</h1><script>alert(1)</script><p title='jaguar'>The jaguar.</p>"


@pytest.fixture
def client(store: Store, filled: str) -> TestClient:
    row = f'{{"id": "h", "html": "{HTML}"}}\n'
    write_import(store, filled, read_import("documents", Source("h.jsonl", row.encode())))
    return TestClient(Starlette(routes=ROUTES))


def test_an_html_page_comes_in_its_sandbox(client: TestClient, filled: str):
    answer = client.get(page_address(filled, "h", "jaguar"))
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    for rule in ("sandbox;", "default-src 'none'", "form-action 'none'", "base-uri 'none'"):
        assert rule in policy
    assert "allow-scripts" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "<mark>Jaguars</mark>" in answer.text
    assert "<script>alert(1)</script>" in answer.text


def test_a_text_page_is_escaped(client: TestClient, store: Store, filled: str):
    row = '{"id": "t", "text": "1 < 2 & <b>bold</b>"}\n'
    write_import(store, filled, read_import("documents", Source("t.jsonl", row.encode())))
    text = client.get(page_address(filled, "t", "")).text
    assert "1 &lt; 2 &amp; &lt;b&gt;bold&lt;/b&gt;" in text
    assert 'dir="auto"' in text


def test_other_addresses_lead_nowhere(client: TestClient, filled: str):
    good = page_address(filled, "h", "")
    for address in (good + "x", "/api/page/h", "/api/page/..%2f..%2fetc%2fpasswd"):
        answer = client.get(address)
        assert answer.status_code in (403, 404)
        assert "Jaguars" not in answer.text
    gone = client.get(page_address(filled, "nowhere", ""))
    assert "no longer" in gone.text


@pytest.mark.parametrize(
    ("document", "query", "marked"),
    [
        ("<p>cat</p>", "cats of", "<p>cat</p>"),
        ("<p>Cats, cat.</p>", "cat", "<p><mark>Cats</mark>, <mark>cat</mark>.</p>"),
        ("<a href='cat'>x</a>", "cat", "<a href='cat'>x</a>"),
        ("<style>cat{}</style>cat", "cat", "<style>cat{}</style><mark>cat</mark>"),
        ("<!-- cat -->concat", "cat", "<!-- cat -->concat"),
        ("&cat; a", "cat", "&cat; a"),
        ("في المنزل", "المنزل", "في <mark>المنزل</mark>"),
        ("a.b axb", "a.b", "a.b axb"),
        ("cat", "", "cat"),
    ],
)
def test_terms_are_marked_in_text_only(document: str, query: str, marked: str):
    assert mark_terms(document, query) == marked
