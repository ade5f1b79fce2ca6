"""What was downloaded in a browser: its address gives it to nobody else."""

import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page

from core.demo import load_demo
from core.store.people.people import add_person, begin_session
from core.store.store import Store
from tests.browser.conftest import settle
from tests.browser.running import Running
from tests.short import long

pytestmark = pytest.mark.browser


def fetch(server: Running, address: str, session: str) -> int:
    """Ask for an address with the cookie of a session; returns the status."""
    headers = {"Cookie": f"{server.cookie}={session}"} if session else {}
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


@long
@pytest.mark.parametrize("is_guarded", [True, False], ids=["guarded", "without its guard"])
def test_the_address_of_a_download_is_of_use_to_nobody_else(
    page: Page, tmp_path: Path, is_guarded: bool
):
    store = Store(tmp_path / "store.duckdb")
    load_demo(store)
    people = {
        name: begin_session(store, add_person(store, name, role))
        for name, role in (("Olga", "organiser"), ("Oskar", "organiser"), ("Eve", "assessor"))
    }
    again = begin_session(store, add_person(store, "Otto", "organiser"))
    store.close()
    server = Running(store.path, tmp_path / "server.log", {"UNGUARDED": "files"})
    server.app = server.app if is_guarded else "tests.faults.unguarded:app"
    server.start()
    try:
        cookie = {"name": server.cookie, "value": people["Olga"], "url": server.address}
        page.context.add_cookies([cookie])  # type: ignore[list-item]
        page.goto(f"{server.address}/export")
        settle(page)
        with page.expect_download() as taken:
            page.get_by_role("button", name="CSV", exact=True).first.click()
        assert taken.value.path().stat().st_size > 100
        address = taken.value.url
        assert fetch(server, address, people["Olga"]) == 200
        for stranger in (people["Oskar"], people["Eve"], again):
            assert fetch(server, address, stranger) == (404 if is_guarded else 200)
        assert fetch(server, address, "") == fetch(server, address, "made up") == 401
        # She signs out in another tab, while this page stays open.
        page.context.request.post(f"{server.address}/leave")
        assert fetch(server, address, people["Olga"]) == 401
        assert fetch(server, address, again) == (404 if is_guarded else 200)
    finally:
        server.kill()
