"""The intake route: the token decides whose judgement it is; nothing else does."""

import uuid

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.collections import choose_language, close_collection
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.events.frames import read_labels
from core.store.events.labels import PRACTICE
from core.store.people.members import add_member, drop_member
from core.store.people.people import begin_session, end_session, hash_token, insert_person
from core.store.store import Store
from pages.api.granted import LARGEST_BODY
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.server.running import server
from pages.shared.intake import name_assignment
from pages.shared.intake import sign_grant as sign
from tests.each import each
from tests.short import few, long

pytestmark = pytest.mark.contract


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE))


@pytest.fixture
def handed_out(store: Store, filled: str) -> tuple[Grant, dict]:
    with store.database.write() as cursor:
        for name in ("anna", "bob"):
            insert_person(cursor, name, name.title(), "assessor")
    add_member(store, filled, "anna", "Anna")
    open_round(store, filled, Plan(judges=1, flow="page only"))
    assignment = take_assignment(store, filled, "anna")
    step = lay_out(store, assignment).steps[0]
    grant = Grant(filled, "anna", assignment.rules.round_id, assignment.topic_id, 0)
    event = {
        "event_id": str(uuid.uuid4()),
        "topic": step.topic_id,
        "document": step.document_id,
        "facet": "page",
        "engine": "",
        "occasion": 0,
        "state": "level",
        "level": 2,
    }
    return grant, event


def sign_grant(grant: Grant) -> str:
    """Return the token of an assessor who has just signed in."""
    return sign(grant, hash_token(begin_session(server().store, grant.assessor_id)))


def send(client: TestClient, token: str, body: object, **options: object):
    headers = {"Authorization": f"Bearer {token}"}
    return client.post("/api/labels", json=body, headers=headers, **options)


def test_a_label_is_acknowledged_when_it_is_stored(client, store, filled, handed_out):
    grant, event = handed_out
    answer = send(client, sign_grant(grant), {"events": [event]})
    assert answer.status_code == 200
    (ack,) = answer.json()["acks"]
    assert ack["status"] == "saved"
    assert ack["event_id"] == event["event_id"]
    labels = read_labels(store, filled)
    assert "anna" in set(labels["assessor_id"])
    again = send(client, sign_grant(grant), {"events": [event]}).json()["acks"][0]
    assert again == ack


@long
def test_refusals_are_in_the_language_of_the_collection_or_else_as_asked(
    client, store, filled, handed_out
):
    grant, event = handed_out
    token, long = sign_grant(grant), event | {"comment": "x" * 5000}

    def reasons() -> list[str]:
        acks = send(client, token, {"events": [event | {"document": "d99"}, long]}).json()["acks"]
        return [ack["reason"] for ack in acks]

    told = "this item was not handed out to you", "a comment has at most 4000 characters"
    assert reasons() == [*told]
    choose_language(store, filled, "de")
    told = "dieses Stück wurde Ihnen nicht vorgelegt", "ein Kommentar hat höchstens 4000 Zeichen"
    assert reasons() == [*told]
    choose_language(store, filled, "en")
    assert reasons()[0] == "this item was not handed out to you"
    choose_language(store, filled, "de")
    close_collection(store, filled, closed=True)
    closed = send(client, token, {"events": [event]})
    assert closed.json() == {"error": "Diese Sammlung ist geschlossen."}
    headers = {"Authorization": "Bearer ", "Accept-Language": "de-AT"}
    forged = client.post("/api/labels", json={"events": []}, headers=headers)
    assert forged.json()["error"].startswith("Diese Seite war zu lange offen")


def test_forged_and_foreign_tokens_are_refused(client, store, filled, handed_out):
    grant, event = handed_out
    before = len(read_labels(store, filled))
    good = sign_grant(grant)
    other_purpose = server().sign("page", [filled, "d1", ""])
    for token in ("", "x", good[:-2] + "AA", good + "x", other_purpose):
        answer = send(client, token, {"events": [event]})
        assert answer.status_code == 401
        assert answer.json()["error"]
    assert client.post("/api/labels", json={"events": [event]}).status_code == 401
    assert len(read_labels(store, filled)) == before


@long
def test_an_expired_token_is_refused(client, handed_out, monkeypatch: pytest.MonkeyPatch):
    grant, event = handed_out
    token = sign_grant(grant)
    monkeypatch.setattr("pages.server.running.TOKEN_LASTS", -1)
    answer = send(client, token, {"events": [event]})
    assert answer.status_code == 401
    assert "Reload" in answer.json()["error"]


