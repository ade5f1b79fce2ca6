"""Assessors whose browsers keep every judgement until the server has answered for it."""

import http.client
import json
import random
import threading
import time
import uuid
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from itsdangerous import URLSafeTimedSerializer

from core.assessment.handing_out.assignment_content import Step
from core.assessment.intake.judging import Grant
from core.command.check import check_place
from core.place import Place
from core.store.file.database import fetch
from core.store.store import Store
from tests.bench.clients import event_for
from tests.bench.collection import Prepared

ROWS = """SELECT event_id::VARCHAR AS event_id, supersedes::VARCHAR AS supersedes, sequence,
    topic_id AS topic, document_id AS document, facet, occasion, assessor_id, state, level,
    dwell_ms, comment, client_time, stale, collection_id FROM labels ORDER BY sequence"""
CONTENT = ("supersedes", "topic", "document", "facet", "occasion", "state", "level", "dwell_ms",
           "comment", "client_time")  # fmt: skip


@dataclass
class Assessor:
    """One tab of one assessor: it judges, revises, and sends what waits until it is answered.

    ``acknowledged`` holds the sequence of each event that the server has answered for.
    ``unheard`` is the share of requests whose answer never arrives.
    """

    port: int
    secret: str
    grant: Grant
    session_id: str
    steps: list[Step]
    rng: random.Random
    unheard: float = 0.1
    pause: float = 0.03
    client_time: str = "2026-03-02T09:00:00Z"
    made: dict[str, dict[str, Any]] = field(default_factory=dict)
    waiting: list[dict[str, Any]] = field(default_factory=list)
    acknowledged: dict[str, int] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    _standing: dict[Step, str] = field(default_factory=dict)

    def run(self, stop: threading.Event, patience: float = 60) -> None:
        """Judge until told to stop, then go on sending until nothing waits."""
        end = None
        while not stop.is_set() or self.waiting:
            if not stop.is_set() and len(self.waiting) < 30:
                self.judge()
            self.send()
            end = end or (time.monotonic() + patience if stop.is_set() else None)
            if end and time.monotonic() > end:
                self.faults.append(f"{len(self.waiting)} events were never answered for")
                return
            time.sleep(self.rng.random() * 2 * self.pause)

    def judge(self) -> None:
        """Judge something, or revise what was judged before."""
        step = self.rng.choice(self.steps)
        event = event_for(step, self.rng.randrange(4), self._standing.get(step))
        event["event_id"] = str(uuid.UUID(int=self.rng.getrandbits(128), version=4))
        event |= {"dwell_ms": self.rng.randrange(5000), "client_time": self.client_time}
        self._standing[step] = str(event["event_id"])
        self.made[str(event["event_id"])] = event
        self.waiting.append(event)

    def send(self) -> None:
        """Send the oldest events that wait; what is not answered for stays."""
        batch = self.waiting[: self.rng.randint(1, 5)]
        if not batch:
            return
        signer = URLSafeTimedSerializer(self.secret, salt="judge in a session")
        token = signer.dumps([asdict(self.grant), self.session_id])
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("POST", "/api/labels", json.dumps({"events": batch}), headers)
            if self.rng.random() < self.unheard:
                time.sleep(self.rng.random() * 0.02)
                self.answers["unheard"] += 1
                return
            response = connection.getresponse()
            answer = json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError):
            self.answers["cut off"] += 1
            time.sleep(0.05)
            return
        finally:
            connection.close()
        self.answers[str(response.status)] += 1
        if response.status == 200:
            self._settle(answer["acks"])

    def _settle(self, acks: list[dict[str, Any]]) -> None:
        for ack in acks:
            event_id = ack["event_id"]
            if ack["status"] not in ("saved", "stale"):
                self.faults.append(f"refused: {ack['reason']}")
            elif self.acknowledged.setdefault(event_id, ack["sequence"]) != ack["sequence"]:
                self.faults.append(f"{event_id} was acknowledged with two sequences")
            self._standing[self._step_of(event_id)] = ack["current"]["event_id"]
        answered = {ack["event_id"] for ack in acks}
        self.waiting = [one for one in self.waiting if one["event_id"] not in answered]
        for event in self.waiting:
            self._standing[self._step_of(event["event_id"])] = event["event_id"]

    def _step_of(self, event_id: str) -> Step:
        event = self.made[event_id]
        return next(one for one in self.steps if one.document_id == event["document"])


