"""Practice items: what assessors judge first, with the right level and the reason for it."""

from dataclasses import astuple, dataclass
from typing import Any

import pandas as pd

from core.collection.records import SNIPPET
from core.errors import BadInput
from core.store.audit.change_diff import describe_change
from core.store.content.scales import get_scales
from core.store.events.labels import Key
from core.store.file.database import Cursor, fetch, fetch_frame
from core.store.store import Store


@dataclass(frozen=True)
class PracticeItem:
    """One item to practise on; ``engine`` is empty for a page."""

    topic_id: str
    document_id: str
    facet: str
    engine: str
    level: int
    why: str


_ITEM = "collection_id = ? AND topic_id = ? AND document_id = ? AND facet = ? AND engine = ?"

_SNIPPETS = """
    SELECT document_id, engine, title, snippet AS shown
    FROM results JOIN documents USING (collection_id, document_id)
    WHERE collection_id = $1 AND topic_id = $2
    ORDER BY engine, results.rank"""

_PAGES = """
    SELECT document_id, '' AS engine, title, coalesce(nullif(text, ''), html) AS shown
    FROM documents SEMI JOIN (
        SELECT document_id FROM results WHERE collection_id = $1 AND topic_id = $2
        UNION ALL
        SELECT document_id FROM run_lines WHERE collection_id = $1 AND topic_id = $2)
        USING (document_id)
    WHERE collection_id = $1 AND (coalesce(text, '') <> '' OR coalesce(html, '') <> '')
    ORDER BY document_id"""


def read_candidates(
    store: Store, collection_id: str, topic_id: str, facet: str = SNIPPET
) -> pd.DataFrame:
    """Return document_id, engine, title, shown of everything of a topic that can be judged."""
    sql = _SNIPPETS if facet == SNIPPET else _PAGES
    return fetch_frame(store.cursor(), sql, [collection_id, topic_id])


def list_practice_items(store: Store, collection_id: str) -> list[PracticeItem]:
    """Return the practice items of a collection in the order in which they are shown."""
    rows = fetch(
        store.cursor(),
        "SELECT topic_id, document_id, facet, engine, level, why FROM practice "
        "WHERE collection_id = ? ORDER BY topic_id, document_id, facet DESC, engine",
        [collection_id],
    )
    return [PracticeItem(**row) for row in rows]


def add_practice_item(store: Store, collection_id: str, item: PracticeItem, by: str = "") -> None:
    """Add a practice item; one that is there already gets the new level and reason.

    Raises
    ------
    BadInput
        There is no such item to show, the level is not on its scale, or the reason is empty.
    """
    if not item.why.strip():
        raise BadInput("say in one line why this level is right", field="why")
    if item.level not in {one.level for one in get_scales(store, collection_id)[item.facet]}:
        raise BadInput(f"{item.level} is not on the {item.facet} scale", field="level")
    known = read_candidates(store, collection_id, item.topic_id, item.facet)
    if not ((known["document_id"] == item.document_id) & (known["engine"] == item.engine)).any():
        raise BadInput(f"document {item.document_id} has no {item.facet} to judge in this topic")
    before: dict[str, Any] = {}
    after = {"level": item.level, "why": item.why}

    def detail() -> str:
        return ", ".join(filter(None, (_describe(item), describe_change(before, after))))

    with store.change(collection_id, "add", "practice item", detail, by) as cursor:
        before |= _read_answer(cursor, collection_id, item)
        cursor.execute(
            "INSERT OR REPLACE INTO practice VALUES (?, ?, ?, ?, ?, ?, ?)",
            [collection_id, *astuple(item)],
        )


def remove_practice_item(
    store: Store, collection_id: str, item: PracticeItem, by: str = ""
) -> None:
    """Take a practice item away; how assessors judged it stays on record."""
    before: dict[str, Any] = {}

    def detail() -> str:
        return ", ".join(filter(None, (_describe(item), describe_change(before, {}))))

    with store.change(collection_id, "remove", "practice item", detail, by) as cursor:
        before |= _read_answer(cursor, collection_id, item)
        cursor.execute(f"DELETE FROM practice WHERE {_ITEM}", [collection_id, *astuple(item)[:4]])


def find_practice_answer(store: Store, collection_id: str, key: Key) -> dict[str, Any] | None:
    """Return the right level of a practice item and why; None when it is no longer one."""
    item = PracticeItem(key.topic_id, key.document_id, key.facet, key.engine, 0, "")
    return _read_answer(store.cursor(), collection_id, item) or None


def _read_answer(cursor: Cursor, collection_id: str, item: PracticeItem) -> dict[str, Any]:
    """Return the level and the reason that an item has now; nothing where there is none."""
    place = [collection_id, *astuple(item)[:4]]
    rows = fetch(cursor, f"SELECT level, why FROM practice WHERE {_ITEM}", place)
    return rows[0] if rows else {}


def _describe(item: PracticeItem) -> str:
    return " ".join(filter(None, (item.topic_id, item.document_id, item.facet, item.engine)))