def test_signing_out_ends_the_token_at_once(client, store, handed_out):
    grant, event = handed_out
    session = begin_session(store, "anna")
    token = sign(grant, hash_token(session))
    assert send(client, token, {"events": [event]}).status_code == 200
    end_session(store, session)
    answer = send(client, token, {"events": [{**event, "event_id": str(uuid.uuid4())}]})
    assert answer.status_code == 401
    assert "Sign in again" in answer.json()["error"]


def test_a_token_holds_in_the_session_of_its_own_person_only(client, store, handed_out):
    grant, event = handed_out
    bobs = hash_token(begin_session(store, "bob"))
    for session_id in (bobs, "", "x"):
        assert send(client, sign(grant, session_id), {"events": [event]}).status_code == 401


@long
def test_what_is_right_in_practice_is_told_after_the_answer_only(client, store, filled):
    item = PracticeItem("t1", "d1", "page", "", 3, "All about cats.")
    add_practice_item(store, filled, item)
    with store.database.write() as cursor:
        insert_person(cursor, "anna", "Anna", "assessor")
    add_member(store, filled, "anna", "Anna")
    round_id = open_round(store, filled, Plan(judges=1, flow="page only", assessors=("anna",)))
    token = sign_grant(Grant(filled, "anna", round_id, "t1", 0))
    event = {"topic": "t1", "document": "d1", "facet": "page", "engine": "", "occasion": PRACTICE}
    told, before = [], None
    for state in ("later", "level", "unjudged", "cannot judge"):
        event_id = str(uuid.uuid4())
        sent = {**event, "event_id": event_id, "supersedes": before, "state": state, "level": 1}
        (ack,) = send(client, token, {"events": [sent]}).json()["acks"]
        assert ack["status"] == "saved"
        told.append(ack.get("practice"))
        before = event_id
    assert told == [None, *[{"level": 3, "why": "All about cats."}, None] * 2][:4]
    real = {**event, "occasion": 0, "event_id": str(uuid.uuid4()), "state": "level", "level": 1}
    assert "practice" not in send(client, token, {"events": [real]}).json()["acks"][0]


@each("body", [[], {}, {"events": 3}, "text", None, {"events": [{}] * 51}])
def test_bodies_of_another_shape_are_refused_whole(client, handed_out, body):
    answer = send(client, sign_grant(handed_out[0]), body)
    assert answer.status_code == 422
    assert answer.json()["error"]


@long
def test_a_body_that_is_no_json_or_too_large_is_refused(client, handed_out):
    headers = {"Authorization": f"Bearer {sign_grant(handed_out[0])}"}
    for content in (b"{", b"\xff\xfe", b" " * (LARGEST_BODY + 1)):
        assert client.post("/api/labels", content=content, headers=headers).status_code == 422


@long
def test_the_intake_takes_posts_only(client):
    assert client.get("/api/labels").status_code == 405


@long
def test_a_late_label_counts_for_the_assignment_it_was_made_in(client, store, filled, handed_out):
    grant, event = handed_out
    later = Grant(filled, "anna", grant.round_id, "t2" if grant.topic_id == "t1" else "t1", 0)
    (ack,) = send(client, sign_grant(later), {"events": [event]}).json()["acks"]
    assert ack["status"] == "refused"
    named = {**event, "assignment": name_assignment(grant)}
    (ack,) = send(client, sign_grant(later), {"events": [named]}).json()["acks"]
    assert ack["status"] == "saved"


def test_the_name_of_an_assignment_gives_no_right_by_itself(client, filled, handed_out):
    grant, event = handed_out
    add_member(server().store, filled, "bob", "Bob")
    bobs = Grant(filled, "bob", grant.round_id, "t2" if grant.topic_id == "t1" else "t1", 0)
    for name in (name_assignment(grant), name_assignment(grant) + "x", "x", 7, None):
        body = {"events": [{**event, "assignment": name}]}
        (ack,) = send(client, sign_grant(bobs), body).json()["acks"]
        assert ack["status"] == "refused"
    assert client.post("/api/labels", json={"events": []}).status_code == 401


@pytest.mark.parametrize("how", few(["closed", "dropped"]))
def test_nobody_judges_who_may_no_longer(client, store, filled, handed_out, how: str):
    grant, event = handed_out
    before = len(read_labels(store, filled))
    if how == "closed":
        close_collection(store, filled, closed=True)
    else:
        drop_member(store, filled, "anna")
    answer = send(client, sign_grant(grant), {"events": [event]})
    assert answer.status_code == 403
    assert answer.json()["error"].endswith(".")
    assert len(read_labels(store, filled)) == before
    if how == "closed":
        close_collection(store, filled, closed=False)
    else:
        add_member(store, filled, "anna", "Anna")
    assert send(client, sign_grant(grant), {"events": [event]}).status_code == 200
    assert len(read_labels(store, filled)) == before + 1
