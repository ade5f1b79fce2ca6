"""A server that speaks the chat protocol, answers as it is told, and counts what it is asked."""

import json
import re
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ITEM = re.compile(r"ITEM (\w+)")
BLOCK = re.compile(r"^<<< text (\w+)\n(.*)\nend of text \1 >>>$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Asked:
    """One request: about which item, for the how manyth time, and all of it."""

    item: str
    count: int
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def question(self) -> str:
        return str(self.body["messages"][-1]["content"])

    @property
    def block(self) -> str:
        """What is between the lines that carry the code."""
        (found,) = BLOCK.findall(self.question)
        return str(found[1])

    @property
    def outside(self) -> str:
        """Everything but that."""
        first = "".join(one["content"] for one in self.body["messages"][:-1])
        return first + BLOCK.sub("", self.question)


@dataclass(frozen=True)
class Told:
    """What the server does: answers with a status, stalls, or breaks off after some bytes."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    stall: float = 0.0
    breaks_after: int | None = None


Behaviour = Callable[[Asked], Told]


def say(content: str | None, **more: Any) -> Told:
    """Answer with a message; ``usage`` and the rest of the choice as given."""
    usage = more.pop("usage", {"prompt_tokens": 100, "completion_tokens": 20})
    message = {"role": "assistant", "content": content, "refusal": more.pop("refusal", None)}
    choice = {"index": 0, "message": message, "finish_reason": "stop", **more}
    told = {"id": "x", "object": "chat.completion", "choices": [choice], "usage": usage}
    return Told(body=json.dumps(told).encode())


def judge(level: object, reason: str = "It says so.") -> Told:
    return say(json.dumps({"reason": reason, "level": str(level)}))


def fail(status: int, message: str = "out of order", **headers: str) -> Told:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Told(status, json.dumps({"error": {"message": message}}).encode(), named)


class Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that does not trust the certificate breaks off: so it should."""


class ChatServer:
    """The server; ``behave`` decides what it does with each request."""

    def __init__(self, behave: Behaviour, certificate: Path | None = None) -> None:
        self.behave = behave
        self._scheme = "http" if certificate is None else "https"
        self.asked: list[Asked] = []
        self.counts: Counter[str] = Counter()
        self.most_at_once = 0
        self._under_way = 0
        self._lock = threading.Lock()
        self._http = Quiet(("127.0.0.1", 0), self._make_handler())
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self._http.socket = context.wrap_socket(self._http.socket, server_side=True)
        self._thread = threading.Thread(target=self._http.serve_forever, args=[0.02], daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"{self._scheme}://127.0.0.1:{self._http.server_address[1]}/v1"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def take(self, raw: bytes, headers: dict[str, str]) -> Told:
        body = json.loads(raw)
        found = ITEM.search(body["messages"][-1]["content"])
        item = found[1] if found else ""
        with self._lock:
            self.counts[item] += 1
            asked = Asked(item, self.counts[item], body, headers)
            self.asked.append(asked)
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            return self.behave(asked)
        finally:
            with self._lock:
                self._under_way -= 1

    def _make_handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                if self.path != "/v1/chat/completions":
                    self.send_error(404)
                    return
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                told = server.take(raw, dict(self.headers))
                try:
                    self._tell(told)
                except OSError:
                    self.close_connection = True  # whoever asked is gone

            def _tell(self, told: Told) -> None:
                threading.Event().wait(told.stall)
                if told.breaks_after == 0:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send_response(told.status)
                for name, value in told.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(told.body)))
                self.end_headers()
                self.wfile.write(told.body[: told.breaks_after])

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler
