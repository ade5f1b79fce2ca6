"""One document with everything that is stored of it."""

from collections.abc import Collection

from core.store.file.database import fetch
from core.store.store import Store


def find_document(store: Store, collection_id: str, document_id: str) -> dict[str, str] | None:
    """Return title, url, text, html of a document; None where it is not stored."""
    rows = fetch(
        store.cursor(),
        "SELECT title, url, coalesce(text, '') AS text, coalesce(html, '') AS html "
        "FROM documents WHERE collection_id = ? AND document_id = ?",
        [collection_id, document_id],
    )
    return rows[0] if rows else None


def get_document(store: Store, collection_id: str, document_id: str) -> dict[str, str]:
    """Return title, url, text, html of a document; all empty where it is not stored."""
    found = find_document(store, collection_id, document_id)
    return found or dict.fromkeys(("title", "url", "text", "html"), "")


def read_texts(
    store: Store, collection_id: str, document_ids: Collection[str]
) -> dict[str, dict[str, str]]:
    """Return title, text, html of some documents, by their ids; of those that are stored."""
    rows = fetch(
        store.cursor(),
        "SELECT document_id, title, coalesce(text, '') AS text, coalesce(html, '') AS html "
        "FROM documents WHERE collection_id = ? AND list_contains(?, document_id)",
        [collection_id, sorted(set(document_ids))],
    )
    return {row.pop("document_id"): row for row in rows}


def get_snippet(
    store: Store, collection_id: str, topic_id: str, document_id: str, engine: str
) -> str:
    """Return the snippet under which an engine showed a document; empty where there is none."""
    rows = fetch(
        store.cursor(),
        "SELECT snippet FROM results WHERE collection_id = ? AND topic_id = ? "
        "AND document_id = ? AND engine = ?",
        [collection_id, topic_id, document_id, engine],
    )
    return rows[0]["snippet"] if rows else ""
