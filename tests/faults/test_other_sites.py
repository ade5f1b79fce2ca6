"""A running server as other sites and odd addresses meet it: websockets, uploads, files."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.running import Running

UNGUARDED = {
    "STREAMLIT_SERVER_ENABLE_CORS": "false",
    "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "false",
}
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


@pytest.fixture(scope="module", params=[False, True], ids=["guarded", "without its guard"])
def meeting(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Ask, bool]]:
    """A server to be asked, and whether it asks where a visitor comes from."""
    folder = tmp_path_factory.mktemp("met")
    settings = UNGUARDED if request.param else {}
    server = Running(folder / "store.duckdb", folder / "server.log", settings)
    server.start()
    yield make_asker(server), not request.param
    server.kill()


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1.evil.example", "null"])
def test_no_other_site_opens_a_websocket(meeting: tuple[Ask, bool], origin: str):
    ask, is_guarded = meeting
    answer = ask("/_stcore/stream", {**WEBSOCKET, "Origin": origin}, size=12)
    assert answer[9:12] == (b"403" if is_guarded else b"101")


def test_its_own_pages_do_also_behind_a_proxy(meeting: tuple[Ask, bool]):
    host = {"Host": "judge.example.org", "Origin": "https://judge.example.org"}
    assert meeting[0]("/_stcore/stream", {**WEBSOCKET, **host}, size=12)[9:12] == b"101"


def test_nobody_uploads_without_the_token_of_a_page(meeting: tuple[Ask, bool]):
    ask, is_guarded = meeting
    headers = {"Origin": "http://evil.example", "Content-Length": "0"}
    answer = ask("/_stcore/upload_file/session/file", headers, "PUT", 12)
    assert (answer[9:12] == b"403") == is_guarded


@pytest.mark.parametrize("path", CLIMBING)
def test_no_address_leads_out_of_the_files_that_are_served(meeting: tuple[Ask, bool], path: str):
    answer = meeting[0](path, {"Connection": "close"})
    assert answer[9:12] in (b"200", b"303", b"400", b"403", b"404")
    assert b"root:" not in answer
    assert not Path("/etc/passwd").exists() or b"/bin/" not in answer


def test_the_same_bytes_fetch_what_is_served(meeting: tuple[Ask, bool]):
    answer = meeting[0]("/api/health", {"Connection": "close"})
    assert answer[9:12] == b"200"
