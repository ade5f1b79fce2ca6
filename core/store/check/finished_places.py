"""Places that are marked as finished, and what has come to them since."""

from datetime import datetime
from typing import Any

from core.store.file.database import fetch
from core.store.store import Store

_FINISHED = """
    SELECT round_id, topic_id, batch, slot, assessor_id, finished_at FROM slots
    JOIN rounds USING (round_id) JOIN collections USING (collection_id)
    WHERE finished_at IS NOT NULL AND assessor_id IS NOT NULL
    ORDER BY assessor_id, round_id, topic_id, batch"""

_MOVED_SINCE = """
    SELECT 1 FROM changes WHERE collection_id = $1 AND time > $2
        AND what IN ('import', 'replace', 'top up')
    UNION ALL
    SELECT 1 FROM labels WHERE collection_id = $1 AND time > $2 AND assessor_id = $3
        AND topic_id = $4 AND supersedes IS NOT NULL
    LIMIT 1"""


def list_finished_places(store: Store) -> list[dict[str, Any]]:
    """Return round_id, topic_id, batch, slot, assessor_id, finished_at, by assessor."""
    return fetch(store.cursor(), _FINISHED)


def has_moved_since(
    store: Store, collection_id: str, time: datetime, assessor_id: str, topic_id: str
) -> bool:
    """Tell whether files came, or an assessor revised a label of a topic, after some time."""
    values = [collection_id, time, assessor_id, topic_id]
    return bool(fetch(store.cursor(), _MOVED_SINCE, values))
