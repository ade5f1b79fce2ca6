"""A running server as other sites and odd addresses meet it: websockets, uploads, files."""

import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.store.people.people import add_person, begin_session
from core.store.store import Store
from tests.browser.running import Running
from tests.short import few

WEBSOCKET = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Key": "dGhlIGtleSBvZiBhIHRyeQ==",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "streamlit",
}
CLIMBING = [
    f"{start}{step * 8}etc/passwd"
    for start in ("/", "/static/", "/media/", "/app/static/", "/_stcore/component/", "/api/page/",
                  "/_stcore/bidi-components/", "/enter/", "/join/")
    for step in ("../", "%2e%2e/", "..%2f", "%2e%2e%2f", "..%5c", "....//", "%252e%252e%252f")
]  # fmt: skip

Ask = Callable[..., bytes]


def make_asker(server: Running) -> Ask:
    """Return what sends bytes as they are: a library would tidy the addresses up."""

    def ask(path: str, headers: dict[str, str], method: str = "GET", size: int = -1) -> bytes:
        sent = {"Host": f"127.0.0.1:{server.port}", **headers}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {text}" for name, text in sent.items())]
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as peer:
            peer.sendall(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
            answer = bytearray()
            while (size < 0 or len(answer) < size) and (piece := peer.recv(65_536)):
                answer += piece
        return bytes(answer)

    return ask


@dataclass
class Meeting:
    """A server to be asked, whether it is guarded, and the cookie of an organiser."""

    ask: Ask
    is_guarded: bool
    cookie: dict[str, str]


@pytest.fixture(scope="module", params=few([False, True]), ids=["guarded", "without its guard"])
def meeting(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Meeting]:
    folder = tmp_path_factory.mktemp("met")
    store = Store(folder / "store.duckdb")
    session = begin_session(store, add_person(store, "Olga", "organiser"))
    store.close()
    server = Running(store.path, folder / "server.log", {"UNGUARDED": "gate,origins"})
    if request.param:
        server.app = "tests.faults.unguarded:app"
    server.start()
    cookie = {"Cookie": f"{server.cookie}={session}"}
    yield Meeting(make_asker(server), not request.param, cookie)
    server.kill()


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://127.0.0.1.evil.example",
        "http://127.0.0.1:1",
        "http://localhost",
        "null",
        "",
    ],
)
def test_no_other_site_and_no_other_port_opens_a_websocket(meeting: Meeting, origin: str):
    headers = {**WEBSOCKET, **meeting.cookie} | ({"Origin": origin} if origin else {})
    answer = meeting.ask("/_stcore/stream", headers, size=12)
    assert answer[9:12] == (b"403" if meeting.is_guarded else b"101")


def test_nobody_opens_a_websocket_without_a_session(meeting: Meeting):
    own = {"Host": "judge.example.org", "Origin": "https://judge.example.org"}
    answer = meeting.ask("/_stcore/stream", {**WEBSOCKET, **own}, size=12)
    assert answer[9:12] == (b"403" if meeting.is_guarded else b"101")


def test_its_own_pages_do_also_behind_a_proxy(meeting: Meeting):
    own = {"Host": "judge.example.org", "Origin": "https://judge.example.org"}
    answer = meeting.ask("/_stcore/stream", {**WEBSOCKET, **own, **meeting.cookie}, size=12)
    assert answer[9:12] == b"101"


def test_nobody_uploads_without_the_token_of_a_page(meeting: Meeting):
    headers = {"Origin": "http://evil.example", "Content-Length": "0", **meeting.cookie}
    answer = meeting.ask("/_stcore/upload_file/session/file", headers, "PUT", 12)
    assert (answer[9:12] == b"403") == meeting.is_guarded


@pytest.mark.parametrize("is_in", [False, True], ids=["stranger", "organiser"])
@pytest.mark.parametrize("path", CLIMBING)
def test_no_address_leads_out_of_the_files_that_are_served(
    meeting: Meeting, path: str, is_in: bool
):
    answer = meeting.ask(path, {"Connection": "close"} | (meeting.cookie if is_in else {}))
    assert answer[9:12] in (b"200", b"303", b"400", b"401", b"403", b"404")
    assert b"root:" not in answer
    assert not Path("/etc/passwd").exists() or b"/bin/" not in answer


def test_the_same_bytes_fetch_what_is_served(meeting: Meeting):
    answer = meeting.ask("/api/health", {"Connection": "close"})
    assert answer[9:12] == b"200"
