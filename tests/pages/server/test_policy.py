import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from pages.server.middleware import POLICY, Policy


def page(_: Request) -> Response:
    return HTMLResponse("<p>A page.</p>")


def strict_page(_: Request) -> Response:
    return HTMLResponse("<p>A page.</p>", headers={"Content-Security-Policy": "sandbox"})


def file(_: Request) -> Response:
    return PlainTextResponse("a,b")


@pytest.fixture
def client() -> TestClient:
    routes = [Route("/page", page), Route("/strict", strict_page), Route("/file", file)]
    return TestClient(Starlette(routes=routes, middleware=[Middleware(Policy)]))


def test_a_page_gets_the_policy(client: TestClient):
    headers = client.get("/page").headers
    assert headers["content-security-policy"] == POLICY
    assert headers["referrer-policy"] == "same-origin"


def test_a_stricter_policy_stays(client: TestClient):
    assert client.get("/strict").headers["content-security-policy"] == "sandbox"


def test_a_file_is_taken_for_what_it_says_it_is(client: TestClient):
    headers = client.get("/file").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "content-security-policy" not in headers


def test_no_script_of_a_text_may_run():
    (scripts,) = [part for part in POLICY.split("; ") if part.startswith("script-src")]
    assert "unsafe" not in scripts
    assert scripts.count("'sha256-") == 1
