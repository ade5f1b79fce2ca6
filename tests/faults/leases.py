"""People who take batches ahead, judge them and come back for more, over HTTP and under faults."""

import http.client
import json
import random
import threading
import time
import uuid
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import Any

from itsdangerous import URLSafeTimedSerializer

from core.assessment.intake.judging import Grant
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.place import Place
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.file.database import fetch
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session, hash_token
from core.store.rounds.rounds import read_slots
from core.store.store import Store


@dataclass(frozen=True)
class Shared:
    """A round that several people take from: its collection, and who they are, by session."""

    collection_id: str
    secret: str
    people: dict[str, str]
    topics: int
    judges: int


def share_work(place: Place, *, people: int, topics: int, judges: int) -> Shared:
    """Open a round whose batches go to whoever comes first."""
    with closing(Store(place)) as store:
        collection_id = create_collection(store, "Shared")
        queries = "".join(f"t{n}\tquery {n}\n" for n in range(topics))
        names = [f"t{t}-{d}" for t in range(topics) for d in (1, 2)]
        documents = "\n".join(["id\ttitle\ttext", *(f"{name}\tT\tsaid" for name in names)])
        lines = [f"{name[:-2]}\tone\t{name}\t{name[-1]}\tsaid" for name in names]
        results = "\n".join(["topic\tengine\tdocument\trank\tsnippet", *lines])
        for kind, text in (("topics", queries), ("documents", documents), ("results", results)):
            write_import(store, collection_id, read_import(kind, Source("f.tsv", text.encode())))
        ids = [add_person(store, f"Taker {n}", "assessor") for n in range(people)]
        for one in ids:
            add_member(store, collection_id, one, one)
        open_round(store, collection_id, Plan(judges=judges, flow="page only"))
        sessions = {one: hash_token(begin_session(store, one)) for one in ids}
        return Shared(collection_id, store.secret, sessions, topics, judges)


@dataclass
class Taker:
    """One person: takes batches ahead, judges them, and sends until it is answered."""

    port: int
    shared: Shared
    person: str
    rng: random.Random
    pause: float
    acknowledged: set[str] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    is_done: bool = False

    def run(self, stop: threading.Event) -> None:
        """Work until nothing is left or one is told to stop."""
        while not (self.is_done or stop.is_set()):
            given = self._ask("GET", "/api/ahead")
            if given is not None:
                self.is_done = not given["assignments"]
                for assignment in given["assignments"]:
                    self._judge(assignment, stop)
            time.sleep(self.rng.random() * self.pause)

    def _judge(self, assignment: dict[str, Any], stop: threading.Event) -> None:
        for step in assignment["steps"]:
            if step["label"] is not None:
                continue
            named = {name: step[name] for name in ("topic", "document", "facet", "engine")}
            event = {
                **named,
                **{"event_id": str(uuid.uuid4()), "supersedes": None, "state": "level"},
                **{"occasion": step["occasion"], "level": 1, "dwell_ms": 5, "comment": ""},
                "assignment": assignment["assignment"],
            }
            while not stop.is_set():
                answer = self._ask("POST", "/api/labels", {"events": [event]})
                if answer is not None:
                    (ack,) = answer["acks"]
                    if ack["status"] == "refused":
                        self.faults.append(ack["reason"])
                    else:
                        self.acknowledged.add(ack["event_id"])
                    break
                time.sleep(0.05)
            time.sleep(self.rng.random() * self.pause)

    def _ask(self, method: str, path: str, body: object = None) -> dict[str, Any] | None:
        """Return an answer; None where there was none, or a refusal for the moment."""
        signer = URLSafeTimedSerializer(self.shared.secret, salt="judge in a session")
        grant = asdict(Grant(self.shared.collection_id, self.person))
        token = signer.dumps([grant, self.shared.people[self.person]])
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=15)
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            response = connection.getresponse()
            answer: dict[str, Any] = json.loads(response.read())
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()
        if response.status in (401, 403, 422):
            self.faults.append(f"{path} answered {response.status}: {answer}")
        return answer if response.status == 200 else None


class Takers:
    """Several people who take from one round at the same time."""

    def __init__(self, port: int, shared: Shared, seed: int, pause: float) -> None:
        self._stop = threading.Event()
        self.takers = [
            Taker(port, shared, person, random.Random(seed + number), pause)
            for number, person in enumerate(shared.people)
        ]
        self._threads = [
            threading.Thread(target=one.run, args=(self._stop,), daemon=True) for one in self.takers
        ]

    def begin(self) -> None:
        """Let all begin."""
        for one in self._threads:
            one.start()

    def finish(self, seconds: float) -> None:
        """Wait until nothing is left to take; tell all to stop after some time."""
        end = time.monotonic() + seconds
        for one in self._threads:
            one.join(max(0.0, end - time.monotonic()))
        self._stop.set()
        for one in self._threads:
            one.join()


@dataclass(frozen=True)
class Leases:
    """What became of a round's places."""

    places: int
    held: int
    finished: int
    doubled: int
    unrecorded: int
    lost: int

    def __str__(self) -> str:
        """Return the counts as one line."""
        return ", ".join(f"{value} {name}" for name, value in asdict(self).items())


def count_leases(place: Place, shared: Shared, takers: Takers) -> Leases:
    """Compare the places of a round with who holds them by the record, and with their labels."""
    with closing(Store(place)) as store:
        slots = read_slots(store.cursor(), shared.collection_id)
        taken = fetch(
            store.cursor(),
            "SELECT subject, person_id FROM changes WHERE collection_id = ? AND what = 'take'",
            [shared.collection_id],
        )
        rows = fetch(
            store.cursor(),
            "SELECT event_id::VARCHAR AS event_id FROM labels WHERE collection_id = ?",
            [shared.collection_id],
        )
    known = {row["event_id"] for row in rows}
    held = [slot for slot in slots if slot.assessor_id]
    record = Counter((row["subject"].split()[2], row["person_id"]) for row in taken)
    pairs = Counter((slot.topic_id, slot.assessor_id) for slot in held)
    return Leases(
        places=len(slots),
        held=len(held),
        finished=sum(slot.finished_at is not None for slot in slots),
        doubled=sum(count - 1 for count in pairs.values()),
        unrecorded=sum(pair not in record for pair in pairs),
        lost=sum(one not in known for taker in takers.takers for one in taker.acknowledged),
    )
