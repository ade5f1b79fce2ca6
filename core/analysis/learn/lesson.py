"""What the labels of a class come to; computed once for each state of its collection."""

import pandas as pd

from core.agreement.coefficients import Kappa
from core.agreement.jackknife import agreement_on_items, part_items
from core.analysis.base.labels import counted_levels, ratings_of
from core.analysis.base.study import Study, follows_labels, labels_of, scales_of
from core.analysis.base.user_model import usual_model
from core.analysis.frames.level_weights import weigh_levels
from core.assessment.class_mode import ITEMS
from core.collection.records import PAGE
from core.errors import DissentError
from core.store.content.documents import get_document
from core.store.events.frames import read_topics
from core.store.people.members import list_members
from core.store.rounds.lessons import ORIGIN
from core.store.rounds.rounds import list_rounds, read_pool

CHOSEN = (Kappa("linear"), Kappa())


@follows_labels
def count_students(study: Study) -> dict[str, int]:
    """Return how many students there are, how many are done, and their labels."""
    members = list_members(study.store, study.collection_id)
    students = members[(members["origin"] == ORIGIN) & members["dropped_at"].isna()]
    given = _given(study)
    answered = given[given["state"].isin(["level", "cannot judge"])]
    done = answered.groupby("assessor_id").size() >= ITEMS
    levels = int((given["state"] == "level").sum())
    return {"students": len(students), "done": int(done.sum()), "labels": levels}


@follows_labels
def agreement_of(study: Study) -> pd.DataFrame:
    """Return both κ over all pairs of students; without rows before two have judged."""
    try:
        return agreement_on_items(ratings_of(study, PAGE), CHOSEN)
    except DissentError:
        return pd.DataFrame()


@follows_labels
def weights_of(study: Study, users: int, at_least: int) -> pd.DataFrame:
    """Return ``level, name, cases, p, low, high, weight, written``, lowest level first."""
    names = counted_levels(scales_of(study)[PAGE])
    ratings = part_items(ratings_of(study, PAGE))
    table = weigh_levels(ratings, usual_model(names, users, at_least))
    written = ["?" if value != value else f"{value:.2f}" for value in table["weight"]]
    return table.assign(name=table["level"].map(names), written=written)


@follows_labels
def labels_by_item(study: Study) -> pd.DataFrame:
    """Return ``document_id, item, title, level, labels`` for every item and level."""
    rules = list_rounds(study.store, study.collection_id)[0]
    documents = sorted(read_pool(study.store, rules.round_id)["document_id"])
    titles = [get_document(study.store, study.collection_id, known)["title"] for known in documents]
    items = pd.DataFrame(
        {
            "document_id": documents,
            "item": [f"Page {chr(ord('A') + position)}" for position in range(len(documents))],
            "title": titles,
        }
    )
    names = {level.level: level.name for level in scales_of(study)[PAGE]}
    given = _given(study)
    given = given[given["state"] == "level"]
    counts = given.groupby(["document_id", "given_level"]).size().rename("labels").reset_index()
    counts["level"] = counts["given_level"].map(names)
    grid = items.merge(pd.DataFrame({"level": list(names.values())}), how="cross")
    merged = grid.merge(counts[["document_id", "level", "labels"]], how="left")
    return merged.assign(labels=merged["labels"].fillna(0).astype("int64"))


def level_names(study: Study) -> list[str]:
    """Return the names of the page levels, lowest first."""
    return [level.name for level in scales_of(study)[PAGE]]


def query_of(study: Study) -> tuple[str, str]:
    """Return the query that is judged, and what students are told about it."""
    topic = read_topics(study.store, study.collection_id).iloc[0]
    return str(topic["query"]), str(topic["description"])


def _given(study: Study) -> pd.DataFrame:
    labels = labels_of(study)
    return labels[(labels["facet"] == PAGE) & (labels["occasion"] == 0)]
