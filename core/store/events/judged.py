"""What has been judged by whom: keys of labels, and counts of label events."""

from datetime import datetime

from core.store.events.adjudications import ADJUDICATED
from core.store.events.labels import Key
from core.store.file.database import fetch
from core.store.store import Store


def is_judged(store: Store, collection_id: str, item: Key) -> bool:
    """Tell whether anybody has judged an item; practice and adjudications do not count.

    Whose the key is and its occasion play no part.
    """
    rows = fetch(
        store.cursor(),
        "SELECT 1 FROM labels WHERE collection_id = ? AND topic_id = ? AND document_id = ? "
        "AND facet = ? AND engine = ? AND source <> ? AND occasion >= 0 LIMIT 1",
        [collection_id, *item[:4], ADJUDICATED],
    )
    return bool(rows)


def list_current_keys(store: Store, collection_id: str, assessor_id: str) -> list[Key]:
    """Return the keys of the current labels of an assessor."""
    rows = fetch(
        store.cursor(),
        "SELECT topic_id, document_id, facet, engine, assessor_id, occasion FROM current_labels "
        "WHERE collection_id = ? AND assessor_id = ?",
        [collection_id, assessor_id],
    )
    return [Key(**row) for row in rows]


def list_answered_keys(
    store: Store, collection_id: str, assessor_id: str, topic_id: str
) -> set[Key]:
    """Return what an assessor has ever answered in a topic, whatever stands there now.

    An answer is a level, or that the item cannot be judged.
    """
    rows = fetch(
        store.cursor(),
        "SELECT topic_id, document_id, facet, engine, assessor_id, occasion FROM labels "
        "WHERE collection_id = ? AND assessor_id = ? AND topic_id = ? "
        "AND state IN ('level', 'cannot judge')",
        [collection_id, assessor_id, topic_id],
    )
    return {Key(**row) for row in rows}


def count_events(store: Store, collection_id: str, assessor_id: str) -> int:
    """Return how many label events of an assessor are stored, revisions included."""
    rows = fetch(
        store.cursor(),
        "SELECT count(*) AS events FROM labels WHERE collection_id = ? AND assessor_id = ?",
        [collection_id, assessor_id],
    )
    return int(rows[0]["events"])


def count_answered_since(
    store: Store, collection_id: str, assessor_id: str, moment: datetime
) -> int:
    """Return how many items an assessor has answered since a moment; practice does not count.

    An item answered twice counts once, and one that was taken back does not.
    """
    rows = fetch(
        store.cursor(),
        "SELECT count(*) AS items FROM (SELECT arg_max(state, sequence) AS state FROM labels "
        "WHERE collection_id = ? AND assessor_id = ? AND time >= ? AND occasion >= 0 AND NOT stale "
        "GROUP BY topic_id, document_id, facet, engine, occasion) "
        "WHERE state IN ('level', 'cannot judge')",
        [collection_id, assessor_id, moment],
    )
    return int(rows[0]["items"])


def last_sequence(store: Store) -> int:
    """Return the sequence of the last label event of the whole store; 0 when there is none.

    It is read from the file each time.
    """
    rows = fetch(store.cursor(), "SELECT coalesce(max(sequence), 0) AS last FROM labels")
    return int(rows[0]["last"])
