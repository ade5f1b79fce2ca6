"""Who judges in a collection: invited, imported or simulated assessors, and their groups."""

import pandas as pd

from core.errors import NotFound
from core.store.audit.change_diff import describe_change
from core.store.file.database import Cursor, fetch, fetch_frame
from core.store.people.people import list_people
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
    before: dict[str, object] = {}
    after = {"name": name, "group": group, "origin": origin, "taken off": False}

    def detail() -> str:
        kept = {field: before[field] for field in ("name", "origin") if field in before}
        return describe_change(before, after | kept)

    with store.change(collection_id, "add", f"assessor {assessor_id}", detail, by) as cursor:
        before |= _read_member(cursor, collection_id, assessor_id)
        insert_member(cursor, collection_id, assessor_id, name, group, origin)


def _read_member(cursor: Cursor, collection_id: str, assessor_id: str) -> dict[str, object]:
    rows = fetch(
        cursor,
        'SELECT name, "group", origin, dropped_at IS NOT NULL AS "taken off" FROM members '
        "WHERE collection_id = ? AND assessor_id = ?",
        [collection_id, assessor_id],
    )
    return rows[0] if rows else {}


def insert_member(
    cursor: Cursor, collection_id: str, assessor_id: str, name: str, group: str, origin: str
) -> None:
    """Store a member, or bring a dropped one back."""
    cursor.execute(
        'INSERT INTO members (collection_id, assessor_id, name, "group", origin) '
        "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE "
        'SET dropped_at = NULL, "group" = excluded."group"',
        [collection_id, assessor_id, name, group, origin],
    )


BY_IMPORT = 'origin: none → "imported"'
"""What is recorded of an assessor who became a member by an import."""


def note_newcomers(
    cursor: Cursor, collection_id: str, assessors: "pd.Series[str]", by: str
) -> None:
    """Record those of the assessors of an import who become members by it."""
    cursor.register("newcomers", assessors.drop_duplicates().to_frame("assessor_id"))
    cursor.execute(
        f"""INSERT INTO changes SELECT $2, $3, $1, 'add', 'assessor ' || assessor_id, '{BY_IMPORT}'
           FROM newcomers ANTI JOIN (FROM members WHERE collection_id = $1) USING (assessor_id)""",
        [collection_id, utc_now(), by],
    )
    cursor.unregister("newcomers")


def list_members(store: Store, collection_id: str) -> pd.DataFrame:
    """Return assessor_id, name, group, origin, dropped_at, kind of everybody in a collection."""
    return fetch_frame(
        store.cursor(),
        'SELECT assessor_id, name, "group", origin, dropped_at, kind FROM members '
        "WHERE collection_id = ? ORDER BY name",
        [collection_id],
    )


def list_assessors(store: Store, collection_id: str) -> dict[str, str]:
    """Return the names of those who can sign in and judge in a collection, by id.

    Imported and simulated assessors have labels but nobody who could sign in.
    """
    accounts = {one.person_id for one in list_people(store) if one.disabled_at is None}
    members = list_members(store, collection_id)
    present = members[members["dropped_at"].isna() & members["assessor_id"].isin(accounts)]
    return dict(zip(present["assessor_id"], present["name"], strict=True))


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


_HANDED = """
    WITH theirs AS (
        SELECT round_id, topic_id, batch FROM slots JOIN rounds USING (round_id)
        WHERE collection_id = $1 AND assessor_id = $3),
    handed AS (
        SELECT round_id, topic_id, batch, CASE WHEN EXISTS (
                FROM theirs WHERE theirs.topic_id = slots.topic_id
                AND (theirs.round_id <> slots.round_id OR theirs.batch = slots.batch))
            THEN NULL ELSE $3 END AS taker
        FROM slots JOIN rounds USING (round_id)
        WHERE collection_id = $1 AND assessor_id = $2 AND finished_at IS NULL)"""

_HAND_ON = f"""
    {_HANDED}
    UPDATE slots SET assessor_id = taker, reserved = taker IS NOT NULL, leased_until = NULL
    FROM handed WHERE slots.round_id = handed.round_id AND slots.topic_id = handed.topic_id
        AND slots.batch = handed.batch AND assessor_id = $2 AND finished_at IS NULL"""

_NOTE_HAND_ON = f"""
    INSERT INTO changes {_HANDED}
    SELECT $5, $4, $1, 'hand on', concat_ws(' ', 'slot', round_id, topic_id, batch),
        concat('assessor: "', $2, '" → ', coalesce('"' || taker || '"', 'none'))
    FROM handed"""


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
        cursor.execute(_NOTE_HAND_ON, [collection_id, assessor_id, replacement, by, utc_now()])
        taken = cursor.execute(_HAND_ON, [collection_id, assessor_id, replacement]).fetchone()
    return int(taken[0]) if taken else 0


def add_viewer(store: Store, collection_id: str, person_id: str, by: str = "") -> None:
    """Let somebody read the results of a collection; no harm when they can already."""
    with store.change(collection_id, "let in", f"viewer {person_id}", by=by) as cursor:
        cursor.execute(
            "INSERT INTO viewers VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [collection_id, person_id, utc_now()],
        )


def remove_viewer(store: Store, collection_id: str, person_id: str, by: str = "") -> None:
    """Close a collection to one of its viewers."""
    with store.change(collection_id, "shut out", f"viewer {person_id}", by=by) as cursor:
        cursor.execute(
            "DELETE FROM viewers WHERE collection_id = ? AND person_id = ?",
            [collection_id, person_id],
        )


def list_viewers(store: Store, collection_id: str) -> dict[str, str]:
    """Return the names of a collection's viewers by id."""
    rows = fetch(
        store.cursor(),
        "SELECT person_id, name FROM viewers JOIN people USING (person_id) "
        "WHERE collection_id = ? ORDER BY name",
        [collection_id],
    )
    return {row["person_id"]: row["name"] for row in rows}


def viewed_by(store: Store, person_id: str) -> list[str]:
    """Return the ids of the collections whose results somebody may read, oldest first."""
    rows = fetch(
        store.cursor(),
        "SELECT collection_id FROM viewers JOIN collections USING (collection_id) "
        "WHERE person_id = ? ORDER BY collections.created_at",
        [person_id],
    )
    return [row["collection_id"] for row in rows]
