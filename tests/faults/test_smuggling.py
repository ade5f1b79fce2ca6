"""Requests whose end is in doubt, with another one hidden in them: straight and behind nginx."""

import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.store.store import Store
from tests.browser.running import Running
from tests.faults.proxies import Proxy, find_proxy
from tests.faults.test_proxies import UNCHECKED
from tests.short import few, long

HIDDEN = "GET /api/health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
FORM = "POST /leave HTTP/1.1\r\nHost: h\r\n"
END = f"0\r\n\r\n{HIDDEN}"
SIZE = len(END)

IN_DOUBT = {
    "length and chunks": f"Content-Length: {SIZE}\r\nTransfer-Encoding: chunked\r\n\r\n{END}",
    "chunks and length": f"Transfer-Encoding: chunked\r\nContent-Length: {SIZE}\r\n\r\n{END}",
    "chunks behind a tab": f"Content-Length: {SIZE}\r\nTransfer-Encoding:\tchunked\r\n\r\n{END}",
    "CHUNKS": f"Content-Length: {SIZE}\r\nTransfer-Encoding: CHUNKED\r\n\r\n{END}",
    "chunks of another name": f"Content-Length: {SIZE}\r\nTransfer_Encoding: chunked\r\n\r\n{END}",
    "chunks that go on a line": (
        f"Content-Length: {SIZE}\r\nX: y\r\n Transfer-Encoding: chunked\r\n\r\n{END}"
    ),
    "a space before the colon": (
        f"Content-Length: {SIZE}\r\nTransfer-Encoding : chunked\r\n\r\n{END}"
    ),
    **{
        f"chunks as {how!r}": f"Content-Length: {SIZE}\r\nTransfer-Encoding: {how}\r\n\r\n{END}"
        for how in ("xchunked", "identity", "chunked, identity", "identity, chunked", '"chunked"',
                    "gzip, chunked", "chunk\x0bed", "chunked\r\nTransfer-Encoding: identity")
    },
    **{
        f"a length of {size!r}": f"Content-Length: {size}\r\n\r\n{HIDDEN}"
        for size in (f"0\r\nContent-Length: {len(HIDDEN)}", f"{len(HIDDEN)}\r\nContent-Length: 0",
                     f"0, {len(HIDDEN)}", "+0", "-1", "0x0", "", "1e1", "\u0660")
    },
    "a piece of more than all": f"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{HIDDEN}",
    "a piece of less than nothing": f"Transfer-Encoding: chunked\r\n\r\n-1\r\n{HIDDEN}",
    "a piece with a comment": f"Transfer-Encoding: chunked\r\n\r\n2;\n{HIDDEN}\r\n0\r\n\r\n",
    "a length that holds it": f"Content-Length: {len(HIDDEN)}\r\nExpect: x\r\n\r\n{HIDDEN}",
}  # fmt: skip


@dataclass
class Asked:
    """A server, or the proxy before it, that is sent bytes as they are."""

    port: int
    is_tls: bool = False

    def count(self, sent: str) -> int:
        """Return how many answers come, until the end or for a second."""
        peer = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        if self.is_tls:
            peer = UNCHECKED.wrap_socket(peer, server_hostname="localhost")
        answers = bytearray()
        with peer:
            peer.sendall(sent.encode())
            peer.settimeout(1)
            try:
                while piece := peer.recv(65_536):
                    answers += piece
            except OSError:
                pass
        return len(re.findall(rb"HTTP/1\.[01] [2-5]\d\d", answers))


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("straight")
    Store(folder / "store.duckdb").close()
    server = Running(folder / "store.duckdb", folder / "server.log")
    server.start()
    yield server
    server.kill()


@pytest.mark.parametrize("name", few(IN_DOUBT, 5))
def test_one_request_gets_one_answer(straight: Running, name: str):
    assert Asked(straight.port).count(FORM + IN_DOUBT[name]) == 1


def test_two_requests_get_two(straight: Running):
    """What stands behind one whose end is clear is another: so what is hidden would be seen."""
    for clear in ("Content-Length: 0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"):
        assert Asked(straight.port).count(FORM + clear + HIDDEN) == 2


@long
def test_without_the_guard_what_is_hidden_is_answered(tmp_path: Path):
    Store(tmp_path / "store.duckdb").close()
    server = Running(tmp_path / "store.duckdb", tmp_path / "server.log", {"UNGUARDED": "gate"})
    server.app = "tests.faults.unguarded:app"
    server.start()
    try:
        assert Asked(server.port).count(FORM + IN_DOUBT["length and chunks"]) == 2
    finally:
        server.kill()


@long
@pytest.mark.skipif(find_proxy("nginx") is None, reason="no nginx: it is a package of most systems")
def test_behind_nginx_one_request_gets_one_answer(straight: Running, tmp_path: Path):
    proxy = Proxy("nginx", straight, tmp_path)
    proxy.start()
    try:
        asked = Asked(proxy.port, is_tls=True)
        counted = {name: asked.count(FORM + sent) for name, sent in IN_DOUBT.items()}
        assert asked.count(FORM + "Content-Length: 0\r\n\r\n" + HIDDEN) == 2
    finally:
        proxy.stop()
    assert counted == dict.fromkeys(IN_DOUBT, 1)
