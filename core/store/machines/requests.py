"""The requests of a job: on disk before they are sent, and what came of each."""

import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pandas as pd

from core.collection.labels.label_options import JUDGED
from core.errors import StoreInUse
from core.store.file.database import Rows, fetch, fetch_frame
from core.store.machines.jobs import JobItem
from core.store.store import Store, utc_now

ANSWERED, AGAIN, GIVEN_UP = "answered", "again", "given up"
UNSTRUCTURED, STOPPED = "unstructured", "stopped"
OUTCOMES = (ANSWERED, AGAIN, GIVEN_UP, UNSTRUCTURED, STOPPED)
"""What came of a request: an answer; a fault after which the item is asked again; one after which
it is not; a server that does not know structured answers, so that it is asked without; a fault
after which nobody is asked."""

_IDS = uuid.UUID("5a0f8f0e-6c1c-4a53-9d0b-0e9f6f1f8a31")
_REQUESTS = ("request_id", "job_id", "place", "attempt", "sent_at", "reserved")
_REPLIES = (
    "request_id", "job_id", "outcome", "reason", "status", "cost", "input_tokens",
    "output_tokens", "ended_at",
)  # fmt: skip
_BEGINNING = threading.Lock()

_OPEN = """
    SELECT place, event_id::VARCHAR AS event_id, topic_id, document_id, facet, engine,
        (SELECT count(*) FROM machine_requests AS sent
         WHERE sent.job_id = $1 AND sent.place = items.place) AS attempts,
        (SELECT count(*) FROM machine_requests AS sent JOIN machine_replies USING (request_id)
         WHERE sent.job_id = $1 AND sent.place = items.place AND outcome = 'again') AS failed
    FROM (FROM machine_items WHERE job_id = $1) AS items
    ANTI JOIN labels USING (event_id)
    WHERE place NOT IN (
        SELECT place FROM machine_requests JOIN machine_replies USING (request_id)
        WHERE machine_requests.job_id = $1 AND outcome = 'given up')
    ORDER BY place"""

_USED = """
    SELECT count(*) AS requests, coalesce(sum(
        CASE WHEN outcome IS NULL THEN reserved ELSE coalesce(cost, 0) END), 0) AS spent
    FROM machine_requests LEFT JOIN machine_replies USING (request_id)
    WHERE machine_requests.job_id = $1"""

_COUNTED = f"""
    WITH used AS ({_USED})
    SELECT count(*) AS items, count(*) FILTER (WHERE state = 'level') AS levels,
        count(*) FILTER (WHERE state = 'cannot judge') AS cannot_judge,
        count(*) FILTER (WHERE state = 'invalid answer') AS invalid,
        (SELECT count(DISTINCT place)
         FROM machine_requests JOIN machine_replies USING (request_id)
         WHERE machine_requests.job_id = $1 AND outcome = 'given up') AS given_up,
        (SELECT requests FROM used) AS requests, (SELECT spent FROM used) AS spent
    FROM (FROM machine_items WHERE job_id = $1) AS items LEFT JOIN labels USING (event_id)"""


@dataclass(frozen=True)
class OpenItem:
    """An item that has neither a label nor a reason for having none.

    ``attempts`` counts the requests sent for it, ``failed`` those after which it was to be asked
    again; one that was under way as a process died is an attempt that did not fail.
    """

    item: JobItem
    attempts: int
    failed: int


@dataclass(frozen=True)
class Tally:
    """How far a job is: items by what became of them, requests sent, and what they cost.

    ``spent`` takes a request without a known outcome at the most that it can have cost.
    """

    items: int
    levels: int
    cannot_judge: int
    invalid: int
    given_up: int
    requests: int
    spent: float

    @property
    def done(self) -> int:
        """Items that have a label or a reason for having none."""
        return self.levels + self.cannot_judge + self.invalid + self.given_up

    @property
    def open(self) -> int:
        """Items that are still to be asked."""
        return self.items - self.done


@dataclass(frozen=True)
class GivenUp:
    """An item without a label, and why it has none."""

    topic_id: str
    document_id: str
    facet: str
    engine: str
    reason: str


@dataclass(frozen=True)
class ReplyRecord:
    """What came of a request; ``cost`` is what it cost, or the most that it can have cost."""

    outcome: str
    reason: str = ""
    status: int | None = None
    cost: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


LOST = "The job stops: the database was away, and another run may have begun. Run it again."


@contextmanager
def hold_job(store: Store, job_id: str) -> Iterator[Callable[[], bool]]:
    """Have a job for one run, and what tells whether that is so still.

    Raises
    ------
    StoreInUse
        Another run of it is under way, here or on another server.
    """
    try:
        with store.database.hold(f"job {job_id}") as is_held:
            yield is_held
    except StoreInUse as error:
        raise StoreInUse(
            f"Another run of job {job_id} is under way. Wait until it has ended, or stop it."
        ) from error


