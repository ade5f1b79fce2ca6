"""Seeing others afterwards, by the routes: labels are marked, and nobody else's label is sent."""

import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.afterwards import open_topic
from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round
from core.store.events.afterwards import Seeing, allow_seeing, count_marked
from core.store.people.people import begin_session, hash_token
from core.store.store import Store
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.shared.intake import sign_grant
from tests.pages.seen_study import REMARK, Pair, judge_in_pairs, make_event
from tests.short import few, long


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


@pytest.fixture
def pair(store: Store, filled: str) -> Pair:
    return judge_in_pairs(store, filled, Seeing(True, comments=True))


def headers_of(pair: Pair, person: str) -> dict[str, str]:
    session = hash_token(begin_session(pair.store, person))
    token = sign_grant(Grant(pair.collection_id, person), session)
    return {"Authorization": f"Bearer {token}"}


def send(client: TestClient, pair: Pair, person: str, level: int, document: str = "d1") -> dict:
    key = pair.key(document)._replace(assessor_id=person)
    stands = pair.store.labels.current(pair.collection_id, person)[key]
    event = make_event(pair.store, key, level) | {"supersedes": stands.event_id}
    answer = client.post("/api/labels", json={"events": [event]}, headers=headers_of(pair, person))
    (ack,) = answer.json()["acks"]
    assert ack["status"] == "saved", ack
    return ack


@long
def test_what_is_sent_after_seeing_others_is_marked(client: TestClient, pair: Pair):
    send(client, pair, pair.anna, 2)
    assert count_marked(pair.store, pair.collection_id) == 0
    open_topic(pair.store, pair.collection_id, pair.anna, "t1")
    ack = send(client, pair, pair.anna, 3)
    send(client, pair, pair.other, 2)
    rows = pair.store.database.run("SELECT event_id::VARCHAR FROM labels_after_seeing")
    assert rows == [(ack["event_id"],)]
    assert "mark" not in json.dumps(ack)


@pytest.mark.parametrize("opened", few([False, True]))
def test_no_route_sends_anything_of_others(client: TestClient, pair: Pair, opened: bool):
    """Neither before nor after: what others said is drawn by one page, and by nothing else."""
    if opened:
        open_topic(pair.store, pair.collection_id, pair.anna, "t1")
    plan = Plan("Again", 1, 10, "snippet only", assessors=(pair.anna,))
    open_round(pair.store, pair.collection_id, plan)
    headers = headers_of(pair, pair.anna)
    sent = [
        json.dumps(send(client, pair, pair.anna, 3)),
        client.get("/api/ahead", headers=headers).text,
        client.post("/api/notices", json={"state": "", "read": []}, headers=headers).text,
        client.post("/api/questions", json={"events": []}, headers=headers).text,
    ]
    assert '"assignments": [{' in sent[1] or '"assignments":[{' in sent[1]
    for told in (REMARK, "Wilhelmina", pair.other, '"a1"', '"a2"', "others"):
        assert told not in "".join(sent), told


@long
def test_what_waited_on_a_device_while_others_were_seen_is_marked(client: TestClient, pair: Pair):
    """When it was judged nobody can tell: it counts as said afterwards, and nothing is lost."""
    key = pair.key()
    stands = pair.store.labels.current(pair.collection_id, pair.anna)[key]
    waiting = make_event(pair.store, key, 2) | {"supersedes": stands.event_id}
    waiting["client_time"] = "2020-01-01T00:00:00Z"
    open_topic(pair.store, pair.collection_id, pair.anna, "t1")
    answer = client.post(
        "/api/labels", json={"events": [waiting]}, headers=headers_of(pair, pair.anna)
    )
    assert answer.json()["acks"][0]["status"] == "saved"
    assert count_marked(pair.store, pair.collection_id) == 1


@long
def test_taking_leave_back_changes_no_mark(client: TestClient, pair: Pair):
    open_topic(pair.store, pair.collection_id, pair.anna, "t1")
    allow_seeing(pair.store, pair.collection_id, Seeing())
    send(client, pair, pair.anna, 3)
    assert count_marked(pair.store, pair.collection_id) == 1
