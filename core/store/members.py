"""Who judges in a collection: invited, imported or simulated assessors, and their groups."""

import pandas as pd

from core.errors import NotFound
from core.store.database import fetch, fetch_frame
from core.store.store import Store, utc_now


def add_member(
    store: Store,
    collection_id: str,
    assessor_id: str,
    name: str,
    *,
    group: str = "",
    origin: str = "invited",
    by: str = "",
) -> None:
    """Let somebody judge in a collection; adding a member again brings a dropped one back."""
    with store.change(collection_id, "add", f"assessor {assessor_id}", group, by) as cursor:
        cursor.execute(
            "INSERT INTO members VALUES (?, ?, ?, ?, ?, NULL) ON CONFLICT DO UPDATE "
            'SET dropped_at = NULL, "group" = excluded."group"',
            [collection_id, assessor_id, name, group, origin],
        )


def list_members(store: Store, collection_id: str) -> pd.DataFrame:
    """Return assessor_id, name, group, origin, dropped_at of everybody in a collection."""
    return fetch_frame(
        store.cursor(),
        'SELECT assessor_id, name, "group", origin, dropped_at FROM members '
        "WHERE collection_id = ? ORDER BY name",
        [collection_id],
    )


def collections_of(store: Store, assessor_id: str) -> list[str]:
    """Return the ids of the collections in which somebody may judge, oldest first."""
    rows = fetch(
        store.cursor(),
        "SELECT collection_id FROM members JOIN collections USING (collection_id) "
        "WHERE assessor_id = ? AND dropped_at IS NULL ORDER BY collections.created_at",
        [assessor_id],
    )
    return [row["collection_id"] for row in rows]


def is_member(store: Store, collection_id: str, assessor_id: str) -> bool:
    """Tell whether somebody may judge in a collection now."""
    return collection_id in collections_of(store, assessor_id)


_HAND_ON = """
    WITH theirs AS (
        SELECT round_id, topic_id, batch FROM slots JOIN rounds USING (round_id)
        WHERE collection_id = $1 AND assessor_id = $3),
    handed AS (
        SELECT round_id, topic_id, batch, CASE WHEN EXISTS (
                FROM theirs WHERE theirs.topic_id = slots.topic_id
                AND (theirs.round_id <> slots.round_id OR theirs.batch = slots.batch))
            THEN NULL ELSE $3 END AS taker
        FROM slots JOIN rounds USING (round_id)
        WHERE collection_id = $1 AND assessor_id = $2 AND finished_at IS NULL)
    UPDATE slots SET assessor_id = taker, reserved = taker IS NOT NULL, leased_until = NULL
    FROM handed WHERE slots.round_id = handed.round_id AND slots.topic_id = handed.topic_id
        AND slots.batch = handed.batch AND assessor_id = $2 AND finished_at IS NULL"""


def drop_member(
    store: Store, collection_id: str, assessor_id: str, replacement: str | None = None, by: str = ""
) -> int:
    """Take an assessor off a collection; what they judged stays.

    Their unfinished slots go to the replacement, or back to the open queue: also those at
    topics which the replacement judges already, for nobody counts twice.

    Returns
    -------
    int
        How many slots were handed on.

    Raises
    ------
    NotFound
        One of the two is not in the collection.
    """
    known = set(list_members(store, collection_id)["assessor_id"])
    for somebody in filter(None, (assessor_id, replacement)):
        if somebody not in known:
            raise NotFound(f"There is no assessor {somebody} in this collection.")
    detail = f"replaced by {replacement}" if replacement else "to the open queue"
    with store.change(collection_id, "drop", f"assessor {assessor_id}", detail, by) as cursor:
        cursor.execute(
            "UPDATE members SET dropped_at = ? WHERE collection_id = ? AND assessor_id = ?",
            [utc_now(), collection_id, assessor_id],
        )
        taken = cursor.execute(_HAND_ON, [collection_id, assessor_id, replacement]).fetchone()
    return int(taken[0]) if taken else 0
