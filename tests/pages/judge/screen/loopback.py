"""A small server for the modules: a blank page, the files of the screen, and an intake."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

SCREEN = Path(__file__).parents[4] / "pages" / "judge" / "screen"
KINDS = {".js": "text/javascript", ".html": "text/html", ".css": "text/css"}

Event = dict[str, Any]


class Answer(NamedTuple):
    """What the intake says: a status, and a body that may be no JSON."""

    status: int
    body: Any


def acknowledge(events: list[Event]) -> Answer:
    """Answer as the real intake does when all is well."""
    return Answer(200, {"acks": [{"event_id": one["event_id"], "status": "new"} for one in events]})


def refuse(status: int, error: str = "") -> Callable[[list[Event]], Answer]:
    """Return an answer that takes nothing."""
    return lambda _: Answer(status, {"error": error})


class Intake:
    """Takes batches of events and answers as a test wants it to."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget everything, and acknowledge from now on."""
        self.batches: list[list[Event]] = []
        self.tokens: list[str] = []
        self.answer: Callable[[list[Event]], Answer] = acknowledge
        self.asked: list[dict[str, Any]] = []
        self.told: Callable[[], Answer] = lambda: Answer(200, {"told": []})

    def take(self, token: str, events: list[Event]) -> Answer:
        """Note a batch and answer it."""
        self.batches.append(events)
        self.tokens.append(token)
        return self.answer(events)

    def tell(self, asked: dict[str, Any]) -> Answer:
        """Note that somebody asks what a machine said, and answer it."""
        self.asked.append(asked)
        return self.told()

    @property
    def events(self) -> list[Event]:
        """All events that came, in order."""
        return [event for batch in self.batches for event in batch]


class _Handler(BaseHTTPRequestHandler):
    server: "Loopback"

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        path = self.path.removeprefix("/screen/")
        if path == self.path:
            self._send(200, "text/html", b"<!doctype html><title>Blank</title>")
        elif (file := SCREEN / path).is_file():
            self._send(200, KINDS[file.suffix], file.read_bytes())
        else:
            self._send(404, "text/plain", b"")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers["Referer"] != self.server.page:
            self._send(410, "text/plain", b"")  # from a page that an earlier test left
            return
        intake = self.server.intake
        if self.path == "/told":
            answer = intake.tell(body)
        else:
            answer = intake.take(self.headers["Authorization"], body["events"])
        text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
        self._send(answer.status, "application/json", text.encode())

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Access-Control-Allow-Origin", "*")  # for frames without an origin
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing of requests."""


class Loopback(ThreadingHTTPServer):
    """The server, on a free port of the loopback interface."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.number = 0
        self.asked: list[str] = []
        self.turn()

    def turn(self) -> None:
        """Turn to another page: what is sent from earlier ones counts no more."""
        self.number += 1
        self.asked.clear()
        self.intake = Intake()

    @property
    def page(self) -> str:
        """The address of the blank page."""
        return f"http://127.0.0.1:{self.server_port}/{self.number}"


@contextmanager
def serve() -> Iterator[Loopback]:
    """Run the server while a test session lasts."""
    with Loopback() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
