"""A small collection to judge: three topics of six documents, two systems, four people."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from core.analysis.base.study import Study
from core.assessment.handing_out.queue import Assignment, finish_assignment, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.events.labels import Key, LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.rounds import Round, get_round
from core.store.store import Store

TOPICS = ("t1", "t2", "t3")
RUNS = {"up": (1, 2, 3, 4), "down": (6, 5, 4, 3)}


@dataclass
class Scene:
    """An open store with the collection and its people by name."""

    store: Store
    collection_id: str
    people: dict[str, str] = field(default_factory=dict)

    @property
    def study(self) -> Study:
        """The collection as an organiser sees it now."""
        return Study(self.store, self.collection_id, False)

    def bring(self, kind: str, text: str) -> None:
        """Import the text of a file."""
        options = {}
        if kind == "labels":
            options["scales"] = get_scales(self.store, self.collection_id)
        source = Source(f"{kind}.txt", text.encode())
        write_import(self.store, self.collection_id, read_import(kind, source, **options))

    def invite(self, *names: str) -> None:
        """Let people judge."""
        for name in names:
            self.people[name] = add_person(self.store, name, "assessor")
            add_member(self.store, self.collection_id, self.people[name], name)

    def open(self, **plan: object) -> Round:
        """Open a round of pages."""
        made = Plan(flow="page only", **plan)  # type: ignore[arg-type]
        return get_round(self.store, open_round(self.store, self.collection_id, made))

    def take(self, name: str) -> Assignment:
        """Hand somebody their next place."""
        taken = take_assignment(self.store, self.collection_id, self.people[name])
        assert taken is not None
        return taken

    def judge_place(self, name: str, level: int | None = 1, most: int = 99) -> Assignment:
        """Judge a place, to the end unless ``most`` says otherwise."""
        taken = self.take(name)
        steps = lay_out(self.store, taken).steps
        for step in steps[:most]:
            self.append(step.key(self.people[name]), level)
        if most >= len(steps):
            finish_assignment(self.store, taken)
        return taken

    def give(self, name: str, topic: str, document: int, level: int | None = 1) -> None:
        """Give one label out of the blue."""
        self.append(Key(topic, f"{topic}d{document}", "page", "", name, 0), level)

    def append(self, key: Key, level: int | None) -> None:
        """Store one label as judged here."""
        state = "cannot judge" if level is None else "level"
        event = LabelEvent(str(uuid.uuid4()), None, key, state, level)
        self.store.labels.append(self.collection_id, [event])


@pytest.fixture(scope="session")
def scene_store(blank_store: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The store to be copied, and the id of its collection."""
    path = Path(shutil.copy(blank_store, tmp_path_factory.mktemp("scene")))
    with closing(Store(path)) as store:
        made = Scene(store, create_collection(store, "Small"))
        made.bring("topics", "".join(f"{topic}\tquery of {topic}\n" for topic in TOPICS))
        documents = [f"{topic}d{n}\tTitle\tText" for topic in TOPICS for n in range(1, 7)]
        made.bring("documents", "\n".join(["id\ttitle\ttext", *documents]) + "\n")
        lines = [
            f"{topic} Q0 {topic}d{n} {rank} {9 - rank} {system}"
            for system, shown in RUNS.items()
            for topic in TOPICS
            for rank, n in enumerate(shown, start=1)
        ]
        made.bring("runs", "\n".join(lines) + "\n")
        return path, made.collection_id


@pytest.fixture
def scene(tmp_path: Path, scene_store: tuple[Path, str]) -> Iterator[Scene]:
    path, collection_id = scene_store
    with closing(Store(Path(shutil.copy(path, tmp_path)))) as store:
        yield Scene(store, collection_id)
