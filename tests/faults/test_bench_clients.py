"""The simulated assessor of the benchmarks: it goes on where it stopped, and round again."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from core.assessment.handing_out.assignment_content import Step
from core.assessment.intake.judging import Grant
from tests.bench.clients import Client
from tests.bench.live import send_one

STEPS = [Step("t1", f"d{number}", "page") for number in range(3)]


@pytest.fixture
def intake() -> Iterator[tuple[int, list[dict]]]:
    """An intake that acknowledges what it gets; its port, and the events."""
    events: list[dict] = []

    class Intake(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            events.extend(json.loads(body)["events"])
            answer = json.dumps({"acks": [{"status": "saved"}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Intake)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port, events
    server.shutdown()
    server.server_close()


def test_more_labels_than_a_topic_has_steps(intake: tuple[int, list[dict]]):
    port, events = intake
    client = Client(port, "secret", Grant("c", "p", "r", "t1", 0), "session", STEPS)
    for _ in range(7):
        send_one(client)
    assert [one["document"] for one in events] == ["d0", "d1", "d2", "d0", "d1", "d2", "d0"]
    # Each lap gives other levels, and replaces what the lap before has said.
    assert [one["level"] for one in events] == [0, 1, 2, 1, 2, 3, 2]
    assert events[3]["supersedes"] == events[0]["event_id"]
    assert events[0]["supersedes"] is None


def test_a_sender_that_fails_is_not_waited_for(intake: tuple[int, list[dict]]):
    client = Client(intake[0], "secret", Grant("c", "p", "r", "t1", 0), "session", [])
    with pytest.raises(ZeroDivisionError):
        send_one(client)
