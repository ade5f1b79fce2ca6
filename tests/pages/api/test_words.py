"""Questions and notices over HTTP: the token decides who asks and who is told."""

import uuid

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.handing_out.queue import take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.judging import Grant
from core.assessment.intake.questions import LONGEST_QUESTION, MOST_OPEN
from core.assessment.notice_board import NoticeBoard
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.collections import close_collection, describe_collection
from core.store.events.frames import read_labels
from core.store.events.questions import announce, answer_question, list_read, read_questions
from core.store.people.members import add_member, drop_member
from core.store.people.people import begin_session, end_session, hash_token, insert_person
from core.store.store import Store
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.server.running import server
from pages.shared.intake import name_assignment, sign_grant
from tests.each import each
from tests.short import few, long

NAMES = ("anna", "bob")


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE))


@pytest.fixture
def grants(store: Store, filled: str) -> dict[str, Grant]:
    """Two assessors to whom the same topic is handed out."""
    with store.database.write() as cursor:
        for name in NAMES:
            insert_person(cursor, name, name.title(), "assessor")
    for name in NAMES:
        add_member(store, filled, name, name.title())
    open_round(store, filled, Plan(judges=2, flow="page only"))
    held = [take_assignment(store, filled, name) for name in NAMES]
    return {
        name: Grant(filled, name, one.rules.round_id, one.topic_id, one.batch)
        for name, one in zip(NAMES, held, strict=True)
    }


@pytest.fixture
def question(store: Store, filled: str, grants) -> dict:
    step = lay_out(store, take_assignment(store, filled, "anna")).steps[0]
    return {
        "event_id": str(uuid.uuid4()),
        "topic": step.topic_id,
        "document": step.document_id,
        "facet": "page",
        "engine": "",
        "occasion": 0,
        "text": "Is *this* old?",
    }


def token_of(grant: Grant) -> str:
    return sign_grant(grant, hash_token(begin_session(server().store, grant.assessor_id)))


def post(client: TestClient, path: str, grant: Grant | str, body: object):
    token = grant if isinstance(grant, str) else token_of(grant)
    return client.post(f"/api/{path}", json=body, headers={"Authorization": f"Bearer {token}"})


def ask(client: TestClient, grant: Grant, *events: dict) -> list[dict]:
    return post(client, "questions", grant, {"events": list(events)}).json()["acks"]


def told(client: TestClient, grant: Grant, **body: object) -> dict:
    answer = post(client, "notices", grant, body)
    assert answer.status_code == 200
    return answer.json()


def test_a_question_is_acknowledged_when_it_is_stored_and_is_no_label(
    client, store, filled, grants, question
):
    before = len(read_labels(store, filled))
    wanted = {"event_id": question["event_id"], "status": "saved", "reason": None}
    assert ask(client, grants["anna"], question) == [wanted]
    assert ask(client, grants["anna"], question) == [wanted]
    (row,) = read_questions(store, filled).to_dict("records")
    assert (row["assessor_id"], row["text"]) == ("anna", "Is *this* old?")
    assert (row["topic_id"], row["document_id"]) == (question["topic"], question["document"])
    assert len(read_labels(store, filled)) == before


@each(
    ("change", "reason"),
    [
        ({"document": "d99"}, "not handed out"),
        ({"text": " \n"}, "has a text"),
        ({"text": "x" * (LONGEST_QUESTION + 1)}, "at most 2000"),
        ({"text": 7}, "has to be a text"),
        ({"event_id": "7"}, "UUID"),
    ],
)
def test_what_is_no_question(client, store, filled, grants, question, change, reason):
    (ack,) = ask(client, grants["anna"], question | change)
    assert ack["status"] == "refused"
    assert reason in ack["reason"]
    assert read_questions(store, filled).empty


@long
def test_half_a_character_does_not_cost_a_question(client, store, filled, grants, question):
    body = '{"events": [{"event_id": "%s", "topic": "%s", "document": "%s", "facet": "page", '
    body += '"engine": "", "occasion": 0, "text": "a \\ud83d"}]}'
    values = (question["event_id"], question["topic"], question["document"])
    headers = {"Authorization": f"Bearer {token_of(grants['anna'])}"}
    answer = client.post("/api/questions", content=body % values, headers=headers)
    assert answer.json()["acks"][0]["status"] == "saved"
    assert read_questions(store, filled)["text"].tolist() == ["a ?"]


def test_nobody_floods_the_organiser(client, store, filled, grants, question):
    events = [question | {"event_id": str(uuid.uuid4())} for _ in range(MOST_OPEN)]
    assert {ack["status"] for ack in ask(client, grants["anna"], *events)} == {"saved"}
    (ack,) = ask(client, grants["anna"], question)
    assert "wait for an answer" in ack["reason"]
    (again,) = ask(client, grants["anna"], events[0])
    assert again["status"] == "saved", "what is stored stays acknowledged"
    (ack,) = ask(client, grants["bob"], question | {"event_id": str(uuid.uuid4())})
    assert ack["status"] == "saved"


@long
def test_a_question_goes_by_the_assignment_it_was_asked_in(client, store, filled, grants, question):
    revising = Grant(filled, "anna")
    named = question | {"assignment": name_assignment(grants["anna"])}
    assert ask(client, revising, question)[0]["status"] == "refused"
    assert ask(client, revising, named)[0]["status"] == "saved"
    foreign = named | {
        "event_id": str(uuid.uuid4()),
        "assignment": name_assignment(grants["bob"]),
    }
    assert ask(client, revising, foreign)[0]["status"] == "refused"
    assert set(read_questions(store, filled)["assessor_id"]) == {"anna"}


