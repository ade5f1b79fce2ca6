"""Simulated assessors: they send labels over HTTP as the judging screen does."""

import http.client
import json
import threading
import time
import uuid
from dataclasses import asdict, dataclass, field

from itsdangerous import URLSafeTimedSerializer

from core.assessment.handing_out.assignment_content import Step
from core.assessment.intake.judging import Grant


@dataclass
class Client:
    """One assessor who judges step after step, waiting ``pause`` seconds between labels.

    After the last step comes the first again, with another level; ``place`` counts all labels.
    """

    port: int
    secret: str
    grant: Grant
    session_id: str
    steps: list[Step]
    pause: float = 0.0
    milliseconds: list[float] = field(default_factory=list)
    place: int = 0
    before: dict[Step, str] = field(default_factory=dict)

    def run(self, until: float, stop: threading.Event) -> None:
        """Judge until a moment of the monotonic clock, or until told to stop."""
        signer = URLSafeTimedSerializer(self.secret, salt="judge in a session")
        token = signer.dumps([asdict(self.grant), self.session_id])
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        while time.monotonic() < until and not stop.is_set():
            laps, number = divmod(self.place, len(self.steps))
            step = self.steps[number]
            event = event_for(step, number + laps, self.before.get(step))
            self.before[step] = str(event["event_id"])
            self.place += 1
            started = time.perf_counter()
            connection.request("POST", "/api/labels", json.dumps({"events": [event]}), headers)
            answer = json.loads(connection.getresponse().read())
            self.milliseconds.append(1000 * (time.perf_counter() - started))
            if answer["acks"][0]["status"] != "saved":
                raise RuntimeError(f"a label was not saved: {answer}")
            stop.wait(self.pause)
        connection.close()


def event_for(step: Step, place: int, before: str | None) -> dict[str, object]:
    """Return a label event as the judging screen makes it."""
    return {
        "event_id": str(uuid.uuid4()),
        "supersedes": before,
        "topic": step.topic_id,
        "document": step.document_id,
        "facet": step.facet,
        "engine": step.engine,
        "occasion": step.occasion,
        "state": "level",
        "level": place % 4,
        "dwell_ms": 1000,
        "comment": "",
        "client_time": "2026-03-02T09:00:00Z",
        "paradata": {"shown_ms": 1000, "given_by": "mouse", "place": place % 4, "x": 400, "y": 950},
    }


def run_all(clients: list[Client], seconds: float) -> None:
    """Let clients judge side by side for some seconds; raises what any of them raised."""
    stop, until, errors = threading.Event(), time.monotonic() + seconds, []

    def work(client: Client) -> None:
        try:
            client.run(until, stop)
        except Exception as error:
            errors.append(error)
            stop.set()

    threads = [threading.Thread(target=work, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def percentile(values: list[float], share: float) -> float:
    """Return the value below which a share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
