"""A collection whose documents name themselves, so that a server can count them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import numeric_scale
from core.prompting.client import Client
from core.prompting.endpoint import ApiKey, read_endpoint
from core.prompting.job import Job
from core.prompting.pace import Pacing
from core.prompting.plan import JobPlan, begin_job, plan_job
from core.prompting.run import Outcome, run_job
from core.prompting.template import read_template
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.store import Store

QUICK = Pacing(concurrency=4, pause=0.01)
NAME = "Cats"


def fill_store(store: Store, documents: int = 6, topics: int = 2) -> str:
    """Make a collection: every topic finds its own documents; returns the collection's id."""
    scale = numeric_scale(range(4))
    collection_id = create_collection(
        store, NAME, guidelines="Be fair.", scales={"snippet": scale, "page": scale}
    )
    named = [f"t{t}" for t in range(1, topics + 1)]
    pairs = [(t, f"{t}d{n:04d}") for t in named for n in range(1, documents + 1)]
    rows = {
        "topics": [f"{t}\tquery of {t}" for t in named],
        "documents": ["id\ttitle\ttext", *(f"{d}\tOn {d}\tITEM {d} is a text." for _, d in pairs)],
        "results": [
            "topic\tengine\tdocument\trank\tsnippet",
            *(
                f"{t}\t{engine}\t{d}\t{int(d[-4:])}\tITEM {d} by {engine}"
                for engine in ("one", "two")
                for t, d in pairs
                if engine == "one" or int(d[-4:]) <= 2
            ),
        ],
        "labels": [
            "assessor\ttopic\tdocument\tlevel",
            *("anna\tt1\tt1d0001\t2", "anna\tt1\tt1d0002\t0", "bob\tt1\tt1d0001\t3"),
        ],
    }
    for kind, lines in rows.items():
        options = {"scales": get_scales(store, collection_id)} if kind == "labels" else {}
        source = Source(f"{kind}.tsv", "\n".join([*lines, ""]).encode())
        write_import(store, collection_id, read_import(kind, source, **options))
    return collection_id


@dataclass
class Study:
    """A store with a collection, and machines that judge in it."""

    path: Path
    store: Store
    collection_id: str
    key: str = ""
    patience: float = 20.0
    pacing: Pacing = field(default_factory=lambda: QUICK)

    def plan(self, url: str, **options: Any) -> JobPlan:
        given = {"machine": "llm", "model": "judge-1", "template": read_template("levels")}
        job = Job(endpoint=read_endpoint(url), **{**given, **options})
        return plan_job(self.store, self.collection_id, job)

    def begin(self, url: str, **options: Any) -> JobPlan:
        return begin_job(self.store, self.plan(url, **options))

    def run(self, plan: JobPlan, **options: Any) -> Outcome:
        client = Client(plan.job.endpoint, plan.job.model, ApiKey(self.key), self.patience)
        given: Mapping[str, Any] = {"rng": np.random.default_rng(1), "pacing": self.pacing}
        return run_job(self.store, plan, client, **{**given, **options})

    def judge(self, url: str, **options: Any) -> Outcome:
        return self.run(self.begin(url, **options))

    def labels(self, machine: str = "llm") -> dict[str, tuple[str, int | None]]:
        """The current labels of a machine, by document."""
        held = self.store.labels.current(self.collection_id, machine)
        return {key.document_id: (one.state, one.level) for key, one in held.items()}

    def rows(self, table: str) -> list[dict[str, Any]]:
        frame = self.store.cursor().sql(f"FROM {table}").df()
        return [
            {str(name): value for name, value in row.items()} for row in frame.to_dict("records")
        ]
