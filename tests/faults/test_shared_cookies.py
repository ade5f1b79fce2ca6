"""Cookies know no ports: two servers on one host share a browser's, and must not mix them up."""

from collections.abc import Iterator
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path

import httpx2
import pytest

from core.store.people.people import add_person, begin_session, invite
from core.store.store import Store
from tests.browser.running import Running
from tests.short import few


@dataclass
class Place:
    """A server, with an invitation for its only organiser and a session of theirs."""

    server: Running
    link: str
    session: str


@dataclass
class Pair:
    """Two servers with stores of their own."""

    first: Place
    second: Place
    is_guarded: bool

    def come_in(self, browser: httpx2.Client, place: Place) -> httpx2.Response:
        return browser.post(f"{place.server.address}/enter/{place.link}")


@pytest.fixture(params=few([True, False]), ids=["guarded", "without its guard"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Pair]:
    places = []
    for name in ("first", "second"):
        store = Store(tmp_path / f"{name}.duckdb")
        person = add_person(store, f"Olga of the {name}", "organiser")
        link, session = invite(store, person), begin_session(store, person)
        store.close()
        server = Running(store.path, tmp_path / f"{name}.log", {"UNGUARDED": "cookies"})
        server.app = server.app if request.param else "tests.faults.unguarded:app"
        server.start()
        places.append(Place(server, link, session))
    yield Pair(*places, request.param)
    for one in places:
        one.server.kill()


def is_in(browser: httpx2.Client, place: Place) -> bool:
    """Tell whether a browser is signed in at a server."""
    return browser.get(f"{place.server.address}/media/x").status_code != 401


def test_signing_in_and_out_at_one_leaves_the_other_alone(pair: Pair):
    with httpx2.Client() as browser:
        for place in (pair.first, pair.second):
            assert pair.come_in(browser, place).status_code == 303
        assert is_in(browser, pair.second)
        assert is_in(browser, pair.first) == pair.is_guarded
        if not pair.is_guarded:
            return
        browser.post(f"{pair.second.server.address}/leave")
        assert not is_in(browser, pair.second)
        assert is_in(browser, pair.first)
        browser.post(f"{pair.first.server.address}/leave")
        assert not is_in(browser, pair.first)


def test_the_session_of_one_is_none_of_the_other(pair: Pair):
    for place, other in ((pair.first, pair.second), (pair.second, pair.first)):
        for name in (place.server.cookie, other.server.cookie):
            cookie = {"Cookie": f"{name}={other.session}"}
            with httpx2.Client(headers=cookie) as browser:
                assert not is_in(browser, place)
                # Signing out with it ends nothing, and is answered like any other.
                assert browser.post(f"{place.server.address}/leave").status_code == 303
    if pair.is_guarded:
        for place in (pair.first, pair.second):
            cookie = {"Cookie": f"{place.server.cookie}={place.session}"}
            with httpx2.Client(headers=cookie) as browser:
                assert is_in(browser, place)


@pytest.mark.parametrize("is_tls", [False, True], ids=["plain", "tls"])
def test_what_cookies_say(pair: Pair, is_tls: bool):
    headers = {"X-Forwarded-Proto": "https"} if is_tls else {}
    with httpx2.Client(headers=headers) as browser:
        given = SimpleCookie(pair.come_in(browser, pair.first).headers["set-cookie"])
    (cookie,) = given.values()
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "lax", "/")
    assert (cookie["domain"], bool(cookie["secure"])) == ("", is_tls)
