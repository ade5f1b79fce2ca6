"""A small collection that three people and two machines have judged, with runs."""

from collections.abc import Iterable, Iterator
from contextlib import closing

import numpy as np
import pytest

from core.analysis.base.study import Study
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.store import Store

PEOPLE = ("ann", "bob", "cid")
TOPICS = [f"t{number}" for number in range(8)]
BY_PEOPLE = TOPICS[:6]
DOCUMENTS = [f"d{number}" for number in range(10)]
SYSTEMS = ("good", "middling", "poor")


def bring(store: Store, collection: str, kind: str, lines: Iterable[str], **options) -> None:
    text = "\n".join(lines) + "\n"
    if kind == "labels":
        options["scales"] = get_scales(store, collection)
    source = Source(f"{kind}.txt", text.encode())
    name = options.pop("name", "")
    write_import(store, collection, read_import(kind, source, **options), name=name)


def say_levels(rng: np.random.Generator) -> dict[tuple[str, str], int]:
    return {(topic, one): int(rng.integers(0, 4)) for topic in TOPICS for one in DOCUMENTS}


def blur(level: int, rng: np.random.Generator) -> int:
    """Return a level as somebody gives it who errs by one step in three cases of ten."""
    return int(np.clip(level + rng.choice([-1, 0, 0, 0, 0, 0, 0, 0, 1, 1]), 0, 3))


@pytest.fixture(scope="module")
def held(tmp_path_factory) -> Iterator[tuple[Store, str]]:
    """The store, and the id of its collection."""
    with closing(Store(tmp_path_factory.mktemp("machines") / "store.duckdb")) as store:
        yield store, build_judged(store)


def build_judged(store: Store) -> str:
    """Create the collection; return its id.

    The machine 'llm' judged all topics; 'mute' gave no level that can be read but one, 'apart'
    what no person judged.
    """
    rng = np.random.default_rng(3)
    true = say_levels(rng)
    collection = create_collection(store, "Judged twice")
    bring(store, collection, "topics", ["id\tquery", *(f"{one}\tq {one}" for one in TOPICS)])
    lines = [
        f"{who}\t{topic}\t{document}\t{blur(level, rng)}"
        for who in PEOPLE
        for (topic, document), level in true.items()
        if topic in BY_PEOPLE
    ]
    bring(store, collection, "labels", ["assessor\ttopic\tdocument\tlevel", *lines])
    said = [f"{topic} 0 {one} {blur(level, rng)}" for (topic, one), level in true.items()]
    bring(store, collection, "labels", said, machine="llm")
    answers = [
        "topic\tdocument\tlevel\tstate",
        "t0\td0\t2\tlevel",
        "t0\td1\t\tinvalid answer",
        "t0\td2\t\tcannot judge",
    ]
    bring(store, collection, "labels", answers, machine="mute")
    bring(store, collection, "labels", ["t7 0 d0 1"], machine="apart")
    bring(store, collection, "runs", list_runs(true, rng))
    return collection


def list_runs(true: dict[tuple[str, str], int], rng: np.random.Generator) -> list[str]:
    lines = []
    for system, noise in zip(SYSTEMS, (0.3, 1.5, 9.0), strict=True):
        for topic in TOPICS:
            scores = {one: true[topic, one] + noise * rng.normal() for one in DOCUMENTS}
            ordered = sorted(scores, key=scores.__getitem__, reverse=True)
            lines += [
                f"{topic} Q0 {one} {rank} {100 - rank} {system}"
                for rank, one in enumerate(ordered, 1)
            ]
    return lines


@pytest.fixture
def study(held) -> Study:
    return Study(*held, is_masked=False)


@pytest.fixture
def masked(held) -> Study:
    return Study(*held, is_masked=True)
