"""How far the judging is: by topic, by assessor, and what assessors remark."""

import pandas as pd

from core.store.database import fetch_frame
from core.store.store import Store

_SLOTS = """
    SELECT rounds.name AS round, slots.topic_id, batch, slot, assessor_id, reserved,
        leased_until, finished_at, judges
    FROM slots JOIN rounds USING (round_id) WHERE collection_id = ?"""


def read_slot_states(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the slots of every round with a ``state``: open, taken or finished."""
    slots = fetch_frame(store.cursor(), _SLOTS, [collection_id])
    state = pd.Series("open", index=slots.index)
    state = state.mask(slots["assessor_id"].notna(), "taken")
    return slots.assign(state=state.mask(slots["finished_at"].notna(), "finished"))


def topic_progress(labels: pd.DataFrame, slots: pd.DataFrame, topics: pd.DataFrame) -> pd.DataFrame:
    """Count slots and labels by topic.

    Returns
    -------
    DataFrame
        topic_id, query, open, taken, finished (slots), labels, items, assessors,
        cannot_judge; one row for each topic of the collection.
    """
    states = pd.crosstab(slots["topic_id"], slots["state"])
    states = states.reindex(columns=["open", "taken", "finished"], fill_value=0)
    given = labels[labels["state"] == "level"]
    counts = given.groupby("topic_id").agg(
        labels=("level", "size"), assessors=("assessor_id", "nunique")
    )
    items = given.drop_duplicates(["topic_id", "document_id", "facet", "engine"])
    counts["items"] = items.groupby("topic_id").size()
    counts["cannot_judge"] = labels[labels["state"] == "cannot judge"].groupby("topic_id").size()
    table = topics[["topic_id", "query"]].set_index("topic_id").join([states, counts])
    whole = ["open", "taken", "finished", "labels", "items", "assessors", "cannot_judge"]
    table[whole] = table[whole].fillna(0).astype("int64")
    return table[["query", *whole]].reset_index()


def assessor_progress(labels: pd.DataFrame, slots: pd.DataFrame) -> pd.DataFrame:
    """Count labels and slots by assessor, with their pace.

    Returns
    -------
    DataFrame
        assessor_id, assessor, group, labels, topics, finished (slots), cannot_judge, later,
        median_seconds (active time per label; NaN where none was measured), last (time).
    """
    given = labels[labels["state"] == "level"]
    table = labels.groupby("assessor_id").agg(
        assessor=("assessor", "first"), group=("group", "first"), last=("time", "max")
    )
    table["labels"] = given.groupby("assessor_id").size()
    table["topics"] = given.groupby("assessor_id")["topic_id"].nunique()
    for state in ("cannot judge", "later"):
        counted = labels[labels["state"] == state].groupby("assessor_id").size()
        table[state.replace(" ", "_")] = counted
    done = slots[slots["state"] == "finished"]
    table["finished"] = done.groupby("assessor_id").size()
    timed = given[given["dwell_ms"] > 0]
    table["median_seconds"] = timed.groupby("assessor_id")["dwell_ms"].median() / 1000
    whole = ["labels", "topics", "finished", "cannot_judge", "later"]
    table[whole] = table[whole].fillna(0).astype("int64")
    order = ["assessor", "group", *whole, "median_seconds", "last"]
    return table[order].reset_index().sort_values("labels", ascending=False, ignore_index=True)


def judged_times(labels: pd.DataFrame, judges: int) -> pd.DataFrame:
    """Count the items by how many assessors have judged them.

    Parameters
    ----------
    judges : int
        k, the number of assessors asked for; items above it carry surplus labels.

    Returns
    -------
    DataFrame
        facet, assessors, items, standing ("below k", "at k", "surplus").
    """
    given = labels[(labels["state"] == "level") & (labels["occasion"] == 0)]
    per_item = given.groupby(["facet", "topic_id", "document_id", "engine"]).size()
    counts = per_item.groupby("facet").value_counts().rename("items").reset_index()
    counts = counts.rename(columns={"count": "assessors", counts.columns[1]: "assessors"})
    standing = pd.Series("at k", index=counts.index)
    standing = standing.mask(counts["assessors"] < judges, "below k")
    counts["standing"] = standing.mask(counts["assessors"] > judges, "surplus")
    return counts.sort_values(["facet", "assessors"], ignore_index=True)


def remarks(labels: pd.DataFrame) -> pd.DataFrame:
    """Return the comments and the items that could not be judged, latest first."""
    marked = labels[(labels["comment"] != "") | (labels["state"] == "cannot judge")]
    columns = ["time", "assessor", "topic_id", "document_id", "facet", "state", "comment"]
    return marked.sort_values("time", ascending=False)[columns].reset_index(drop=True)
