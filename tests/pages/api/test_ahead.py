"""What a device is handed to keep: as blind as the screen's own data, and to its person only."""

import json

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round
from core.store.content.collections import get_collection
from core.store.people.members import add_member, drop_member
from core.store.people.people import add_person, begin_session, end_session, hash_token
from core.store.rounds.rounds import read_slots
from core.store.store import Store
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.judge.assignment import component_data
from pages.shared.intake import sign_grant
from tests.short import long


@pytest.fixture
def client(store: Store) -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


class Assessor:
    def __init__(self, store: Store, collection_id: str, name: str = "Anna") -> None:
        self.person = add_person(store, name, "assessor")
        add_member(store, collection_id, self.person, name)
        self.session = begin_session(store, self.person)
        token = sign_grant(Grant(collection_id, self.person), hash_token(self.session))
        self.headers = {"Authorization": f"Bearer {token}"}


@pytest.fixture
def anna(store: Store, filled: str) -> Assessor:
    open_round(store, filled, Plan(judges=1))
    return Assessor(store, filled)


def test_the_first_is_what_the_screen_has_but_for_the_right_to_send(
    client: TestClient, store: Store, filled: str, anna: Assessor
):
    given = client.get("/api/ahead", headers=anna.headers).json()["assignments"]
    handed_out = next_assignment(store, filled, anna.person)
    session = hash_token(anna.session)
    shown = component_data(store, get_collection(store, filled), *handed_out, session)
    for known in (shown, given[0]):
        del known["token"], known["pace"]
        for document in known["documents"].values():
            del document["frame"], document["text_frame"]
    assert given[0] == json.loads(json.dumps(shown))
    assert [one["collection"] for one in given] == [filled] * len(given)
    assert len(given) == len({one["assignment"] for one in given}) == 2


def test_it_tells_nothing_that_assessors_must_not_know(client: TestClient, anna: Assessor):
    sent = client.get("/api/ahead", headers=anna.headers).text
    for engine in ("e1", "e2", "s1", "a1", "a2"):
        assert f'"{engine}"' not in sent
    given = json.loads(sent)["assignments"]
    assert {one["token"] for one in given} == {None}
    assert all(step["label"] is None for one in given for step in one["steps"])
    assert [one["pace"]["topics"]["number"] for one in given] == [1, 2]


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer x.y.z"}, {"Authorization": "x"}])
def test_nobody_else_is_answered(
    client: TestClient, store: Store, filled: str, headers: dict[str, str]
):
    open_round(store, filled, Plan(judges=1))
    answer = client.get("/api/ahead", headers=headers)
    assert answer.status_code == 401
    assert set(answer.json()) == {"error"}


def test_nobody_is_answered_who_has_signed_out_or_was_taken_off(
    client: TestClient, store: Store, filled: str, anna: Assessor
):
    drop_member(store, filled, anna.person)
    assert client.get("/api/ahead", headers=anna.headers).json() == {"assignments": []}
    end_session(store, anna.session)
    assert client.get("/api/ahead", headers=anna.headers).status_code == 401


@long
def test_asking_again_takes_no_more(client: TestClient, store: Store, filled: str, anna: Assessor):
    other = Assessor(store, filled, "Bob")
    for _ in range(3):
        client.get("/api/ahead", headers=anna.headers)
    held = [slot.assessor_id for slot in read_slots(store.cursor(), filled)]
    assert sorted(held, key=str) == sorted([anna.person, None], key=str)
    assert len(client.get("/api/ahead", headers=other.headers).json()["assignments"]) == 1