@dataclass
class Tally:
    """What became of the events of several assessors; only the first three may differ from 0."""

    made: int = 0
    acknowledged: int = 0
    stale: int = 0
    lost: int = 0
    duplicates: int = 0
    altered: int = 0
    unknown: int = 0
    out_of_sequence: int = 0
    store_faults: int = 0
    client_faults: int = 0

    def is_clean(self) -> bool:
        """Tell whether every promise was kept."""
        return not any(list(asdict(self).values())[3:])

    def __str__(self) -> str:
        """Return the counts as one line."""
        return ", ".join(
            f"{value} {name.replace('_', ' ')}" for name, value in asdict(self).items()
        )


def make_assessors(port: int, prepared: Prepared, seed: int, **options: Any) -> list[Assessor]:
    """Return the assessors of a prepared store, each with numbers of their own."""
    return [
        Assessor(port, prepared.secret, grant, session, steps, random.Random(seed + n), **options)
        for n, (grant, session, steps) in enumerate(
            zip(prepared.grants, prepared.sessions, prepared.steps, strict=True)
        )
    ]


class Crowd:
    """Assessors who judge at the same time, each in a thread."""

    def __init__(self, assessors: list[Assessor]) -> None:
        self.assessors = assessors
        self._stop = threading.Event()
        self._threads = [
            threading.Thread(target=one.run, args=(self._stop,), daemon=True) for one in assessors
        ]

    def begin(self) -> None:
        """Let all begin."""
        for thread in self._threads:
            thread.start()

    def finish(self) -> None:
        """Let nobody judge any more, and wait until everything is answered for."""
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def count(self, what: str) -> int:
        """Return how many requests met with an answer, such as "507" or "cut off"."""
        return sum(one.answers[what] for one in self.assessors)


def tally(place: Place, assessors: list[Assessor], but: str = "") -> Tally:
    """Compare a store that nobody holds with what its assessors made and saw acknowledged.

    Events of one collection may be left out: ``but`` its sequences.
    """
    found = Tally(store_faults=sum(len(one.faults) for one in check_place(place)))
    store = Store(place)
    rows = fetch(store.cursor(), ROWS)
    store.close()
    found.out_of_sequence = sum(row["sequence"] != n for n, row in enumerate(rows, start=1))
    rows = [row for row in rows if row["collection_id"] != but]
    by_id = {row["event_id"]: row for row in rows}
    found.duplicates = len(rows) - len(by_id)
    found.stale = sum(row["stale"] for row in rows)
    for one in assessors:
        found.made += len(one.made)
        found.acknowledged += len(one.acknowledged)
        found.client_faults += len(one.faults)
        found.lost += sum(event_id not in by_id for event_id in one.acknowledged)
        found.altered += sum(
            is_altered(one, event_id, by_id[event_id]) for event_id in one.made if event_id in by_id
        )
    found.unknown = len(by_id.keys() - {known for one in assessors for known in one.made})
    return found


def is_altered(assessor: Assessor, event_id: str, row: dict[str, Any]) -> bool:
    """Tell whether what is stored is not what was judged, or not in the place that was told."""
    made = assessor.made[event_id]
    told = assessor.acknowledged.get(event_id, row["sequence"])
    return (
        any(row[name] != made[name] for name in CONTENT)
        or row["assessor_id"] != assessor.grant.assessor_id
        or row["sequence"] != told
    )
