"""The demo collection: sample data with simulated labels, ready to judge and to watch."""

from pathlib import Path
from typing import Any

from core.assessment.rounds import Plan, open_round
from core.collection.formats import read_import
from core.collection.source import Source
from core.settings import DEMO_DATA
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.scales import get_scales
from core.store.store import Store

FILES = (
    ("topics", "topics.jsonl"),
    ("documents", "documents.jsonl"),
    ("results", "results.tsv"),
    ("labels", "labels.tsv"),
    ("preferences", "preferences.tsv"),
)
SIMULATED = (
    "All labels of simulated-1 to simulated-6 are made by a program: the level that the page's "
    "author intended, shifted by the assessor's leniency and preferences, with random noise added, "
    "and rounded. Their preferences between two are made in the same way. Topics, pages and "
    "engines are made up as well."
)
GUIDELINES = """Judge for the person described under the query, not for yourself.

The snippet comes first: say what you expect of the page after reading it. Then judge the page \
itself, whatever the snippet suggested.

Where a query can mean several things, every meaning named in the description counts."""


def load_demo(store: Store, folder: Path = DEMO_DATA) -> str:
    """Fill a store with the demo collection and open a round for visitors; returns its id."""
    collection_id = create_collection(
        store,
        "Demo: five made-up search engines",
        description="Results of five made-up search engines for a few everyday topics.",
        guidelines=GUIDELINES,
        simulated=SIMULATED,
    )
    for kind, name in FILES:
        options: dict[str, Any] = {}
        if kind == "labels":
            options["scales"] = get_scales(store, collection_id)
        imported = read_import(kind, [Source(name, folder / name)], **options)
        write_import(store, collection_id, imported)
    open_round(
        store,
        collection_id,
        Plan(name="Visitors", judges=3, depth=10, batch_size=12, repeat_share=0.1),
    )
    return collection_id
