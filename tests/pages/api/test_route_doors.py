"""Every HTTP route by every visitor: who is answered what."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round
from core.store.events.frames import read_labels
from core.store.people.people import add_person, find_session, hash_token, invite
from core.store.store import Store
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.api.v1.operation import PREFIX
from pages.api.v1.table import OPERATIONS
from pages.server.running import server, stop
from pages.shared.addresses import page_address
from pages.shared.intake import name_assignment, sign_grant
from pages.shared.session import session_cookie
from tests.each import each
from tests.pages.conftest import serve_copy
from tests.pages.test_doors import ROLE_OF, make_visitors
from tests.short import few

OUT = [visitor for visitor, role in ROLE_OF.items() if not role]
ANSWERS = {
    "GET /api/health": dict.fromkeys(ROLE_OF, 200),
    "GET /api/ready": dict.fromkeys(ROLE_OF, 200),
    "POST /api/labels": dict.fromkeys(ROLE_OF, 403) | dict.fromkeys(OUT, 401) | {"assessor": 200},
    "POST /api/questions": dict.fromkeys(ROLE_OF, 403)
    | dict.fromkeys(OUT, 401)
    | {"assessor": 200},
    "POST /api/notices": dict.fromkeys(ROLE_OF, 403) | dict.fromkeys(OUT, 401) | {"assessor": 200},
    "POST /api/told": dict.fromkeys(ROLE_OF, 403) | dict.fromkeys(OUT, 401) | {"assessor": 200},
    "GET /api/ahead": dict.fromkeys(ROLE_OF, 200) | dict.fromkeys(OUT, 401),
    "GET /api/offline/{name}": dict.fromkeys(ROLE_OF, 404),
    "GET /worker.js": dict.fromkeys(ROLE_OF, 200),
    "GET /manifest.webmanifest": dict.fromkeys(ROLE_OF, 200),
    "GET /api/page/{token}": dict.fromkeys(ROLE_OF, 403)
    | dict.fromkeys(["assessor", "viewer", "organiser"], 200),
    "GET /api/plain/{name}": dict.fromkeys(ROLE_OF, 200),
    "GET /enter/{token}": dict.fromkeys(ROLE_OF, 200),
    "POST /enter/{token}": dict.fromkeys(ROLE_OF, 303),
    "GET /sign-in": dict.fromkeys(ROLE_OF, 200),
    "POST /sign-in": dict.fromkeys(ROLE_OF, 403),
    "GET /sign-in/provider": dict.fromkeys(ROLE_OF, 404),
    "GET /oauth2callback": dict.fromkeys(ROLE_OF, 404),
    "GET /join": dict.fromkeys(ROLE_OF, 200),
    "GET /join/{code}": dict.fromkeys(ROLE_OF, 403),
    "POST /join/{code}": dict.fromkeys(ROLE_OF, 403),
    "GET /public/{code}": dict.fromkeys(ROLE_OF, 404),
    "GET /public/{code}/{name}": dict.fromkeys(ROLE_OF, 404),
    "POST /demo/{role}": dict.fromkeys(ROLE_OF, 403),
    "POST /leave": dict.fromkeys(ROLE_OF, 303),
    "GET /api/v1/": dict.fromkeys(ROLE_OF, 200),
    "GET /api/v1/openapi.json": dict.fromkeys(ROLE_OF, 200),
}
"""The status by visitor: of a wrong class code and a wrong password where one is asked for."""

ENDING = ("POST /enter/{token}", "POST /leave")
"""Routes that end the session they are asked in."""


@pytest.fixture(scope="module")
def visited(
    filled_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, str]]:
    """A store to be copied, with every visitor in it and an open round, and their tokens."""
    path, collection_id = filled_store
    copy = Path(shutil.copy(path, tmp_path_factory.mktemp("visited")))
    with closing(Store(copy)) as made:
        tokens = make_visitors(made, collection_id)
        open_round(made, collection_id, Plan(judges=1, flow="page only"))
    return copy, tokens


@pytest.fixture
def store(visited: tuple[Path, dict[str, str]], tmp_path: Path) -> Iterator[Store]:
    with serve_copy(visited[0], tmp_path) as opened:
        yield opened


@pytest.fixture(params=few(["fresh", "restarted"]))
def tokens(
    store: Store, visited: tuple[Path, dict[str, str]], request: pytest.FixtureRequest
) -> dict[str, str]:
    if request.param == "restarted":
        stop()
        assert server().store is not store
    return visited[1]


@pytest.fixture
def client() -> TestClient:
    return TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE), follow_redirects=False)


def person_of(store: Store, token: str) -> str:
    rows = store.cursor().execute(
        "SELECT person_id FROM sessions WHERE token_hash = ?", [hash_token(token)]
    )
    return next(iter(rows.fetchall()), ("nobody",))[0]


def ask(client: TestClient, route: str, collection_id: str, token: str):
    """Send what a visitor could send with everything that was ever handed to them."""
    store = server().store
    method, _, path = route.partition(" ")
    session_id, options = hash_token(token), {}
    if path == "/api/page/{token}":
        path = page_address(collection_id, "d1", "", session_id)
    elif path == "/enter/{token}":
        path = f"/enter/{invite(store, add_person(store, str(uuid.uuid4()), 'assessor'))}"
    elif path in ("/api/labels", "/api/questions", "/api/notices"):
        grant = Grant(collection_id, person_of(store, token))
        options = {
            "headers": {"Authorization": f"Bearer {sign_grant(grant, session_id)}"},
            "json": {"events": [{}]},
        }
    elif path == "/api/told":
        grant = Grant(collection_id, person_of(store, token))
        options = {
            "headers": {"Authorization": f"Bearer {sign_grant(grant, session_id)}"},
            "json": {"assignment": name_assignment(grant)},
        }
    elif path == "/api/ahead":
        grant = Grant(collection_id, person_of(store, token))
        options = {"headers": {"Authorization": f"Bearer {sign_grant(grant, session_id)}"}}
    elif route == "POST /sign-in":
        options = {"data": {"name": str(uuid.uuid4()), "password": "x" * 20}}
    path = path.format(code="ABCD2345", role="organiser", name="plain.css")
    return client.request(method, path, **options)


def test_somebody_has_decided_what_each_route_answers():
    routes = [route for one in ROUTES for route in getattr(one, "routes", [one])]
    known = {f"{method} {one.path}" for one in routes for method in one.methods - {"HEAD"}}
    # What a token opens is decided in v1/test_doors.py; the document and its page are open to all.
    api = {f"{one.method} {PREFIX}{one.path}" for one in OPERATIONS}
    assert known - api == set(ANSWERS)


@each("route", [one for one in ANSWERS if one not in ENDING])
def test_every_route_answers_whom_it_should(
    client: TestClient, filled: str, tokens: dict[str, str], route: str
):
    ask_as_everybody(client, filled, tokens, route)


@pytest.mark.parametrize("route", ENDING)
def test_so_does_every_route_that_ends_a_session(
    client: TestClient, filled: str, tokens: dict[str, str], route: str
):
    ask_as_everybody(client, filled, tokens, route)


def ask_as_everybody(client: TestClient, filled: str, tokens: dict[str, str], route: str) -> None:
    """Assert what each visitor is answered, and that nothing is told or written beside that."""
    for visitor, status in ANSWERS[route].items():
        client.cookies.clear()
        client.cookies.set(session_cookie(server().store.secret), tokens[visitor])
        answer = ask(client, route, filled, tokens[visitor])
        assert answer.status_code == status, visitor
        if status in (401, 403):
            assert "jaguar" not in answer.text.lower()
            assert "A cat." not in answer.text
    assert len(read_labels(server().store, filled)) == 3


@pytest.mark.parametrize("visitor", few(ROLE_OF, 3))
def test_what_was_handed_to_one_is_of_no_use_to_another(
    client: TestClient, filled: str, tokens: dict[str, str], visitor: str
):
    address = page_address(filled, "d1", "", hash_token(tokens["assessor"]))
    client.cookies.set(session_cookie(server().store.secret), tokens[visitor])
    assert client.get(address).status_code == (200 if visitor == "assessor" else 403)
    grant = Grant(filled, person_of(server().store, tokens["assessor"]))
    borrowed = sign_grant(grant, hash_token(tokens[visitor]))
    headers = {"Authorization": f"Bearer {borrowed}"}
    answer = client.post("/api/labels", json={"events": []}, headers=headers)
    assert answer.status_code == (200 if visitor == "assessor" else 401)


@pytest.mark.parametrize("site", few(["cross-site", "same-site"]))
@each("route", [one for one in ANSWERS if one.startswith("POST")])
def test_no_form_of_another_site_is_taken(
    client: TestClient, filled: str, tokens: dict[str, str], route: str, site: str
):
    client.cookies.set(session_cookie(server().store.secret), tokens["organiser"])
    client.headers["Sec-Fetch-Site"] = site
    answer = ask(client, route, filled, tokens["organiser"])
    assert answer.status_code == 403
    assert "sent from another site" in answer.text
    assert "set-cookie" not in answer.headers
    assert find_session(server().store, tokens["organiser"]) is not None
