"""What choosing the next batch of a live round takes: ``python -m tests.bench.ordered_rounds``.

50 topics × 38 runs × depth 100. Each time is that of handing out a batch that is chosen for it,
with all that belongs to it: labels read, order told, places written, committed.
"""

import argparse
import tempfile
import time
import uuid
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pandas as pd

from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.records import Import
from core.orders.base import ORDERS
from core.place import Address, Place
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.rounds import read_batch
from core.store.store import Store
from tests.bench.clients import percentile
from tests.bench.made_up_runs import draw, lay_out_qrels, lay_out_runs
from tests.postgres import SAFE, Cluster

TOPICS, SYSTEMS, DEPTH, BATCH = 50, 38, 100, 5


def main() -> None:
    """Print how long choosing takes, for every suggested order or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", nargs="*", default=[])
    parser.add_argument("--batches", type=int, default=200)
    parser.add_argument("--postgresql", action="store_true")
    chosen = parser.parse_args()
    suggested = ORDERS.suggested()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        place: Place = Path(folder) / "store.duckdb"
        if chosen.postgresql:
            place = Address(stack.enter_context(closing(Cluster(*SAFE))).make())
        measure(place, chosen.orders or suggested, chosen.batches)


def measure(place: Place, orders: list[str], batches: int) -> None:
    """Print the times of handing out batches that are chosen, of which labels come in."""
    with closing(Store(place)) as store:
        collection_id, levels = fill(store)
        (person,) = [add_person(store, "Person", "assessor")]
        add_member(store, collection_id, person, person)
        for order in orders:
            plan = Plan(judges=1, depth=DEPTH, flow="page only", order=order, batch_size=BATCH)
            begun = time.perf_counter()
            open_round(store, collection_id, plan)
            opened = time.perf_counter() - begun
            times = judge(store, collection_id, person, levels, batches)
            first, rest = times[0], times[1:]
            print(
                f"{order}: opened in {opened:.1f} s, first batch {first:.0f} ms, then "
                f"ms p50 {percentile(rest, 0.5):.1f} p95 {percentile(rest, 0.95):.1f} "
                f"most {max(rest):.1f}",
                flush=True,
            )
            store.database.run("UPDATE rounds SET closed_at = created_at")


def judge(
    store: Store, collection_id: str, person: str, levels: dict[tuple[str, str], int], batches: int
) -> list[float]:
    """Judge some batches, and return the milliseconds until each was handed out."""
    times = []
    for _ in range(batches):
        begun = time.perf_counter()
        taken = take_assignment(store, collection_id, person)
        times.append(1000 * (time.perf_counter() - begun))
        assert taken is not None
        documents = read_batch(store.cursor(), taken.rules, taken.topic_id, taken.batch)
        events = []
        for row in documents:
            key = Key(taken.topic_id, row["document_id"], "page", "", person, 0)
            level = min(levels.get((taken.topic_id, row["document_id"]), 0), 2)
            events.append(LabelEvent(str(uuid.uuid4()), None, key, "level", level))
        store.labels.append(collection_id, events)
        finish_assignment(store, taken)
    return times


def fill(store: Store) -> tuple[str, dict[tuple[str, str], int]]:
    """Make the collection; return its id, and what is relevant in it."""
    shown, level = draw(TOPICS, SYSTEMS, 1)
    runs = lay_out_runs(shown[:, :, :DEPTH]).astype({"system": "str"})
    runs = runs.astype({"topic_id": "str", "document_id": "str"}).assign(score=0.0)
    runs["score"] = -runs["rank"].astype(np.float64)
    qrels = lay_out_qrels(level)
    keys = zip(qrels["topic_id"], qrels["document_id"], strict=True)
    levels = {key: max(int(one), 0) for key, one in zip(keys, qrels["level"], strict=True)}
    collection_id = create_collection(store, "Orders")
    topics = sorted(runs["topic_id"].unique())
    documents = pd.DataFrame({"document_id": runs["document_id"].unique()})
    frames = {
        "topics": pd.DataFrame(
            {"topic_id": topics, "query": "q", "description": "", "narrative": "", "type": ""}
        ),
        "documents": documents.assign(title="", url="", text="said", html=None),
        "runs": runs[["system", "topic_id", "document_id", "score", "rank"]],
    }
    write_import(store, collection_id, Import("runs", "made", frames, {}, (), "0" * 64))
    return collection_id, levels


if __name__ == "__main__":
    main()
