"""A real machine that is told: an HTTP or HTTPS server on the loopback interface."""

import json
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


@dataclass
class Receiver:
    """What came in, and what is answered: the statuses in turn, then the last one for ever."""

    statuses: list[int] = field(default_factory=lambda: [204])
    location: str = ""
    port: int = 0
    messages: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    @property
    def told(self) -> list[dict[str, Any]]:
        """The messages that came in."""
        return [json.loads(body) for _, body in self.messages]

    def answer(self) -> int:
        """Return what is answered next."""
        return self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]


@contextmanager
def receive(
    receiver: Receiver, machine: str = "127.0.0.1", *, port: int = 0, files: Path | None = None
) -> Iterator[Receiver]:
    """Listen on a machine's port; with a folder for a certificate, by TLS."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            receiver.messages.append((dict(self.headers.items()), body))
            receiver.paths.append(self.path)
            self.send_response(receiver.answer())
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST  # noqa: N815  # the name is http.server's

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """A client that does not trust the certificate breaks off: so it should."""

    server = Server((machine, port), Handler)
    if files is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(make_certificate(files))
        server.socket = context.wrap_socket(server.socket, server_side=True)
    receiver.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def make_certificate(folder: Path) -> Path:
    """Write a certificate of ``localhost`` that vouches for itself, with its key; one file."""
    file = folder / "localhost.pem"
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *("-nodes", "-subj", "/CN=localhost", "-days", "2", "-addext", names),
            *("-keyout", folder / "key.pem", "-out", folder / "certificate.pem"),
        ],
        check=True,
        capture_output=True,
    )
    parts = [(folder / name).read_text() for name in ("key.pem", "certificate.pem")]
    file.write_text("".join(parts))
    return file
