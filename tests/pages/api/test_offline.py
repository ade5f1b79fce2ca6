"""What shows the screen without a server: the same for all, strict, and renewed as a whole."""

import json
import re

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.language.translate import LANGUAGES
from core.store.store import Store
from pages.api import offline
from pages.api.routes import MIDDLEWARE, ROUTES


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


def shell(client: TestClient) -> dict:
    """Return what the worker is told to keep."""
    found = re.match(r"self\.shell = (\{.*\});\n", client.get("/worker.js").text)
    assert found
    return json.loads(found[1])


def test_everything_the_worker_keeps_is_there_for_a_stranger(client: TestClient):
    told = shell(client)
    assert set(told["pages"]) == set(LANGUAGES)
    assert set(told["pages"].values()) < set(told["parts"])
    for part in told["parts"]:
        answer = client.get(part)
        assert answer.status_code == 200, part
        assert "immutable" in answer.headers["cache-control"]
        assert "set-cookie" not in answer.headers


def test_a_page_asks_for_nothing_that_the_worker_does_not_keep(client: TestClient):
    told = shell(client)
    for page in told["pages"].values():
        text = client.get(page).text
        asked = set(re.findall(r'(?:href|src)="(/[^"]+)"', text))
        assert len(asked) == 5
        assert asked - set(told["parts"]) == {"/manifest.webmanifest"}
        assert "{{" not in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_runs_no_script_but_its_own(client: TestClient, language: str):
    answer = client.get(shell(client)["pages"][language])
    rules = dict(one.split(" ", 1) for one in answer.headers["content-security-policy"].split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self'"
    assert rules["connect-src"] == "'self'"
    assert rules["frame-ancestors"] == "'none'"
    assert "<script>" not in answer.text
    assert f'<html lang="{language}">' in answer.text


def test_the_worker_is_asked_for_anew_and_named_after_what_it_keeps(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
):
    answer = client.get("/worker.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-type"].startswith("text/javascript")
    before = shell(client)
    offline._worker.cache_clear()
    assert shell(client) == before
    monkeypatch.setitem(offline._PARTS, "screen.css", (lambda: "b{}", "text/css"))
    offline._worker.cache_clear()
    after = shell(client)
    offline._worker.cache_clear()
    assert after["name"] != before["name"]
    assert set(after["parts"]) != set(before["parts"])


def test_the_manifest_names_an_icon_that_is_there(client: TestClient):
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    said = answer.json()
    assert (said["display"], said["start_url"]) == ("standalone", "/judge")
    for icon in said["icons"]:
        found = client.get(icon["src"])
        assert found.headers["content-type"].startswith("image/svg+xml")
        assert found.text.count("<circle") == 2


def test_there_are_no_other_parts(client: TestClient):
    assert client.get("/api/offline/screen.html").status_code == 404
