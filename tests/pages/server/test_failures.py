"""What ends a request is told in words, in the language that the browser asks for."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from core.errors import NotFound, StoreFull
from core.store.store import Store
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.server.middleware import Failures

GERMAN = {"accept-language": "de-AT, en;q=0.5"}


def fail(request: Request) -> Response:
    match request.path_params["how"]:
        case "full":
            raise StoreFull("secret path")
        case "missing":
            raise NotFound("There is no <such> thing.")
        case "broken":
            raise ZeroDivisionError("secret")
        case "late":

            async def send_half():
                yield "half"
                raise StoreFull("late")

            return StreamingResponse(send_half())
    return PlainTextResponse("well")


@pytest.fixture
def client(store: Store) -> TestClient:
    routes = [Route("/{how}", fail), Route("/api/{how}", fail)]
    app = Starlette(routes=routes, middleware=[Middleware(Failures)])
    return TestClient(app, raise_server_exceptions=False)


@pytest.mark.parametrize(
    ("how", "status", "english", "german"),
    [
        ("full", 507, "The server has no room left", "Der Server hat keinen Platz mehr"),
        ("missing", 422, "There is no &lt;such&gt; thing.", "There is no &lt;such&gt; thing."),
        ("broken", 500, "Something went wrong", "ist etwas schiefgegangen"),
    ],
)
def test_a_page_says_what_failed(
    client: TestClient, how: str, status: int, english: str, german: str
):
    for headers, words in ((None, english), (GERMAN, german)):
        answer = client.get(f"/{how}", headers=headers)
        assert answer.status_code == status
        assert words in answer.text
        assert answer.text.count("<h1>") == 1
        assert "secret" not in answer.text
        assert answer.headers["cache-control"] == "no-store"
    told = client.get(f"/api/{how}", headers=GERMAN)
    assert (told.status_code, set(told.json())) == (status, {"error"})
    assert "secret" not in told.text


def test_what_is_well_or_has_begun_is_left_alone(client: TestClient):
    assert client.get("/well").text == "well"
    with pytest.raises(StoreFull, match="late"):
        TestClient(client.app).get("/late")


@pytest.mark.parametrize(
    ("path", "status", "english", "german"),
    [
        ("/auth/login", 404, "There is nothing here.", "Hier ist nichts."),
        ("/api/plain/none.css", 404, "There is nothing here.", "Hier ist nichts."),
        ("/api/offline/none.js", 404, "There is nothing here.", "Hier ist nichts."),
        ("/_stcore/upload_file", 401, "Sign in first.", "Melden Sie sich zuerst an."),
    ],
)
def test_who_is_turned_away_is_told_in_their_language(
    store: Store, path: str, status: int, english: str, german: str
):
    client = TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE))
    for headers, words in ((None, english), (GERMAN, german)):
        answer = client.get(path, headers=headers)
        assert (answer.status_code, answer.text) == (status, words)
