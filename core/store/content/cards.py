"""What is shown of documents that stand side by side.

A card has document_id, title, url, text and html.
"""

from typing import Any

from core.store.file.database import Cursor, fetch


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
