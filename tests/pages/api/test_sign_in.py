"""Invitations, sessions and the demo's doors."""

from datetime import timedelta

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.rounds.rounds import Plan, open_round
from core.demo import load_demo
from core.store.people.members import add_member, add_viewer
from core.store.people.people import add_person, find_session, invite, list_people
from core.store.store import Store, utc_now
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.server import running as server_module
from pages.server.running import Server
from pages.shared.session import session_cookie


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


def test_looking_at_an_invitation_does_not_use_it_up(client: TestClient, store: Store):
    token = invite(store, add_person(store, "<b>Anna</b>", "assessor"))
    for _ in range(3):
        answer = client.get(f"/enter/{token}")
        assert answer.status_code == 200
        assert "&lt;b&gt;Anna&lt;/b&gt;</strong>, an assessor" in answer.text
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]


def test_an_invitation_says_who_invites_to_what_and_for_how_long(
    client: TestClient, store: Store, filled: str
):
    olga = add_person(store, "Olga <i>", "organiser")
    anna = add_person(store, "Anna", "assessor")
    add_member(store, filled, anna, "Anna")
    open_round(store, filled, Plan(judges=1, flow="page only"))
    text = client.get(f"/enter/{invite(store, anna, by=olga)}").text
    assert "<h1>Judge search results</h1>" in text
    assert "invited by <strong>Olga &lt;i&gt;</strong>" in text
    assert "<dd>Small *one*</dd>" in text
    assert "<dd>Read pages and say how well each answers a query</dd>" in text
    assert "<dd>Up to 3 judgements; how long they take is not known yet</dd>" in text


def test_a_link_that_nobody_sent_names_nobody(client: TestClient, store: Store):
    text = client.get(f"/enter/{invite(store, add_person(store, 'Organiser', 'organiser'))}").text
    assert "You are invited as <strong>Organiser</strong>." in text


def test_a_viewers_invitation_names_what_is_open_to_them(
    client: TestClient, store: Store, filled: str
):
    viewer = add_person(store, "Vera", "viewer")
    add_viewer(store, filled, viewer)
    text = client.get(f"/enter/{invite(store, viewer)}").text
    assert "<h1>See results</h1>" in text
    assert "<dd>Small *one*</dd>" in text


def test_an_invitation_gives_one_session(client: TestClient, store: Store):
    person = add_person(store, "Anna", "assessor")
    token = invite(store, person)
    answer = client.post(f"/enter/{token}")
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert find_session(store, client.cookies[session_cookie(store.secret)]).person_id == person
    assert client.post(f"/enter/{token}").status_code == 403
    assert client.get(f"/enter/{token}").status_code == 403


def test_a_newer_invitation_ends_the_older(client: TestClient, store: Store):
    person = add_person(store, "Anna", "assessor")
    old, new = invite(store, person), invite(store, person)
    assert client.post(f"/enter/{old}").status_code == 403
    assert client.post(f"/enter/{new}").status_code == 303


@pytest.mark.parametrize("token", ["", "x", "'; DROP TABLE people; --"])
def test_made_up_invitations_do_not_work(client: TestClient, token: str):
    assert client.post(f"/enter/{token}").status_code in (401, 403, 404, 405)


def test_invitations_and_sessions_expire(client: TestClient, store: Store):
    person = add_person(store, "Anna", "assessor")
    token = invite(store, person)
    past = utc_now() - timedelta(seconds=1)
    with store.database.write() as cursor:
        cursor.execute("UPDATE invitations SET expires_at = ?", [past])
    assert client.post(f"/enter/{token}").status_code == 403
    client.post(f"/enter/{invite(store, person)}")
    session = client.cookies[session_cookie(store.secret)]
    assert find_session(store, session) is not None
    with store.database.write() as cursor:
        cursor.execute("UPDATE sessions SET expires_at = ?", [past])
    assert find_session(store, session) is None


def test_tokens_are_kept_as_hashes_only(client: TestClient, store: Store):
    token = invite(store, add_person(store, "Anna", "assessor"))
    client.post(f"/enter/{token}")
    kept = store.cursor().execute("SELECT token_hash FROM invitations UNION ALL "
                                  "SELECT token_hash FROM sessions").fetchall()  # fmt: skip
    assert len(kept) == 2
    assert not {token, client.cookies[session_cookie(store.secret)]} & {row[0] for row in kept}


def test_signing_out_ends_the_session(client: TestClient, store: Store):
    client.post(f"/enter/{invite(store, add_person(store, 'Anna', 'assessor'))}")
    session = client.cookies[session_cookie(store.secret)]
    assert client.post("/leave").status_code == 303
    assert find_session(store, session) is None
    assert client.post("/leave").status_code == 303


def test_the_demos_doors_are_shut_elsewhere(client: TestClient, store: Store):
    for role in ("assessor", "organiser", "owner"):
        assert client.post(f"/demo/{role}").status_code == 403
    assert list_people(store) == []


def test_the_demo_lets_anybody_in_as_either(
    client: TestClient, store: Store, monkeypatch: pytest.MonkeyPatch
):
    load_demo(store)
    monkeypatch.setattr(server_module, "_running", [Server(store, True)])
    for role in ("assessor", "organiser"):
        assert client.post(f"/demo/{role}").status_code == 303
        assert find_session(store, client.cookies[session_cookie(store.secret)]).role == role
    assert client.post("/demo/owner").status_code == 403


def test_health(client: TestClient):
    assert client.get("/api/health").json() == {"status": "ok"}
