"""Routes that are imported late are found, refused and redirected to as if they were not."""

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match, Route
from starlette.testclient import TestClient

from pages.api.routes import ROUTES, LateRoutes


async def show(request: Request) -> Response:
    return PlainTextResponse(f"{request.method} {request.url.path} {request.path_params}")


OURS = [
    Route("/late/", show, methods=["GET"]),
    Route("/late/one", show, methods=["GET"]),
    Route("/late/one", show, methods=["POST"]),
    Route("/late/{name}/{part}", show, methods=["GET"]),
]
REST = Route("/late/rest", show)


def load() -> list[Route]:
    loaded.append(1)
    return OURS


loaded: list[int] = []


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "DELETE"])
@pytest.mark.parametrize(
    "path", ["/late", "/late/", "/late/one", "/late/one/", "/late/a/b", "/late/rest", "/late/no"]
)
def test_late_routes_answer_as_others_do(method: str, path: str):
    late, early = (
        TestClient(Starlette(routes=[*routes, REST]), follow_redirects=False)
        for routes in ([LateRoutes("/late/", load)], OURS)
    )
    found, expected = late.request(method, path), early.request(method, path)
    assert (found.status_code, found.text) == (expected.status_code, expected.text)
    assert found.headers == expected.headers


def test_they_are_loaded_once_and_for_their_own_paths_only():
    loaded.clear()
    client = TestClient(Starlette(routes=[LateRoutes("/late/", load), Route("/other", show)]))
    assert client.get("/other").status_code == 200
    assert client.get("/elsewhere").status_code == 404
    assert not loaded
    assert client.get("/late/one").status_code == 200
    assert client.get("/late/a/b").text == "GET /late/a/b {'name': 'a', 'part': 'b'}"
    assert loaded == [1]


def test_each_of_ours_begins_with_the_path_that_leads_to_it():
    late = [one for one in ROUTES if isinstance(one, LateRoutes)]
    assert late
    for one in late:
        assert one.routes
        assert all(route.path.startswith(one.path) for route in one.routes)


def test_a_websocket_is_none_of_theirs():
    assert LateRoutes("/late/", load).matches({"type": "websocket", "path": "/late/one"}) == (
        Match.NONE,
        {},
    )
