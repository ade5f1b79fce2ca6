"""Topics as they are shown to whoever judges in them."""

from collections.abc import Collection
from typing import Any

from core.store.file.database import Cursor, fetch


def read_topic_texts(
    cursor: Cursor, collection_id: str, topic_ids: Collection[str]
) -> dict[str, dict[str, Any]]:
    """Return query, description, narrative of some topics, by their ids."""
    rows = fetch(
        cursor,
        "SELECT topic_id, query, description, narrative FROM topics "
        "WHERE collection_id = ? AND list_contains(?, topic_id)",
        [collection_id, sorted(topic_ids)],
    )
    return {row.pop("topic_id"): row for row in rows}