def begin_request(
    store: Store,
    job_id: str,
    place: int,
    attempt: int,
    reserved: float,
    *,
    most_requests: int | None = None,
    most_spent: float | None = None,
) -> str:
    """Have it on disk that a request is about to be sent; returns the request's id.

    What is counted against the limits is what the store holds at this moment, from whatever server.

    Parameters
    ----------
    attempt : int
        Which request for this item it is, from 1.
    reserved : float
        The most that it can cost.
    most_requests, most_spent : int, float, optional
        The job's limits, this request included.

    Raises
    ------
    StoreInUse
        Another run of this job has sent it, or has used up a limit: nobody is asked twice.
    """
    request_id = str(uuid.uuid5(_IDS, f"{job_id} {place} {attempt}"))
    with _BEGINNING, store.database.append() as new:
        known = "SELECT 1 FROM machine_requests WHERE request_id = ?"
        ((requests, spent),) = store.database.run(_USED, [job_id])
        is_used_up = (most_requests is not None and requests >= most_requests) or (
            most_spent is not None and spent + reserved > most_spent
        )
        if is_used_up or store.database.run(known, [request_id]):
            raise StoreInUse(
                f"Another run of job {job_id} is under way. Wait until it has ended, or stop it."
            )
        row = (request_id, job_id, place, attempt, utc_now(), reserved)
        new.append(Rows("machine_requests", _REQUESTS, [row]))
    return request_id


def end_request(store: Store, job_id: str, request_id: str, reply: ReplyRecord) -> None:
    """Store what came of a request."""
    values = (reply.outcome, reply.reason, reply.status, reply.cost)
    row = (request_id, job_id, *values, reply.input_tokens, reply.output_tokens, utc_now())
    with store.database.append() as new:
        new.append(Rows("machine_replies", _REPLIES, [row]))


def list_open(store: Store, job_id: str) -> list[OpenItem]:
    """Return the items of a job that are still to be asked, in their order."""
    rows = fetch(store.cursor(), _OPEN, [job_id])
    return [
        OpenItem(attempts=row.pop("attempts"), failed=row.pop("failed"), item=JobItem(**row))
        for row in rows
    ]


def count_job(store: Store, job_id: str) -> Tally:
    """Return how far a job is."""
    return Tally(**fetch(store.cursor(), _COUNTED, [job_id])[0])


def knows_structured(store: Store, job_id: str) -> bool:
    """Tell whether the server of a job has not refused structured answers so far."""
    sql = "SELECT 1 FROM machine_replies WHERE job_id = ? AND outcome = ? LIMIT 1"
    return not fetch(store.cursor(), sql, [job_id, UNSTRUCTURED])


def list_given_up(store: Store, job_id: str) -> list[GivenUp]:
    """Return the items of a job that have no label, with the reason, in their order."""
    rows = fetch(
        store.cursor(),
        "SELECT topic_id, document_id, facet, engine, reason FROM machine_items AS items "
        "JOIN machine_requests AS sent USING (job_id, place) "
        "JOIN machine_replies AS replies USING (request_id) "
        "WHERE items.job_id = ? AND outcome = ? ORDER BY place",
        [job_id, GIVEN_UP],
    )
    return [GivenUp(**row) for row in rows]


_WITHOUT_LEVEL = f"""
    WITH items AS (FROM machine_items WHERE job_id = $1),
    found AS (
        SELECT items.place AS place, items.topic_id AS topic_id,
            items.document_id AS document_id, items.engine AS engine, labels.state AS state,
            coalesce(given.reason, '') AS reason
        FROM items JOIN labels ON labels.event_id = items.event_id
        LEFT JOIN machine_answers AS given ON given.event_id = items.event_id
        WHERE labels.state <> '{JUDGED}'
        UNION ALL
        SELECT items.place, items.topic_id, items.document_id, items.engine, '{GIVEN_UP}',
            replies.reason
        FROM items JOIN machine_requests AS sent
            ON sent.job_id = items.job_id AND sent.place = items.place
        JOIN machine_replies AS replies ON replies.request_id = sent.request_id
        WHERE replies.outcome = '{GIVEN_UP}')
    SELECT topic_id, document_id, engine, state, reason FROM found ORDER BY place"""


def read_without_level(store: Store, job_id: str) -> pd.DataFrame:
    """Return the items of a job that are done and have no level, in their order.

    Returns
    -------
    DataFrame
        topic_id, document_id, engine, state ("cannot judge", "invalid answer" or "given up") and
        reason: the model's own, why its answer could not be read, or how the last request failed.
    """
    return fetch_frame(store.cursor(), _WITHOUT_LEVEL, [job_id])
