"""How far the judging is: by topic, by assessor, and what assessors remark."""

import pandas as pd

from core.collection.labels.counted_labels import counted_labels
from core.store.events.current_labels import write_out
from core.store.rounds.rounds import read_slot_frame
from core.store.store import Store


def read_slot_states(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the slots of every round with a ``state``: open, taken or finished.

    ``closed`` says that the round is: nobody will fill what is open there.
    """
    slots = read_slot_frame(store, collection_id)
    state = pd.Series("open", index=slots.index)
    state = state.mask(slots["assessor_id"].notna(), "taken")
    return slots.assign(state=state.mask(slots["finished_at"].notna(), "finished"))


def judged_items(labels: pd.DataFrame) -> pd.DataFrame:
    """Count the assessors of each item that has a level, repeats left out.

    Parameters
    ----------
    labels : DataFrame
        From ``read_labels``, or with categories as ``CurrentLabels`` has them.

    Returns
    -------
    DataFrame
        facet, topic_id, document_id, engine, assessors.
    """
    item = ["facet", "topic_id", "document_id", "engine"]
    given = counted_labels(labels)[item]
    return write_out(given.groupby(item, observed=True).size().rename("assessors").reset_index())


def labels_by_topic(
    labels: pd.DataFrame, items: pd.DataFrame, topics: pd.DataFrame
) -> pd.DataFrame:
    """Count labels and items by topic.

    Parameters
    ----------
    labels, topics : DataFrame
        As for ``judged_items``, and from ``read_topics``.
    items : DataFrame
        From ``judged_items``.

    Returns
    -------
    DataFrame
        topic_id, query, labels, imported (those of them that no one gave here), items (with a
        label), assessors, cannot_judge; one row for each topic of the collection, and below them
        one for each that labels name and nobody has described (query empty).
    """
    counts = _count(labels, "topic_id", "level").to_frame("labels")
    counts["imported"] = _count(labels[labels["source"] != "judged"], "topic_id", "level")
    given = labels.loc[labels["state"] == "level", ["topic_id", "assessor_id"]]
    counts["assessors"] = _size(given.drop_duplicates(), "topic_id")
    counts["items"] = items.groupby("topic_id").size()
    counts["cannot_judge"] = _count(labels, "topic_id", "cannot judge")
    known = topics[["topic_id", "query"]].set_index("topic_id")
    table = known.reindex(known.index.append(counts.index.difference(known.index))).join(counts)
    table["query"] = table["query"].fillna("")
    whole = ["labels", "imported", "items", "assessors", "cannot_judge"]
    table[whole] = table[whole].fillna(0).astype("int64")
    return table[["query", *whole]].rename_axis("topic_id").reset_index()


def assessor_progress(
    labels: pd.DataFrame, slots: pd.DataFrame, members: pd.DataFrame
) -> pd.DataFrame:
    """Count labels and slots by assessor, with their pace.

    Parameters
    ----------
    labels, slots : DataFrame
        As for ``judged_items``, and from ``read_slot_states``.
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
    table = pd.DataFrame(index=known.index.union(_size(labels, "assessor_id").index))
    table.index.name = "assessor_id"
    table["assessor"] = known["name"].reindex(table.index)
    table["assessor"] = table["assessor"].fillna(table.index.to_series())
    table["group"] = known["group"].reindex(table.index).fillna("")
    given = labels.loc[labels["state"] == "level", ["assessor_id", "topic_id", "dwell_ms"]]
    table["labels"] = _size(given, "assessor_id")
    both = given[["assessor_id", "topic_id"]].drop_duplicates()
    table["topics"] = _size(both, "assessor_id")
    for state in ("taken", "finished"):
        table[state] = _count(slots, "assessor_id", state)
    for state in ("cannot judge", "later"):
        table[state.replace(" ", "_")] = _count(labels, "assessor_id", state)
    whole = ["labels", "topics", "taken", "finished", "cannot_judge", "later"]
    table[whole] = table[whole].fillna(0).astype("int64")
    timed = given[given["dwell_ms"] > 0]
    seconds = timed.groupby("assessor_id", observed=True)["dwell_ms"].median() / 1000
    table["median_seconds"] = seconds.rename(index=str)
    last = labels.groupby("assessor_id", observed=True)["time"].max()
    table["last"] = last.rename(index=str)
    table["dropped"] = known["dropped_at"].reindex(table.index).notna()
    return table.sort_values("labels", ascending=False, kind="stable").reset_index()


def judged_times(items: pd.DataFrame, judges: int) -> pd.DataFrame:
    """Count the items by how many assessors have judged them.

    Parameters
    ----------
    items : DataFrame
        From ``judged_items``.
    judges : int
        k, the number of assessors asked for; items above it carry surplus labels.

    Returns
    -------
    DataFrame
        facet, assessors, items, standing ("below k", "at k", "surplus").
    """
    counts = items.groupby(["facet", "assessors"]).size().rename("items").reset_index()
    standing = pd.Series("at k", index=counts.index)
    standing = standing.mask(counts["assessors"] < judges, "below k")
    return counts.assign(standing=standing.mask(counts["assessors"] > judges, "surplus"))


def remarks(labels: pd.DataFrame) -> pd.DataFrame:
    """Return the comments and the items that could not be judged, latest first."""
    marked = write_out(labels[(labels["comment"] != "") | (labels["state"] == "cannot judge")])
    named = marked["assessor"].mask(marked["assessor"] == "", marked["assessor_id"])
    columns = ["time", "assessor", "topic_id", "document_id", "facet", "engine", "state"]
    marked = marked.assign(assessor=named).sort_values("time", ascending=False, kind="stable")
    return marked[[*columns, "given_level", "comment"]].reset_index(drop=True)


def _count(rows: pd.DataFrame, column: str, state: str) -> "pd.Series[int]":
    """Return how many rows are in a state, by what a column says."""
    return _size(rows.loc[rows["state"] == state, [column]], column)


def _size(rows: pd.DataFrame, column: str) -> "pd.Series[int]":
    """Return how many rows there are, by what a column says."""
    return rows.groupby(column, observed=True).size().rename(index=str)
