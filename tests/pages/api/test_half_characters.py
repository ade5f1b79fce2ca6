"""Half a character, as JSON can escape one and UTF-8 cannot hold: refused at every door."""

import json
import uuid
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.class_mode import start_lesson
from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round
from core.store.events.frames import read_labels
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session, hash_token
from core.store.rounds.lessons import lesson_code
from core.store.store import Store
from pages.api.routes import ROUTES
from pages.shared.intake import sign_grant
from pages.shared.session import session_cookie
from tests.each import each
from tests.short import few, long

HALVES = ("\ud800", "x\udfff", "\udc00\ud83d", "😀\ud83d")
IDS = ("event_id", "supersedes", "assignment", "topic", "document", "facet", "engine", "occasion",
       "state", "anything else")  # fmt: skip


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(
        Starlette(routes=ROUTES), follow_redirects=False, raise_server_exceptions=False
    )


@pytest.fixture
def judging(store: Store, filled: str) -> tuple[str, dict[str, Any]]:
    """The token of somebody who judges, and a judgement of theirs."""
    anna = add_person(store, "Anna", "assessor")
    add_member(store, filled, anna, "Anna")
    open_round(store, filled, Plan(judges=1, flow="page only"))
    assignment = take_assignment(store, filled, anna)
    assert assignment is not None
    step = lay_out(store, assignment).steps[0]
    grant = Grant(filled, anna, assignment.rules.round_id, assignment.topic_id, 0)
    token = sign_grant(grant, hash_token(begin_session(store, anna)))
    place = {"topic": step.topic_id, "document": step.document_id, "facet": "page", "engine": ""}
    said = {"event_id": str(uuid.uuid4()), "occasion": 0, "state": "level", "level": 2}
    return token, place | said


def send(client: TestClient, token: str, event: dict[str, Any], *, escaped: bool):
    """Send an event whose half characters are escaped, or bytes that are no UTF-8."""
    body = json.dumps({"events": [event]}, ensure_ascii=escaped).encode("utf-8", "surrogatepass")
    return client.post("/api/labels", content=body, headers={"Authorization": f"Bearer {token}"})


@long
@pytest.mark.parametrize("escaped", few([True, False]), ids=["escaped", "as bytes"])
@each("field", IDS)
def test_an_id_of_a_judgement_is_refused_with_a_sentence(
    client: TestClient, store: Store, filled: str, judging, field: str, escaped: bool
):
    token, event = judging
    before = len(read_labels(store, filled))
    for half in HALVES:
        answer = send(client, token, {**event, field: half}, escaped=escaped)
        assert answer.status_code == 422
        assert answer.json()["error"].startswith("A judgement has half a character as its '")
    named = send(client, token, {**event, "\ud800" * 9: "\ud800"}, escaped=escaped)
    assert named.status_code == 422
    assert len(read_labels(store, filled)) == before
    assert send(client, token, event, escaped=escaped).json()["acks"][0]["status"] == "saved"


@pytest.mark.parametrize("field", few(["event_id", "assignment"]))
def test_without_the_guard_the_answer_is_an_error(
    client: TestClient, judging, monkeypatch: pytest.MonkeyPatch, field: str
):
    monkeypatch.setattr("pages.api.judging.check_ids", lambda _: None)
    token, event = judging
    assert send(client, token, {**event, field: "\ud800"}, escaped=True).status_code == 500


@pytest.mark.parametrize("escaped", few([True, False]), ids=["escaped", "as bytes"])
def test_of_a_comment_only_the_half_is_lost(
    client: TestClient, store: Store, filled: str, judging, escaped: bool
):
    """A label is worth more than an emoji that a limit has cut."""
    token, event = judging
    words = {"comment": "Good 😀\ud83d", "client_time": "\udc00"}
    answer = send(client, token, event | words, escaped=escaped)
    assert answer.json()["acks"][0]["status"] == "saved"
    assert "Good 😀?" in set(read_labels(store, filled)["comment"])


@pytest.mark.parametrize("half", few(["%ED%A0%80", "%u D800", "\\ud800", "&#xD800;", "%FF%FE"]))
def test_addresses_questions_forms_and_cookies_are_answered(
    client: TestClient, store: Store, filled: str, half: str
):
    code = lesson_code(store, start_lesson(store, "t01", by="Olga"))
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    raw, cookie = b"\xed\xa0\x80", session_cookie(store.secret)
    answers = [
        *(
            client.get(path + half)
            for path in ("/join/", "/join?code=", "/enter/", "/api/page/", "/api/health?details=")
        ),
        *(client.post(path + half) for path in ("/enter/", "/join/", "/demo/")),
        *(
            client.post(path, content=f"{name}={half}&password={half}".encode() + raw, headers=form)
            for path, name in (("/sign-in", "name"), (f"/join/{code}", "nickname"))
        ),
        *(
            client.request(method, path, headers={"Cookie": f'{cookie}="{half}\\355\\240\\200"'})
            for method, path in (("POST", "/leave"), ("GET", f"/join/{code}"))
        ),
        client.post("/api/labels", content=b"{}", headers={"Authorization": b"Bearer " + raw}),
        client.post("/leave", headers={"Cookie": f"{cookie}=".encode() + raw}),
    ]
    assert [answer.status_code for answer in answers if answer.status_code >= 500] == []
    assert len(answers) == 14
