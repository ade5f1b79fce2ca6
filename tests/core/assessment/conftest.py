"""A small collection: three topics, two engines with snippets, one run, four assessors."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.people.members import add_member
from core.store.store import Store

TOPICS = "t1\tfirst query\nt2\tsecond query\nt3\tthird query\n"
ASSESSORS = ("anna", "bob", "carla", "dan")


def documents(topics: tuple[str, ...] = ("t1", "t2", "t3"), count: int = 6) -> str:
    rows = [f"{t}d{n}\tTitle {n}\tText of {t}d{n}" for t in topics for n in range(1, count + 1)]
    return "\n".join(["id\ttitle\ttext", *rows]) + "\n"


def results(engines: dict[str, list[int]], topics: tuple[str, ...] = ("t1", "t2", "t3")) -> str:
    rows = [
        f"{t}\t{engine}\t{t}d{n}\t{rank}\t{engine} on {n}"
        for t in topics
        for engine, order in engines.items()
        for rank, n in enumerate(order, start=1)
    ]
    return "\n".join(["topic\tengine\tdocument\trank\tsnippet", *rows]) + "\n"


@dataclass
class Small:
    """The store and the id of the collection in it."""

    store: Store
    collection_id: str

    def add(self, kind: str, text: str, name: str = "file.tsv", **options: object) -> None:
        write_import(
            self.store,
            self.collection_id,
            read_import(kind, Source(name, text.encode()), **options),
        )


@pytest.fixture(scope="session")
def small_store(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The store to be copied, and the id of its collection."""
    store = Store(tmp_path_factory.mktemp("small") / "store.duckdb")
    made = Small(store, create_collection(store, "Small"))
    made.add("topics", TOPICS)
    made.add("documents", documents())
    made.add("results", results({"one": [1, 2, 3], "two": [3, 2, 4]}))
    for name in ASSESSORS:
        add_member(store, made.collection_id, name, name)
    store.close()
    return store.path, made.collection_id


@pytest.fixture
def small(tmp_path: Path, small_store: tuple[Path, str]) -> Iterator[Small]:
    path, collection_id = small_store
    store = Store(Path(shutil.copy(path, tmp_path)))
    yield Small(store, collection_id)
    store.close()


@pytest.fixture(scope="session")
def opened_store(
    small_store: tuple[Path, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, str]:
    """The same with a round, to be copied."""
    path, collection_id = small_store
    with closing(Store(Path(shutil.copy(path, tmp_path_factory.mktemp("opened"))))) as store:
        open_round(store, collection_id, Plan(judges=2, seed=5))
        return store.path, collection_id


@pytest.fixture
def opened(tmp_path: Path, opened_store: tuple[Path, str]) -> Iterator[Small]:
    path, collection_id = opened_store
    with closing(Store(Path(shutil.copy(path, tmp_path)))) as store:
        yield Small(store, collection_id)
