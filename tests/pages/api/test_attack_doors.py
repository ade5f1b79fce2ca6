"""Forged, replayed and cross-site requests against the HTTP routes."""

import uuid

import pytest
from itsdangerous import URLSafeTimedSerializer
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round
from core.store.people.members import add_member, drop_member
from core.store.people.people import add_person, begin_session, find_session, hash_token, invite
from core.store.store import Store
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.server.running import server
from pages.shared.addresses import page_address
from pages.shared.highlight import mark_terms
from pages.shared.intake import name_assignment
from pages.shared.intake import sign_grant as sign
from pages.shared.session import session_cookie
from tests.each import each
from tests.short import few

ELSEWHERE = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
]
HERE = [
    {},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none", "Origin": "null"},
    {"Origin": "http://testserver"},
]


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


@pytest.mark.parametrize("headers", few(ELSEWHERE))
def test_no_other_site_signs_anybody_in_or_out(client: TestClient, store: Store, headers: dict):
    token = invite(store, add_person(store, "Anna", "assessor"))
    assert client.post(f"/enter/{token}", headers=headers).status_code == 403
    assert client.post(f"/enter/{token}").status_code == 303
    session = client.cookies[session_cookie(store.secret)]
    answer = client.post("/leave", headers=headers)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert find_session(store, session) is not None
    assert client.post("/demo/organiser", headers=headers).status_code == 403


@pytest.mark.parametrize("headers", few(HERE))
def test_the_forms_of_this_server_work(client: TestClient, store: Store, headers: dict):
    token = invite(store, add_person(store, "Anna", "assessor"))
    assert client.post(f"/enter/{token}", headers=headers).status_code == 303
    assert client.post("/leave", headers=headers).status_code == 303


def test_a_session_of_the_visitors_choice_is_not_taken_over(client: TestClient, store: Store):
    client.cookies.set(session_cookie(store.secret), "chosen-by-an-attacker")
    token = invite(store, add_person(store, "Anna", "assessor"))
    fresh = client.post(f"/enter/{token}").headers["set-cookie"]
    assert "chosen-by-an-attacker" not in fresh
    assert find_session(store, "chosen-by-an-attacker") is None


@pytest.fixture
def judging(store: Store, filled: str) -> tuple[str, str, str]:
    """A collection, its round, and the assessor of all of it."""
    person = add_person(store, "Anna", "assessor")
    add_member(store, filled, person, "Anna")
    round_id = open_round(store, filled, Plan(judges=1, assessors=(person,), flow="page only"))
    return filled, round_id, person


def sign_grant(grant: Grant) -> str:
    """Return the token of an assessor who has just signed in."""
    return sign(grant, hash_token(begin_session(server().store, grant.assessor_id)))


def post(client: TestClient, token: str, **fields: object):
    event = {"event_id": str(uuid.uuid4()), "topic": "t1", "document": "d1", "facet": "page",
             "engine": "", "state": "level", "level": 1, **fields}  # fmt: skip
    return client.post(
        "/api/labels", json={"events": [event]}, headers={"Authorization": f"Bearer {token}"}
    )


def test_only_a_grant_of_this_store_and_purpose_is_taken(
    client: TestClient, store: Store, judging: tuple[str, str, str]
):
    grant = Grant(judging[0], judging[2], judging[1], "t1", 0)
    content = [judging[0], judging[2], judging[1], "t1", 0]
    page = page_address(judging[0], "d1", "", "").removeprefix("/api/page/")
    forged = URLSafeTimedSerializer("", salt="judge").dumps(dict(collection_id=judging[0]))
    for token in ("", "x", page, name_assignment(grant), str(forged), str(content)):
        assert post(client, token).status_code == 401
    assert post(client, sign_grant(grant)).json()["acks"][0]["status"] == "saved"


def test_the_assignment_of_another_assessor_lends_nothing(
    client: TestClient, store: Store, judging: tuple[str, str, str]
):
    collection_id, round_id, anna = judging
    bob = add_person(store, "Bob", "assessor")
    add_member(store, collection_id, bob, "Bob")
    lent = name_assignment(Grant(collection_id, anna, round_id, "t1", 0))
    own = sign_grant(Grant(collection_id, bob))
    (ack,) = post(client, own, assignment=lent, assessor_id=anna).json()["acks"]
    assert ack["status"] == "refused"
    assert store.labels.current(collection_id, anna) == {}


def test_another_collections_grant_reaches_nothing_here(
    client: TestClient, store: Store, judging: tuple[str, str, str]
):
    from core.store.content.collections import create_collection

    other = create_collection(store, "Other")
    add_member(store, other, judging[2], "Anna")
    token = sign_grant(Grant(other, judging[2]))
    lent = name_assignment(Grant(judging[0], judging[2], judging[1], "t1", 0))
    assert post(client, token, assignment=lent).json()["acks"][0]["status"] == "refused"


def test_the_event_id_of_somebody_else_tells_and_changes_nothing(
    client: TestClient, store: Store, judging: tuple[str, str, str]
):
    collection_id, round_id, anna = judging
    event_id = str(uuid.uuid4())
    token = sign_grant(Grant(collection_id, anna, round_id, "t1", 0))
    post(client, token, event_id=event_id, comment="private")
    bob = add_person(store, "Bob", "assessor")
    add_member(store, collection_id, bob, "Bob")
    theirs = sign_grant(Grant(collection_id, bob, round_id, "t1", 0))
    answer = post(client, theirs, event_id=event_id, level=3)
    assert answer.status_code == 422
    assert "private" not in answer.text
    assert [one.level for one in store.labels.current(collection_id, anna).values()] == [1]
    assert store.labels.current(collection_id, bob) == {}


def test_a_dropped_assessors_token_saves_nothing(
    client: TestClient, store: Store, judging: tuple[str, str, str]
):
    token = sign_grant(Grant(judging[0], judging[2], judging[1], "t1", 0))
    drop_member(store, judging[0], judging[2])
    assert post(client, token).status_code == 403
    assert store.labels.sequence(judging[0]) == 3


@each(
    "body",
    [b"", b"{", b"[]", b"null", b'{"events": 5}', b'{"events":' + b"[" * 200_000, b"\xff\xfe",
     b'{"events": [' + b"1," * 60 + b"1]}", b"x" * 1_000_001],
)  # fmt: skip
def test_bodies_that_are_none_are_refused(
    client: TestClient, judging: tuple[str, str, str], body: bytes
):
    token = sign_grant(Grant(judging[0], judging[2], judging[1], "t1", 0))
    answer = client.post("/api/labels", content=body, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 422
    assert answer.json()["error"]


@each("piece", ["<script", "<!--", "<", "<a ", "<title>", "</script ", "&"])
def test_a_document_cannot_keep_the_server_busy(piece: str):
    document = piece * 60_000
    assert mark_terms(document, "word") == document


def test_terms_are_marked_after_a_sign_that_begins_no_tag():
    assert mark_terms("1 < 2 cats", "cats") == "1 < 2 <mark>cats</mark>"
