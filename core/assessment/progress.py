"""How far the judging is: by topic, by assessor, and what assessors remark."""

import pandas as pd

from core.store.database import fetch_frame
from core.store.store import Store

_SLOTS = """
    SELECT round_id, rounds.name AS round, slots.topic_id, batch, slot, assessor_id, reserved,
        leased_until, finished_at, judges, closed_at IS NOT NULL AS closed
    FROM slots JOIN rounds USING (round_id) WHERE collection_id = ?"""


def read_slot_states(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the slots of every round with a ``state``: open, taken or finished.

    ``closed`` says that the round is: nobody will fill what is open there.
    """
    slots = fetch_frame(store.cursor(), _SLOTS, [collection_id])
    state = pd.Series("open", index=slots.index)
    state = state.mask(slots["assessor_id"].notna(), "taken")
    return slots.assign(state=state.mask(slots["finished_at"].notna(), "finished"))


def topic_progress(
    labels: pd.DataFrame, slots: pd.DataFrame, topics: pd.DataFrame, judges: int
) -> pd.DataFrame:
    """Count slots, labels and items by topic.

    Parameters
    ----------
    labels, topics : DataFrame
        From ``read_labels`` and ``read_topics``.
    slots : DataFrame
        From ``read_slot_states``.
    judges : int
        k, the number of assessors asked for.

    Returns
    -------
    DataFrame
        topic_id, query, open, taken, finished (slots), labels, items (with a label), at_k
        (items with k labels or more), assessors, cannot_judge; one row for each topic of the
        collection.
    """
    states = pd.crosstab(slots["topic_id"], slots["state"])
    states = states.reindex(columns=["open", "taken", "finished"], fill_value=0)
    given = labels[labels["state"] == "level"]
    counts = given.groupby("topic_id").agg(
        labels=("state", "size"), assessors=("assessor_id", "nunique")
    )
    per_item = _count_by_item(labels)
    counts["items"] = per_item.groupby("topic_id").size()
    counts["at_k"] = per_item[per_item >= judges].groupby("topic_id").size()
    counts["cannot_judge"] = labels[labels["state"] == "cannot judge"].groupby("topic_id").size()
    table = topics[["topic_id", "query"]].set_index("topic_id").join([states, counts])
    whole = ["open", "taken", "finished", "labels", "items", "at_k", "assessors", "cannot_judge"]
    table[whole] = table[whole].fillna(0).astype("int64")
    return table[["query", *whole]].reset_index()


def assessor_progress(
    labels: pd.DataFrame, slots: pd.DataFrame, members: pd.DataFrame
) -> pd.DataFrame:
    """Count labels and slots by assessor, with their pace.

    Parameters
    ----------
    labels, slots : DataFrame
        As for ``topic_progress``.
    members : DataFrame
        From ``list_members``; those who have not judged yet have rows, too.

    Returns
    -------
    DataFrame
        assessor_id, assessor (the name, or the id), group, labels, topics, taken, finished
        (slots), cannot_judge, later, median_seconds (active time per label; NaN where none was
        measured), last (time; NaT before the first), dropped; most labels first.
    """
    known = members.set_index("assessor_id")
    table = pd.DataFrame(index=known.index.union(pd.Index(labels["assessor_id"].unique())))
    table.index.name = "assessor_id"
    table["assessor"] = known["name"].reindex(table.index)
    table["assessor"] = table["assessor"].fillna(table.index.to_series())
    table["group"] = known["group"].reindex(table.index).fillna("")
    given = labels[labels["state"] == "level"]
    table["labels"] = given.groupby("assessor_id").size()
    table["topics"] = given.groupby("assessor_id")["topic_id"].nunique()
    for state in ("taken", "finished"):
        table[state] = slots[slots["state"] == state].groupby("assessor_id").size()
    for state in ("cannot judge", "later"):
        counted = labels[labels["state"] == state].groupby("assessor_id").size()
        table[state.replace(" ", "_")] = counted
    whole = ["labels", "topics", "taken", "finished", "cannot_judge", "later"]
    table[whole] = table[whole].fillna(0).astype("int64")
    timed = given[given["dwell_ms"] > 0]
    table["median_seconds"] = timed.groupby("assessor_id")["dwell_ms"].median() / 1000
    table["last"] = labels.groupby("assessor_id")["time"].max()
    table["dropped"] = known["dropped_at"].reindex(table.index).notna()
    return table.sort_values("labels", ascending=False, kind="stable").reset_index()


def judged_times(labels: pd.DataFrame, judges: int) -> pd.DataFrame:
    """Count the items by how many assessors have judged them.

    Parameters
    ----------
    labels : DataFrame
        From ``read_labels``.
    judges : int
        k, the number of assessors asked for; items above it carry surplus labels.

    Returns
    -------
    DataFrame
        facet, assessors, items, standing ("below k", "at k", "surplus").
    """
    per_item = _count_by_item(labels).rename("assessors").reset_index()
    counts = per_item.groupby(["facet", "assessors"]).size().rename("items").reset_index()
    standing = pd.Series("at k", index=counts.index)
    standing = standing.mask(counts["assessors"] < judges, "below k")
    return counts.assign(standing=standing.mask(counts["assessors"] > judges, "surplus"))


def labels_by_time(labels: pd.DataFrame) -> pd.DataFrame:
    """Count the labels by when they were given.

    Returns
    -------
    DataFrame
        time (start of the interval, UTC), facet, labels, interval ("minute", "hour" or "day",
        the finest that gives at most about a hundred of them); without empty intervals.
    """
    given = labels[labels["state"] == "level"]
    span = given["time"].max() - given["time"].min()
    interval, step = "day", "D"
    if span <= pd.Timedelta(hours=2):
        interval, step = "minute", "min"
    elif span <= pd.Timedelta(days=4):
        interval, step = "hour", "h"
    start = given["time"].dt.floor(step)
    counts = given.groupby([start, "facet"]).size().rename("labels").reset_index()
    return counts.assign(interval=interval)


def remarks(labels: pd.DataFrame) -> pd.DataFrame:
    """Return the comments and the items that could not be judged, latest first."""
    marked = labels[(labels["comment"] != "") | (labels["state"] == "cannot judge")]
    named = marked["assessor"].mask(marked["assessor"] == "", marked["assessor_id"])
    columns = ["time", "assessor", "topic_id", "document_id", "facet", "engine", "state"]
    marked = marked.assign(assessor=named).sort_values("time", ascending=False, kind="stable")
    return marked[[*columns, "given_level", "comment"]].reset_index(drop=True)


def _count_by_item(labels: pd.DataFrame) -> "pd.Series[int]":
    """Return how many assessors gave each item a level, repeats left out."""
    given = labels[(labels["state"] == "level") & (labels["occasion"] == 0)]
    return given.groupby(["facet", "topic_id", "document_id", "engine"]).size()
