"""Who may read the results of a collection without judging or changing anything in it."""

from core.store.file.database import fetch
from core.store.store import Store, utc_now


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
