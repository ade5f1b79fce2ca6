"""What the labels of a class come to; computed once for each state of its collection."""

import numpy as np
import pandas as pd

from core.agreement.coefficients import COEFFICIENTS
from core.agreement.one_topic import agreement_on_items, part_items
from core.assessment.class_mode import ITEMS
from core.collection.records import PAGE
from core.disagreement.user_disagreement import estimate_top_probability, relevance_weights
from core.errors import DissentError
from core.store.documents import get_document
from core.store.frames import read_topics
from core.store.lessons import ORIGIN
from core.store.members import list_members
from core.store.rounds import list_rounds, read_pool
from pages.analyse.facets import counted_levels, ratings_of
from pages.shared.live import kept, labels_of, scales_of
from pages.shared.session import Visit

COEFFICIENT_NAMES = ("kappa(linear)", "kappa")
SAMPLES = 500
SEED = 1


def count_students(room: Visit) -> dict[str, int]:
    """Return how many students there are, how many are done, and their labels."""
    return kept(room, _count)


def agreement_of(room: Visit) -> pd.DataFrame:
    """Return both κ over all pairs of students; without rows before two have judged."""
    return kept(room, _agree)


def weights_of(room: Visit, users: int, at_least: int) -> pd.DataFrame:
    """Return ``level, name, cases, p, low, high, weight, written``, lowest level first."""
    return kept(room, _weigh, users, at_least)


def labels_by_item(room: Visit) -> pd.DataFrame:
    """Return ``document_id, item, title, level, labels`` for every item and level."""
    return kept(room, _by_item)


def level_names(room: Visit) -> list[str]:
    """Return the names of the page levels, lowest first."""
    return [level.name for level in scales_of(room)[PAGE]]


def query_of(room: Visit) -> tuple[str, str]:
    """Return the query that is judged, and what students are told about it."""
    topic = read_topics(room.store, room.collection_id).iloc[0]
    return str(topic["query"]), str(topic["description"])


def _given(room: Visit) -> pd.DataFrame:
    labels = labels_of(room)
    return labels[(labels["facet"] == PAGE) & (labels["occasion"] == 0)]


def _count(room: Visit) -> dict[str, int]:
    members = list_members(room.store, room.collection_id)
    students = members[(members["origin"] == ORIGIN) & members["dropped_at"].isna()]
    given = _given(room)
    answered = given[given["state"].isin(["level", "cannot judge"])]
    done = answered.groupby("assessor_id").size() >= ITEMS
    levels = int((given["state"] == "level").sum())
    return {"students": len(students), "done": int(done.sum()), "labels": levels}


def _agree(room: Visit) -> pd.DataFrame:
    chosen = [COEFFICIENTS.parse(name) for name in COEFFICIENT_NAMES]
    try:
        return agreement_on_items(ratings_of(room, PAGE), chosen)
    except DissentError:
        return pd.DataFrame()


def _weigh(room: Visit, users: int, at_least: int) -> pd.DataFrame:
    names = counted_levels(scales_of(room)[PAGE])
    top = max(names)
    ratings = part_items(ratings_of(room, PAGE))
    rng = np.random.default_rng(SEED)
    table = estimate_top_probability(ratings, top, samples=SAMPLES, rng=rng)
    chances = dict(zip(table["level"], table["p"], strict=True))
    weights = relevance_weights(chances, top, users=users, at_least=at_least)
    weight = table["level"].map(weights)
    written = ["?" if value != value else f"{value:.2f}" for value in weight]
    return table.assign(name=table["level"].map(names), weight=weight, written=written)


def _by_item(room: Visit) -> pd.DataFrame:
    rules = list_rounds(room.store, room.collection_id)[0]
    documents = sorted(read_pool(room.store, rules.round_id)["document_id"])
    titles = [get_document(room.store, room.collection_id, known)["title"] for known in documents]
    items = pd.DataFrame(
        {
            "document_id": documents,
            "item": [f"Page {chr(ord('A') + place)}" for place in range(len(documents))],
            "title": titles,
        }
    )
    names = {level.level: level.name for level in scales_of(room)[PAGE]}
    given = _given(room)
    given = given[given["state"] == "level"]
    counts = given.groupby(["document_id", "given_level"]).size().rename("labels").reset_index()
    counts["level"] = counts["given_level"].map(names)
    grid = items.merge(pd.DataFrame({"level": list(names.values())}), how="cross")
    merged = grid.merge(counts[["document_id", "level", "labels"]], how="left")
    return merged.assign(labels=merged["labels"].fillna(0).astype("int64"))
