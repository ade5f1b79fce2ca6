"""A proxy between a browser and a server that spoils pages to be judged, each in its own way.

It knows which pages have reached the browser whole, and which labels came after that: so it tells
of each label whether what was judged can have been seen, whatever the browser says.
"""

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from itsdangerous import URLSafeTimedSerializer

FAULTS = ("error 500", "never", "half", "late", "reset", "stalls", "error 404")
PIECE = 65_536
LATE = 2.0
"""Seconds until a page comes that comes late."""

ERROR = (
    b"HTTP/1.1 %d %s\r\nContent-Type: text/plain\r\nContent-Length: 21\r\n\r\nInternal Server Error"
)


class Given(NamedTuple):
    """A label as it passed by: of which item, in which state, and whether it can have been seen."""

    document: str
    state: str
    was_there: bool


@dataclass
class PageFaults:
    """Passes on what comes to ``port`` to a server, but pages as their documents are named.

    ``fault_of`` says what is wrong with a document's page; empty where nothing is. ``pages_of``
    gives the documents that are shown for an item. Unless ``has_ahead``, nothing is handed out
    ahead.
    """

    target: int
    fault_of: Callable[[str], str]
    pages_of: Callable[[str], Iterable[str]] = lambda item: (item,)
    is_on: bool = True
    has_ahead: bool = False
    healed: set[str] = field(default_factory=set)
    came: set[str] = field(default_factory=set)
    given: list[Given] = field(default_factory=list)
    spoilt: list[tuple[str, str]] = field(default_factory=list)
    asked: int = 0

    def __post_init__(self) -> None:
        """Listen on a free port."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._closed = threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        """Where browsers find the server."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def unseen(self) -> list[Given]:
        """The levels that were given to what had not come."""
        return [one for one in self.given if one.state == "level" and not one.was_there]

    def wait_for_rest(self, seconds: float = 2) -> None:
        """Wait until no page has been asked for in so long."""
        before = -1
        while before != self.asked:
            before = self.asked
            time.sleep(seconds)

    def close(self) -> None:
        """Be gone."""
        self._closed.set()
        self._listener.close()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(near,), daemon=True).start()

    def _serve(self, near: socket.socket) -> None:
        """Answer one request on its own connection, or join both sides for a socket that stays."""
        with contextlib.suppress(OSError), near:
            head, body = _read_request(near)
            if not head:
                return
            path = head.split(b" ", 2)[1].decode()
            if b"\r\nupgrade: websocket" in head.lower():
                return self._join(near, head + body)
            if path == "/api/labels":
                self._note(body)
            if path == "/api/ahead" and not self.has_ahead:
                return near.sendall(ERROR % (404, b"Error"))
            document = document_of(path)
            self.asked += bool(document)
            fault = self._fault(document)
            if fault == "late":
                time.sleep(LATE)
            elif fault:
                self.spoilt.append((document, fault))
                return self._spoil(near, head, fault)
            self._pass_on(near, _close_after(head) + body)
            if document:
                self.came.add(document)

    def _fault(self, document: str) -> str:
        return self.fault_of(document) if self.is_on and document not in self.healed else ""

    def _spoil(self, near: socket.socket, head: bytes, fault: str) -> None:
        if fault.startswith("error"):
            near.sendall(ERROR % (int(fault[-3:]), b"Error"))
        elif fault == "reset":
            near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        elif fault == "never":
            self._closed.wait()
        else:
            answer = b"".join(self._ask(_close_after(head)))
            near.sendall(answer[: len(answer) // 2])
            if fault == "stalls":
                self._closed.wait()

    def _ask(self, request: bytes) -> Iterator[bytes]:
        with socket.create_connection(("127.0.0.1", self.target)) as far:
            far.sendall(request)
            while piece := far.recv(PIECE):
                yield piece

    def _pass_on(self, near: socket.socket, request: bytes) -> None:
        for piece in self._ask(request):
            near.sendall(piece)

    def _join(self, near: socket.socket, begun: bytes) -> None:
        with socket.create_connection(("127.0.0.1", self.target)) as far:
            far.sendall(begun)
            back = threading.Thread(target=_pour, args=(far, near), daemon=True)
            back.start()
            _pour(near, far)
            back.join()

    def _note(self, body: bytes) -> None:
        for event in json.loads(body)["events"]:
            was_there = all(one in self.came for one in self.pages_of(event["document"]))
            self.given.append(Given(event["document"], event["state"], was_there))


def _pour(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while piece := source.recv(PIECE):
            sink.sendall(piece)
    for one in (source, sink):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def _read_request(near: socket.socket) -> tuple[bytes, bytes]:
    read = b""
    while b"\r\n\r\n" not in read:
        piece = near.recv(PIECE)
        if not piece:
            return b"", b""
        read += piece
    head, _, body = read.partition(b"\r\n\r\n")
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            while len(body) < int(line.partition(b":")[2]):
                body += near.recv(PIECE)
    return head + b"\r\n\r\n", body


def _close_after(head: bytes) -> bytes:
    kept = [one for one in head.split(b"\r\n")[:-2] if not one.lower().startswith(b"connection:")]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


def document_of(path: str) -> str:
    """Return which document an address of a page is for; empty where it is for none."""
    if not path.startswith("/api/page/"):
        return ""
    payload = path.removeprefix("/api/page/").rsplit(".", 2)[0]
    content: list[Any] = URLSafeTimedSerializer("none").load_payload(payload.encode())
    return str(content[1])


@contextlib.contextmanager
def spoil_pages(
    target: int, fault_of: Callable[[str], str], pages_of: Callable[[str], Iterable[str]]
) -> Iterator[PageFaults]:
    """Make a proxy to a port, and take it away."""
    proxy = PageFaults(target, fault_of, pages_of)
    try:
        yield proxy
    finally:
        proxy.close()
