"""What handing out takes, by the places of a round: ``python -m tests.bench.handing_out``.

Everybody takes a batch, laid out to be judged, and gives it back finished, in one round after the
other; a half of each has been judged by others. Times are of the processor: in a store in
PostgreSQL those of a server, without the database's own. Between two of them the next size has its
turn, so what else the machine does meanwhile slows all alike.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.handing_out.queue import finish_assignment, hold_more, read_share
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.records import Import
from core.place import Address, Place
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store
from tests.bench.clients import percentile
from tests.postgres import SAFE, Cluster

SIZES = (10_000, 100_000, 1_000_000)
JUDGES, DOCUMENTS, PEOPLE, OTHERS, AHEAD = 3, 100, 20, 500, 3

_JUDGED = f"""
    UPDATE slots SET assessor_id = concat('other', (hash(topic_id, batch) + slot) % {OTHERS}),
        leased_until = TIMESTAMP '2026-01-01', finished_at = TIMESTAMP '2026-01-01'
    WHERE hash(topic_id) % 2 = 0"""


@dataclass
class Hall:
    """A store with one round, and the milliseconds that were measured there."""

    places: int
    store: Store
    collection_id: str
    people: list[str]
    taken: list[float] = field(default_factory=list)
    ahead: list[float] = field(default_factory=list)
    share: list[float] = field(default_factory=list)


def main() -> None:
    """Print the times on both engines, or on a file alone."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="*", type=int, default=SIZES)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--only", choices=("file", "postgresql"), default="")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        if chosen.only != "postgresql":
            places: list[Place] = [Path(folder) / f"{size}.duckdb" for size in chosen.sizes]
            compare("one file", places, chosen.sizes, chosen.turns)
        if chosen.only != "file":
            cluster = stack.enter_context(closing(Cluster(*SAFE)))
            compare(
                "PostgreSQL",
                [Address(cluster.make()) for _ in chosen.sizes],
                chosen.sizes,
                chosen.turns,
            )


def compare(where: str, places: list[Place], sizes: list[int], turns: int) -> None:
    """Hand out in rounds of several sizes in turn, and print the times."""
    with ExitStack() as stack:
        halls = []
        for place, size in zip(places, sizes, strict=True):
            store = stack.enter_context(closing(Store(place)))
            halls.append(fill(store, size))
            take_turn(halls[-1], halls[-1].people[0])
        for turn in range(turns):
            for hall in halls:
                take_turn(hall, hall.people[turn % PEOPLE])
    print(f"{where}: ms of processor time, p50 and p95")
    for hall in halls:
        first, *taken = hall.taken
        print(
            f"  {hall.places:>9,} places: a batch {tell(taken)}, {AHEAD} ahead "
            f"{tell(hall.ahead)}, one's share {tell(hall.share)}; the first {first:.0f}"
        )
    smallest, largest = halls[0], halls[-1]
    ratio = percentile(largest.taken, 0.5) / percentile(smallest.taken, 0.5)
    print(f"  a batch, most places to fewest: {ratio:.2f}", flush=True)


def take_turn(hall: Hall, person: str) -> None:
    """Hand out to somebody what they judge next and what comes after, and have it finished."""
    who = hall.store, hall.collection_id, person
    hall.taken.append(measure(lambda: next_assignment(*who)))
    hall.share.append(measure(lambda: read_share(*who)))
    hall.ahead.append(measure(lambda: hold_more(*who, AHEAD)))
    held = hold_more(*who, AHEAD)
    assert len(held) == AHEAD, "nothing is left to hand out"
    for one in held:
        finish_assignment(hall.store, one)


def measure(work: Callable[[], object]) -> float:
    """Return the milliseconds of the processor that something takes in this process."""
    before = time.process_time()
    work()
    return 1000 * (time.process_time() - before)


def tell(times: list[float]) -> str:
    """Return the median and the 95th percentile."""
    return f"{percentile(times, 0.5):.1f} and {percentile(times, 0.95):.1f}"


def fill(store: Store, places: int) -> Hall:
    """Open a round of so many places, a half of which others have finished."""
    topics = places // (JUDGES * DOCUMENTS)
    names, documents = [f"t{n}" for n in range(topics)], [f"d{n}" for n in range(DOCUMENTS)]
    rank = np.tile(np.arange(1, DOCUMENTS + 1), topics)
    frames = {
        "topics": pd.DataFrame(
            {"topic_id": names, "query": "q", "description": "", "narrative": "", "type": ""}
        ),
        "documents": pd.DataFrame(
            {"document_id": documents, "title": "", "url": "", "text": "said", "html": None}
        ),
        "runs": pd.DataFrame(
            {
                "system": "one",
                "topic_id": np.repeat(names, DOCUMENTS),
                "document_id": np.tile(documents, topics),
                "score": -rank.astype(np.float64),
                "rank": rank,
            }
        ),
    }
    collection_id = create_collection(store, "Handing out")
    write_import(store, collection_id, Import("runs", "made", frames, {}, (), "0" * 64))
    people = [add_person(store, f"Person {n}", "assessor") for n in range(PEOPLE)]
    for one in people:
        add_member(store, collection_id, one, one)
    plan = Plan(judges=JUDGES, flow="page only", depth=DOCUMENTS, batch_size=1)
    open_round(store, collection_id, plan)
    store.database.run(_JUDGED)
    return Hall(topics * JUDGES * DOCUMENTS, store, collection_id, people)


if __name__ == "__main__":
    main()
