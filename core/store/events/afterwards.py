"""Disagreements seen afterwards: whether they may be, who saw which, and since when."""

from dataclasses import dataclass

import pandas as pd

from core.store.audit.change_diff import describe_change
from core.store.events.labels import Key
from core.store.file.database import fetch, fetch_frame
from core.store.store import Store, utc_now

SUBJECT = "seeing others afterwards"
"""What the record of changes calls the organiser's choice."""


@dataclass(frozen=True)
class Seeing:
    """What assessors may see of others once they are done: levels, and perhaps comments."""

    is_allowed: bool = False
    comments: bool = False


def get_seeing(store: Store, collection_id: str) -> Seeing:
    """Return what assessors of a collection may see afterwards; nothing unless it was allowed."""
    rows = fetch(
        store.cursor(),
        "SELECT comments FROM seeing_allowed WHERE collection_id = ?",
        [collection_id],
    )
    return Seeing(True, rows[0]["comments"]) if rows else Seeing()


def allow_seeing(store: Store, collection_id: str, seeing: Seeing, by: str = "") -> None:
    """Store what assessors of a collection may see afterwards; what they have seen stays so."""
    before = get_seeing(store, collection_id)
    seeing = seeing if seeing.is_allowed else Seeing()
    if seeing == before:
        return
    detail = describe_change(_describe(before), _describe(seeing))
    with store.change(collection_id, "edit", SUBJECT, detail, by) as cursor:
        cursor.execute("DELETE FROM seeing_allowed WHERE collection_id = ?", [collection_id])
        if seeing.is_allowed:
            cursor.execute(
                "INSERT INTO seeing_allowed VALUES (?, ?)", [collection_id, seeing.comments]
            )


def _describe(seeing: Seeing) -> dict[str, bool]:
    return {"levels": seeing.is_allowed, "comments": seeing.comments}


def note_topic_seen(store: Store, collection_id: str, assessor_id: str, topic_id: str) -> None:
    """Write down that somebody sees others' labels of a topic; what they say there later is marked.

    No label comes in between: each was given before, or carries the mark. Once it is seen it stays
    so.
    """
    with store.labels.seal() as sequence:
        if topic_id not in list_topics_seen(store, collection_id, assessor_id):
            what = ("see", f"topic {topic_id}", "labels of others", assessor_id)
            with store.change(collection_id, *what) as cursor:
                cursor.execute(
                    "INSERT INTO topics_seen VALUES (?, ?, ?, ?, ?)",
                    [collection_id, assessor_id, topic_id, sequence, utc_now()],
                )
        store.after_seeing.topics.add((collection_id, assessor_id, topic_id))


def note_item_seen(store: Store, collection_id: str, key: Key) -> None:
    """Write down that somebody was shown what others said of an item; the first time stays."""
    with store.database.write() as cursor:
        cursor.execute(
            "INSERT INTO items_seen VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [collection_id, key.assessor_id, *key[:4], utc_now()],
        )


def list_topics_seen(store: Store, collection_id: str, assessor_id: str) -> dict[str, int]:
    """Return the last label event before somebody saw others' labels of a topic, by topic."""
    rows = fetch(
        store.cursor(),
        "SELECT topic_id, after_sequence FROM topics_seen "
        "WHERE collection_id = ? AND assessor_id = ?",
        [collection_id, assessor_id],
    )
    return {row["topic_id"]: row["after_sequence"] for row in rows}


def count_marked(store: Store, collection_id: str) -> int:
    """Return how many label events came after what others, or a machine, said there was seen."""
    rows = fetch(
        store.cursor(),
        "SELECT count(*) AS n FROM labels_after_seeing WHERE collection_id = ?",
        [collection_id],
    )
    return int(rows[0]["n"])


def count_since_seeing(store: Store, collection_id: str) -> int:
    """Return how many label events were made in topics that their assessors had opened."""
    rows = fetch(
        store.cursor(),
        "SELECT count(*) AS n FROM labels_after_seeing JOIN labels USING (event_id, collection_id) "
        "JOIN topics_seen USING (collection_id, assessor_id, topic_id) "
        "WHERE collection_id = ? AND sequence > after_sequence",
        [collection_id],
    )
    return int(rows[0]["n"])


def count_seen(store: Store, collection_id: str) -> tuple[int, int]:
    """Return how many assessors have opened topics, and how many topics that makes in all."""
    (row,) = fetch(
        store.cursor(),
        "SELECT count(DISTINCT assessor_id) AS people, count(*) AS topics FROM topics_seen "
        "WHERE collection_id = ?",
        [collection_id],
    )
    return int(row["people"]), int(row["topics"])


def read_items_seen(store: Store, collection_id: str) -> pd.DataFrame:
    """Return what was shown afterwards, in the order in which it was first shown.

    Returns
    -------
    DataFrame
        assessor_id, topic_id, document_id, facet, engine, seen_at (UTC).
    """
    return fetch_frame(
        store.cursor(),
        "SELECT assessor_id, topic_id, document_id, facet, engine, seen_at FROM items_seen "
        "WHERE collection_id = ? ORDER BY seen_at, assessor_id, topic_id, document_id",
        [collection_id],
    )


def list_arrivals(store: Store, collection_id: str, topic_id: str) -> dict[str, int]:
    """Return the first event with a level of each assessor of a topic, by assessor.

    It never changes, whatever they say later. Practice, repeats and adjudications play no part.
    """
    rows = fetch(
        store.cursor(),
        "SELECT assessor_id, min(sequence) AS first FROM labels WHERE collection_id = ? "
        "AND topic_id = ? AND state = 'level' AND occasion = 0 AND NOT stale "
        "AND source <> 'adjudicated' GROUP BY ALL ORDER BY first",
        [collection_id, topic_id],
    )
    return {row["assessor_id"]: row["first"] for row in rows}
