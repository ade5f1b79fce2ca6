"""What plain pages are made of: parts of this server that strangers may have, and nothing else."""

import re

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.store.store import Store
from pages.api.routes import MIDDLEWARE, ROUTES
from tests.each import each

TYPES = {
    "plain.css": "text/css",
    "results.css": "text/css",
    "mark.svg": "image/svg+xml",
    "source-sans.woff2": "font/woff2",
    "source-serif.woff2": "font/woff2",
}


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


def test_the_policy_lets_in_nothing_but_this_server(client: TestClient):
    policy = client.get("/sign-in").headers["content-security-policy"].split("; ")
    assert dict(one.split(" ", 1) for one in policy) == {
        "default-src": "'none'",
        "style-src": "'self'",
        "font-src": "'self'",
        "img-src": "'self'",
        "form-action": "'self'",
        "manifest-src": "'self'",
        "frame-ancestors": "'none'",
        "base-uri": "'none'",
    }


@each("path", ["/", "/sign-in", "/join", "/join/AAAA", "/enter/x"])
def test_a_page_asks_for_parts_that_are_there(client: TestClient, path: str):
    page = client.get(path).text
    named = re.findall(r'(?:href|src)="(/api/plain/[^"]+)"', page)
    assert len(named) == 2
    assert "style=" not in page
    assert "<script" not in page
    for address in named:
        assert client.get(address).status_code == 200


def test_the_style_asks_for_parts_that_are_there(client: TestClient):
    named = re.findall(r'url\("([^"]+)"\)', client.get("/api/plain/plain.css").text)
    assert set(named) == {"source-sans.woff2", "source-serif.woff2"}


@each("name", TYPES)
def test_a_part_may_be_kept_and_leaves_nothing_behind(client: TestClient, name: str):
    answer = client.get(f"/api/plain/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(TYPES[name])
    assert "immutable" in answer.headers["cache-control"]
    assert "set-cookie" not in answer.headers
    assert len(answer.content) > 100


@each("name", ["x", "..%2Fplain_page.py", "%2Fetc%2Fpasswd", "plain.css%00"])
def test_nothing_else_is_handed_out(client: TestClient, name: str):
    assert client.get(f"/api/plain/{name}").status_code in (401, 404) or (
        "Dissent</span>" in client.get(f"/api/plain/{name}").text
    )
