"""Topics and documents as they are shown: alone, with all that is stored of one, or in pairs."""

from collections.abc import Collection
from typing import Any

from core.store.file.database import Cursor, fetch
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


def read_snippet_card(
    cursor: Cursor, collection_id: str, topic_id: str, document_id: str
) -> list[dict[str, Any]]:
    """Return a document with its snippet by the engine that has it furthest up; or nothing."""
    return fetch(
        cursor,
        """SELECT document_id, coalesce(title, '') AS title, coalesce(url, '') AS url,
               snippet AS text, NULL AS html
           FROM results LEFT JOIN documents USING (collection_id, document_id)
           WHERE collection_id = ? AND topic_id = ? AND document_id = ? AND snippet <> ''
           ORDER BY rank, engine LIMIT 1""",
        [collection_id, topic_id, document_id],
    )


def read_page_card(cursor: Cursor, collection_id: str, document_id: str) -> list[dict[str, Any]]:
    """Return a document with its page; nothing where the page has neither text nor HTML."""
    return fetch(
        cursor,
        """SELECT document_id, title, url, text, html FROM documents
           WHERE collection_id = ? AND document_id = ?
               AND (coalesce(text, '') <> '' OR coalesce(html, '') <> '')""",
        [collection_id, document_id],
    )


def read_panel_cards(
    cursor: Cursor, collection_id: str, topic_id: str, system: str, depth: int, beginning: int
) -> list[dict[str, Any]]:
    """Return the first results of a system: its own snippets, or else how the pages begin.

    Their cards also have ``is_stored``: whether the page itself can be opened; and ``is_html``.

    Parameters
    ----------
    depth : int
        How many results.
    beginning : int
        How many characters of a page stand for a missing snippet.
    """
    return fetch(
        cursor,
        """SELECT run_lines.document_id, coalesce(title, '') AS title, coalesce(url, '') AS url,
               coalesce(nullif(snippet, ''), left(text, $5), '') AS text, NULL AS html,
               coalesce(text, '') <> '' OR coalesce(html, '') <> '' AS is_stored,
               coalesce(html, '') <> '' AS is_html
           FROM run_lines
           LEFT JOIN documents USING (collection_id, document_id)
           LEFT JOIN results ON results.collection_id = run_lines.collection_id
               AND results.topic_id = run_lines.topic_id AND results.engine = run_lines.system
               AND results.document_id = run_lines.document_id
           WHERE run_lines.collection_id = $1 AND run_lines.topic_id = $2 AND system = $3
               AND run_lines.rank <= $4
           ORDER BY run_lines.rank""",
        [collection_id, topic_id, system, depth, beginning],
    )
