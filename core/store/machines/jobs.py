"""Jobs of machines: who had which machine judge what, how it was asked, and for how much."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from datetime import datetime

from core.errors import NotFound
from core.store.file.database import fetch
from core.store.store import Store


@dataclass(frozen=True)
class JobRecord:
    """A job as it is stored; nothing of it ever changes.

    Parameters
    ----------
    started_by : str
        The person's id; empty for the command line.
    endpoint : str
        The address that is asked, without credentials.
    parameters, part : str
        How the model is asked, and which part of the collection is judged, as JSON.
    tries : int
        How often an item is asked before it is given up.
    most_requests : int or None
        Requests that may be sent; None without a limit.
    most_money : float or None
        What they may cost, in the currency of the prices; None without a limit.
    input_price, output_price : float or None
        For a million tokens.
    """

    job_id: str
    collection_id: str
    assessor_id: str
    started_by: str
    started_at: datetime
    endpoint: str
    model: str
    prompt_hash: str
    parameters: str
    part: str
    tries: int
    most_requests: int | None = None
    most_money: float | None = None
    input_price: float | None = None
    output_price: float | None = None


@dataclass(frozen=True)
class JobItem:
    """One item of a job: its place in the order, and the event that its label will be."""

    place: int
    event_id: str
    topic_id: str
    document_id: str
    facet: str
    engine: str


def insert_job(store: Store, job: JobRecord, items: Sequence[JobItem]) -> None:
    """Store a job with its items, in their order."""
    subject, detail = f"machine job {job.job_id}", f"{len(items):,} items, {job.model}"
    marks = ", ".join("?" * len(fields(job)))
    with store.change(job.collection_id, "start", subject, detail, job.started_by) as cursor:
        cursor.execute(f"INSERT INTO machine_jobs VALUES ({marks})", list(astuple(job)))
        columns = [list(column) for column in zip(*map(astuple, items), strict=True)]
        unnested = ", ".join(
            f"unnest(${place}::{kind}[])"
            for place, kind in enumerate(("INTEGER", "UUID", *["VARCHAR"] * 4), start=2)
        )
        cursor.execute(f"INSERT INTO machine_items SELECT $1, {unnested}", [job.job_id, *columns])


def get_job(store: Store, job_id: str) -> JobRecord:
    """Return one job; raises NotFound."""
    rows = fetch(store.cursor(), "FROM machine_jobs WHERE job_id = ?", [job_id])
    if not rows:
        raise NotFound(f"There is no machine job {job_id}; 'dissent judge --list' shows them.")
    return JobRecord(**rows[0])


def list_jobs(store: Store, collection_id: str) -> list[JobRecord]:
    """Return the jobs of a collection, oldest first."""
    rows = fetch(
        store.cursor(),
        "FROM machine_jobs WHERE collection_id = ? ORDER BY started_at, job_id",
        [collection_id],
    )
    return [JobRecord(**row) for row in rows]
