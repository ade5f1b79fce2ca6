"""Behind nginx and Caddy with TLS, each set up by the handbook; and on every address."""

import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from http.client import HTTPSConnection
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from core.store.file.database import fetch
from core.store.people.people import add_person, begin_session, invite
from core.store.store import Store
from tests.browser.conftest import begin, judge_screen, settle
from tests.browser.running import Running
from tests.browser.test_judging import make_store, press
from tests.faults.proxies import NAMES, Proxy, find_proxy
from tests.faults.test_other_sites import WEBSOCKET
from tests.patience import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("only_in_full")]

Counts = Callable[[str, object], None]
HALF_HEADS = 200
LARGE = 6_000_000
"""Bytes of a file to import: more than a proxy lets through unasked."""


@dataclass
class Site:
    """A server, the proxy before it, and who may come in."""

    server: Running
    proxy: Proxy
    path: Path
    link: str
    organiser: str


@pytest.fixture(scope="module", params=NAMES)
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    if find_proxy(request.param) is None:
        pytest.skip(f"no {request.param}: it is a package of most systems")
    folder = tmp_path_factory.mktemp(request.param)
    path = folder / "store.duckdb"
    assessor, _ = make_store(path)
    store = Store(path)
    organiser = begin_session(store, add_person(store, "Olga", "organiser"))
    link = invite(store, assessor)
    store.close()
    server = Running(path, folder / "server.log")
    server.start()
    proxy = Proxy(request.param, server, folder)
    proxy.start()
    yield Site(server, proxy, path, link, organiser)
    proxy.stop()
    server.kill()


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Page]:
    """A browser that trusts the certificate made for the test."""
    context = browser.new_context(ignore_https_errors=True)
    context.set_default_timeout(1000 * PATIENCE)
    yield context.new_page()
    context.close()


def test_judging_by_tls(site: Site, visitor: Page):
    visitor.goto(f"{site.proxy.address}/enter/{site.link}")
    visitor.get_by_role("button", name="Sign in").click()
    begin(visitor)
    (cookie,) = [one for one in visitor.context.cookies() if one["value"] != ""][:1]
    assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Lax")
    judged = [press(visitor, "2") for _ in range(6)]
    expect(judge_screen(visitor)).to_have_attribute("data-waiting", "0")
    site.server.stop()
    store = Store(site.path)
    rows = fetch(store.cursor(), "SELECT document_id, level FROM labels ORDER BY sequence")
    store.close()
    site.server.start()
    assert [row["document_id"] for row in rows] == [step.split("|")[1] for step in judged]
    assert {row["level"] for row in rows} == {1}


def test_a_folder_of_another_host_leads_to_the_server(site: Site, visitor: Page):
    if site.proxy.name != "nginx":
        pytest.skip("the handbook says it for nginx")
    visitor.goto(site.proxy.address.replace("//", "//www.") + "/judge/")
    expect(visitor.get_by_role("link", name="Sign in with a password")).to_be_visible()
    assert visitor.url == f"{site.proxy.address}/"


def test_a_large_file_comes_through(site: Site, visitor: Page):
    cookie = {"name": site.server.cookie, "value": site.organiser, "url": site.proxy.address}
    visitor.context.add_cookies([cookie])  # type: ignore[list-item]
    visitor.goto(f"{site.proxy.address}/collection")
    settle(visitor)
    visitor.get_by_test_id("stTab").filter(has_text="Import").click()
    settle(visitor)
    row = b"t1\t" + b"x" * 1000 + b"\n"
    file = {"name": "topics.tsv", "mimeType": "text/plain", "buffer": row * (LARGE // len(row))}
    visitor.get_by_test_id("stFileUploaderDropzoneInput").set_input_files([file])  # type: ignore[list-item]
    expect(visitor.get_by_text("Nothing was stored")).to_be_visible()  # a topic comes twice


def test_no_other_site_gets_a_websocket(site: Site):
    cookie = {"Cookie": f"{site.server.cookie}={site.organiser}"}
    own = {"Origin": site.proxy.address}
    assert ask(site, "/_stcore/stream", {**WEBSOCKET, **cookie, **own}) == 101
    other = {"Origin": "https://localhost"}
    assert ask(site, "/_stcore/stream", {**WEBSOCKET, **cookie, **other}) == 403
    assert ask(site, "/_stcore/stream", {**WEBSOCKET, **own}) == 403


def test_who_guesses_cannot_say_to_be_somebody_else(site: Site):
    """Straight at the server, from this machine, the word of a proxy is taken: there it works."""
    through = [guess(site.proxy.address, number) for number in range(34)]
    assert through[:30] == [403] * 30
    assert through[-1] == 429
    assert {guess(site.server.address, number) for number in range(100, 134)} == {403}


def guess(address: str, number: int) -> int:
    """Try a password for a name nobody has, as from an address of one's choice."""
    form = urllib.parse.urlencode({"name": f"Nobody {number}", "password": "guess"}).encode()
    headers = {"X-Forwarded-For": f"198.51.100.{number}", "Origin": address}
    asked = urllib.request.Request(f"{address}/sign-in", form, headers)
    try:
        with urllib.request.urlopen(asked, timeout=60, context=UNCHECKED) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


UNCHECKED = ssl.create_default_context()
UNCHECKED.check_hostname = False
UNCHECKED.verify_mode = ssl.CERT_NONE


def ask(site: Site, path: str, headers: dict[str, str]) -> int:
    """Return the status of an answer that comes through the proxy."""
    with closing(
        HTTPSConnection("localhost", site.proxy.port, timeout=30, context=UNCHECKED)
    ) as peer:
        peer.request("GET", path, headers={"Host": f"localhost:{site.proxy.port}", **headers})
        return peer.getresponse().status


def test_half_requests_end_and_others_are_served(site: Site, record_property: Counts):
    """A proxy answers for them: the server learns of none."""
    answered = 0
    with ExitStack() as opened:
        halves = [opened.enter_context(_begin(site.proxy.port)) for _ in range(HALF_HEADS)]
        began = time.monotonic()
        while halves:
            assert ask(site, "/api/health", {}) == 200
            answered += 1
            halves = [one for one in halves if not _has_ended(one)]
            assert time.monotonic() - began < 60, f"{len(halves)} are still open"
            time.sleep(0.5)
    record_property("counts", f"{HALF_HEADS} half requests, health {answered} times")


def _begin(port: int) -> ssl.SSLSocket:
    plain = socket.create_connection(("127.0.0.1", port), timeout=20)
    peer = UNCHECKED.wrap_socket(plain, server_hostname="localhost")
    peer.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: ")
    return peer


def _has_ended(peer: ssl.SSLSocket) -> bool:
    peer.settimeout(0.001)
    try:
        return peer.recv(1_000) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


@pytest.mark.parametrize("address", ["127.0.0.1", "0.0.0.0"])
def test_all_addresses_are_served_only_where_asked_for(tmp_path: Path, address: str):
    """127.0.0.2 stands for another address of this machine; the default does not answer there."""
    server = Running(tmp_path / "store.duckdb", tmp_path / "server.log")
    server.listens_at = address
    server.start()
    try:
        elsewhere = f"http://127.0.0.2:{server.port}"
        if address == "127.0.0.1":
            with pytest.raises(urllib.error.URLError):
                guess(elsewhere, 1)
        else:
            assert guess(elsewhere, 1) == 403
    finally:
        server.kill()
