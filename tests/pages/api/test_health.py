"""The health route: 200 only while the store can be read and written; nothing of its content."""

import json
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.store.people.people import add_person, begin_session
from pages.api import health
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.shared.session import session_cookie


@pytest.fixture
def client(store) -> TestClient:
    """An organiser's browser."""
    health._examine.cache_clear()
    session = begin_session(store, add_person(store, "Olga", "organiser"))
    client = TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE))
    client.cookies.set(session_cookie(store.secret), session)
    return client


def test_a_store_that_works_is_well(client, filled):
    answer = client.get("/api/health")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_details_say_what_was_looked_at_and_nothing_else(client, filled):
    answer = client.get("/api/health?details")
    assert answer.json() == {
        "status": "ok",
        "readable": True,
        "writable": True,
        "last_sequence": 3,
        "warnings": [],
    }
    assert "Small" not in answer.text


@pytest.mark.parametrize("role", ["", "assessor", "viewer"])
def test_details_are_for_organisers(client, store, filled, role: str):
    client.cookies.clear()
    if role:
        session = begin_session(store, add_person(store, "Anna", role))
        client.cookies.set(session_cookie(store.secret), session)
    assert client.get("/api/health?details").json() == {"status": "ok"}


@pytest.mark.file_only
def test_a_disk_that_cannot_be_written_is_said(client, store, filled, tmp_path: Path, capsys):
    moved = tmp_path.with_name(tmp_path.name + "-moved")
    tmp_path.rename(moved)
    try:
        answer = client.get("/api/health?details")
    finally:
        moved.rename(tmp_path)
    assert answer.status_code == 503
    told = answer.json()
    assert (told["status"], told["readable"], told["writable"]) == ("failing", True, False)
    assert "cannot be written" in json.loads(capsys.readouterr().err.splitlines()[0])["event"]


@pytest.mark.file_only
def test_a_store_that_cannot_be_read_is_said(client, store):
    store.cursor().execute("DROP VIEW current_labels; DROP TABLE labels")
    answer = client.get("/api/health?details")
    assert answer.status_code == 503
    assert answer.json()["readable"] is False
    assert answer.json()["last_sequence"] is None


def test_little_space_is_a_warning_and_no_failure(client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(health, "LEAST_FREE", 2**62)
    answer = client.get("/api/health?details")
    assert answer.status_code == 200
    assert answer.json()["warnings"] == ["little disk space is left for the store"]


def test_whoever_asks_often_does_not_write_often(client, filled):
    for _ in range(20):
        client.get("/api/health")
    assert health._examine.cache_info().misses <= 3
