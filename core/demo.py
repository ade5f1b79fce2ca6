"""The demo collection: sample data with simulated labels, ready to judge and to watch."""

import csv
import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from core.assessment.rounds.rounds import Plan, open_round
from core.assessment.simulated.simulated_assessors import Intended, Simulated
from core.assessment.simulated.simulated_round import SimulatedRound
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import PAGE, SNIPPET, default_scales
from core.settings import DEMO_DATA
from core.store.content.collections import create_collection, list_collections
from core.store.content.imports import Incoming, write_imports
from core.store.content.scales import get_scales
from core.store.people.members import add_member
from core.store.rounds.rounds import list_rounds
from core.store.store import Store, utc_now

CLICKS = "clicks.tsv"
FILES = (
    ("topics", "topics.jsonl"),
    ("documents", "documents.jsonl"),
    ("results", "results.tsv"),
    ("labels", "labels.tsv"),
    ("preferences", "preferences.tsv"),
    ("clicks", CLICKS),
)
SIMULATED = (
    "All labels of assessors named simulated- and a number are made by a program: the level that "
    "the page's author intended, shifted by the assessor's leniency and preferences, with random "
    "noise added, and rounded. Preferences between two are made in the same way, and clicks by the "
    "position-based model. Topics, pages and engines are made up as well."
)
GUIDELINES = """Judge for the person described under the query, not for yourself.

The snippet comes first: say what you expect of the page after reading it. Then judge the page \
itself, whatever the snippet suggested.

Where a query can mean several things, every meaning named in the description counts."""


SIMULATED_ROUND = "Round 1"
ASSESSORS = (
    Simulated("simulated-7", "expert", 0.05, 0.35, 0.01, 9.0),
    Simulated("simulated-8", "expert", -0.10, 0.40, 0.01, 11.0, "almanac"),
    Simulated("simulated-9", "crowd", 0.25, 0.65, 0.03, 6.0, "chatter"),
    Simulated("simulated-10", "crowd", 0.45, 1.20, 0.15, 3.5),
)
"""Who judges in the simulated round; the last one is careless, for the pages to find out."""

_AMBIGUITY = {"ambiguous": 0.7, "faceted": 0.4, "single": 0.15}
_JUDGED_FOR = timedelta(hours=3)
"""How long the simulated round has gone on when the demo begins."""


def load_live_demo(store: Store, folder: Path = DEMO_DATA) -> str:
    """Fill a store with the demo and a round that simulated assessors are in the midst of.

    Returns the collection's id.
    """
    now = utc_now()
    since = now - _JUDGED_FOR
    collection_id = load_demo(store, folder, since - timedelta(minutes=1))
    for one in ASSESSORS:
        name = one.assessor_id
        add_member(store, collection_id, name, name, group=one.group, origin="simulated")
    plan = Plan(
        name=SIMULATED_ROUND,
        judges=3,
        depth=10,
        share=0.5,
        batch_size=12,
        repeat_share=0.1,
        assessors=tuple(one.assessor_id for one in ASSESSORS),
    )
    round_id = open_round(store, collection_id, plan, now=since)
    SimulatedRound(store, round_id, ASSESSORS, read_intended(folder)).judge_past(since, now)
    return collection_id


def find_simulated_round(store: Store, folder: Path = DEMO_DATA) -> SimulatedRound | None:
    """Return the simulated round of the demo in a store; None where there is no demo in it."""
    for collection in list_collections(store):
        for rules in list_rounds(store, collection.collection_id):
            if collection.simulated == SIMULATED and rules.name == SIMULATED_ROUND:
                return SimulatedRound(store, rules.round_id, ASSESSORS, read_intended(folder))
    return None


def read_intended(folder: Path = DEMO_DATA) -> Intended:
    """Return what the authors of the demo's pages and snippets had in mind."""
    scales = default_scales()
    page = {one.name: one.level for one in scales[PAGE]}
    snippet = {one.name: one.level for one in scales[SNIPPET]}
    topics = map(json.loads, (folder / "topics.jsonl").read_text(encoding="utf-8").splitlines())
    return Intended(
        {
            (row["topic"], row["document"]): page[row["page"]]
            for row in _read(folder / "page_levels.tsv")
        },
        {
            (row["topic"], row["document"], row["engine"]): snippet[row["snippet"]]
            for row in _read(folder / "snippet_levels.tsv")
        },
        {topic["id"]: _AMBIGUITY[topic["type"]] for topic in topics},
    )


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def load_demo(store: Store, folder: Path = DEMO_DATA, opened_at: datetime | None = None) -> str:
    """Fill a store with the demo collection and open a round for visitors; returns its id."""
    collection_id = create_collection(
        store,
        "Demo: five made-up search engines",
        description="Results of five made-up search engines for a few everyday topics.",
        guidelines=GUIDELINES,
        simulated=SIMULATED,
    )
    incoming = []
    for kind, name in FILES:
        options: dict[str, Any] = {}
        if kind == "labels":
            options["scales"] = get_scales(store, collection_id)
        imported = read_import(kind, [Source(name, folder / name)], **options)
        incoming.append(Incoming(imported, name="simulated" if name == CLICKS else ""))
    write_imports(store, collection_id, incoming)
    open_round(
        store,
        collection_id,
        Plan(name="Visitors", judges=3, depth=10, batch_size=12, repeat_share=0.1),
        now=opened_at,
    )
    return collection_id