@pytest.mark.parametrize("path", few(["questions", "notices"]))
def test_who_has_no_right_is_refused(client, store, filled, grants, question, path):
    body = {"events": [question], "state": "", "read": []}
    good = token_of(grants["anna"])
    for token in ("", "x", good[:-2] + "AA", server().sign("page", [filled, "d1", ""])):
        assert post(client, path, token, body).status_code == 401
    assert client.post(f"/api/{path}", json=body).status_code == 401
    assert client.get(f"/api/{path}").status_code == 405
    session = begin_session(store, "anna")
    ended = sign_grant(grants["anna"], hash_token(session))
    end_session(store, session)
    assert post(client, path, ended, body).status_code == 401
    drop_member(store, filled, "anna")
    assert post(client, path, good, body).status_code == 403
    assert read_questions(store, filled).empty


@long
def test_in_a_closed_collection_nothing_is_asked_but_answers_are_read(
    client, store, filled, grants, question
):
    close_collection(store, filled, closed=True)
    body = {"events": [question]}
    assert post(client, "questions", grants["anna"], body).status_code == 403
    announce(store, filled, "Thank you.")
    assert [one["text"] for one in told(client, grants["anna"])["notices"]] == ["Thank you."]


@each("body", ["", "[]", "7", '{"state": 1}', '{"read": "x"}', '{"read": [' + "1," * 1000 + "1]}"])
def test_what_is_no_request_for_notices(client, grants, body):
    headers = {"Authorization": f"Bearer {token_of(grants['anna'])}"}
    assert client.post("/api/notices", content=body, headers=headers).status_code == 422


def test_an_answer_goes_to_its_author_only(client, store, filled, grants, question):
    ask(client, grants["anna"], question)
    waiting = told(client, grants["anna"])["waiting"]
    assert [one["question"] for one in waiting] == ["Is *this* old?"]
    assert told(client, grants["bob"])["waiting"] == []
    answer_question(store, filled, question["event_id"], "Yes.", to_all=False, by="olga")
    found = told(client, grants["anna"])
    (notice,) = found["notices"]
    assert (notice["kind"], notice["text"], notice["question"], notice["unread"]) == (
        *("answer", "Yes.", "Is *this* old?", True),
    )
    assert found["waiting"] == []
    assert told(client, grants["bob"])["notices"] == []


@long
def test_an_answer_to_all_tells_others_neither_the_question_nor_who_asked(
    client, store, filled, grants, question
):
    ask(client, grants["anna"], question)
    answer_question(store, filled, question["event_id"], "Old counts.", to_all=True, by="olga")
    (own,), (other,) = (told(client, grants[name])["notices"] for name in NAMES)
    assert (own["kind"], own["question"]) == ("answer", "Is *this* old?")
    assert other.keys() == {"id", "kind", "text", "time", "unread"}
    assert (other["kind"], other["text"]) == ("announcement", "Old counts.")
    everything = post(client, "notices", grants["bob"], {}).text
    assert "anna" not in everything.lower()
    assert "olga" not in everything.lower()
    assert question["event_id"] not in everything


def test_what_was_read_stays_read_and_only_own_notices_can_be(client, store, filled, grants):
    said = [announce(store, filled, text) for text in ("One.", "Two.")]
    first = told(client, grants["anna"])
    assert [one["unread"] for one in first["notices"]] == [True, True]
    after = told(client, grants["anna"], state=first["state"], read=[said[0], "else", 7])
    assert [one["unread"] for one in after["notices"]] == [False, True]
    assert list_read(store, filled, "anna") == {said[0]}
    assert [one["unread"] for one in told(client, grants["bob"])["notices"]] == [True, True]
    again = NoticeBoard(store).read(filled, "anna")
    assert [one["unread"] for one in again["notices"]] == [False, True]


@long
def test_while_nothing_changes_only_that_is_said(client, store, filled, grants):
    state = told(client, grants["anna"])["state"]
    assert told(client, grants["anna"], state=state) == {"state": state}
    announce(store, filled, "One.")
    assert told(client, grants["anna"], state=state)["state"] != state


@long
def test_changed_guidelines_are_told_to_who_has_judged_under_older_ones(
    client, store, filled, grants, question
):
    texts = {"name": "Small", "description": ""}
    label = question | {"state": "level", "level": 1, "event_id": str(uuid.uuid4())}
    del label["text"]
    answer = post(client, "labels", grants["anna"], {"events": [label]})
    assert answer.json()["acks"][0]["status"] == "saved"
    assert told(client, grants["anna"])["notices"] == []
    describe_collection(store, filled, **texts, guidelines="Be fair.", note="Fair, not kind.")
    found = told(client, grants["anna"])
    (notice,) = found["notices"]
    assert (notice["id"], notice["kind"], notice["text"], notice["unread"]) == (
        *("guidelines 2", "guidelines", "Fair, not kind.", True),
    )
    assert found["guidelines"]["text"] == "Be fair."
    assert found["guidelines"]["note"] == "Fair, not kind."
    other = told(client, grants["bob"])
    assert (other["notices"], other["guidelines"]) == ([], found["guidelines"])
    assert told(client, grants["anna"], read=["guidelines 2"])["notices"][0]["unread"] is False
    describe_collection(store, filled, **texts, guidelines="Be both.")
    (notice,) = told(client, grants["anna"])["notices"]
    assert (notice["id"], notice["text"], notice["unread"]) == ("guidelines 3", "", True)
