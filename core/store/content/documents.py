"""One document with everything that is stored of it."""

from core.store.file.database import fetch
from core.store.store import Store


def get_document(store: Store, collection_id: str, document_id: str) -> dict[str, str]:
    """Return title, url, text, html of a document; all empty where it is not stored."""
    rows = fetch(
        store.cursor(),
        "SELECT title, url, coalesce(text, '') AS text, coalesce(html, '') AS html "
        "FROM documents WHERE collection_id = ? AND document_id = ?",
        [collection_id, document_id],
    )
    return rows[0] if rows else dict.fromkeys(("title", "url", "text", "html"), "")
