"""A collection of made-up runs, and rounds of it that judge a sample of their pool."""

import uuid
from zlib import crc32

import numpy as np

from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.labels import LabelEvent
from core.store.people.members import add_member
from core.store.store import Store

TOPICS = ("t1", "t2", "t3")
STRATIFIED = "stratified(until=(3, 8), rates=(1.0, 0.5, 0.3))"
SYSTEMS, DEPTH = 4, 15


def make_collection(store: Store, called: str = "Sampled") -> str:
    """Make a collection of three topics and four runs, which share some of their documents."""
    collection_id = create_collection(store, called)
    rng = np.random.default_rng(22)
    runs = [
        f"{topic} Q0 {topic}d{document:02} {rank} {50 - rank} s{system}"
        for system in range(SYSTEMS)
        for topic in TOPICS
        for rank, document in enumerate(rng.permutation(30)[:DEPTH], start=1)
    ]
    pages = [f"{topic}d{document:02}\tT\tsaid" for topic in TOPICS for document in range(30)]
    for kind, lines in (
        ("topics", [f"{topic}\tquery of {topic}" for topic in TOPICS]),
        ("documents", ["id\ttitle\ttext", *pages]),
        ("runs", runs),
    ):
        text = "\n".join(lines) + "\n"
        write_import(store, collection_id, read_import(kind, Source(f"{kind}.tsv", text.encode())))
    for name in ("anna", "bob"):
        add_member(store, collection_id, name, name)
    return collection_id


def open_sampled(store: Store, collection_id: str, order: str = STRATIFIED, **plan: object) -> str:
    """Open a round in which one assessor judges each page that the order chooses."""
    wanted = {"judges": 1, "flow": "page only", "depth": DEPTH, "batch_size": 4, **plan}
    return open_round(store, collection_id, Plan(order=order, **wanted))


def find_level(document_id: str) -> int:
    """Return the level that everybody gives a page."""
    return int(crc32(document_id.encode()) % 3)


def judge_all(
    store: Store, collection_id: str, batches: int | None = None, unknown: str = ""
) -> None:
    """Judge what is handed out, by two in turn; all of it or so many batches.

    Parameters
    ----------
    unknown : str, optional
        A document that nobody can judge.
    """
    number = 0
    while batches is None or number < batches:
        held = take_assignment(store, collection_id, ("anna", "bob")[number % 2])
        if held is None:
            return
        events = []
        for step in lay_out(store, held).steps:
            key = step.key(held.assessor_id)
            said = ("cannot judge", None) if step.document_id == unknown else (
                "level", find_level(step.document_id)
            )  # fmt: skip
            events.append(LabelEvent(str(uuid.uuid4()), None, key, *said))
        store.labels.append(collection_id, events)
        finish_assignment(store, held)
        number += 1
