"""The passages that assessors marked, and the texts they are in."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

import pandas as pd

from core.collection.records import PAGE, SNIPPET
from core.collection.topics_and_documents.page_text import read_page_text
from core.store.content.documents import find_document, get_snippet
from core.store.events.labels import Key
from core.store.events.marked import Marked, hash_text
from core.store.file.database import fetch, fetch_frame
from core.store.store import Store


def text_of(store: Store, collection_id: str, item: Key) -> str | None:
    """Return the text in which passages of an item are marked; None where there is none.

    A snippet's is the snippet; a page's is the text of its document, or what is read of its HTML,
    by `read_page_text`. Whose the key is and its occasion play no part.
    """
    if item.facet == SNIPPET:
        return get_snippet(store, collection_id, item.topic_id, item.document_id, item.engine)
    document = find_document(store, collection_id, item.document_id)
    return markable_text(document) if document and item.facet == PAGE else None


def markable_text(document: dict[str, str]) -> str | None:
    """Return the text of a document in which passages can be marked; None where it has none."""
    return (read_page_text(document["html"]) if document["html"] else document["text"]) or None


def find_marked(store: Store, event_ids: Collection[str]) -> dict[str, Marked]:
    """Return what was marked with label events, by event id; others are not in it."""
    if not event_ids:
        return {}
    rows = fetch(
        store.cursor(),
        "SELECT event_id::VARCHAR AS event_id, start_offset, end_offset, text_hash FROM passages "
        "WHERE event_id IN (SELECT unnest(?::UUID[])) ORDER BY event_id, number",
        [list(event_ids)],
    )
    return _gather(rows)


def _gather(rows: list[dict[str, Any]]) -> dict[str, Marked]:
    spans: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    hashes = {}
    for row in rows:
        spans[row["event_id"]].append((row["start_offset"], row["end_offset"]))
        hashes[row["event_id"]] = row["text_hash"]
    return {event_id: Marked(hashes[event_id], tuple(of)) for event_id, of in spans.items()}


_KEY = "topic_id, document_id, facet, engine, assessor_id, occasion"
_CURRENT = f"""
    SELECT {_KEY}, max(sequence) AS sequence, arg_max(event_id, sequence) AS event_id,
        arg_max({{'state': state, 'level': level}}, sequence) AS label
    FROM labels SEMI JOIN (
        SELECT {_KEY} FROM labels
        WHERE collection_id = $1 AND event_id IN
            (SELECT event_id FROM passages WHERE collection_id = $1)) AS touched USING ({_KEY})
    WHERE collection_id = $1 AND NOT stale AND occasion >= 0
    GROUP BY ALL"""
"""The labels that stand, of those that ever had a passage: of a million there may be none."""

_TEXTS = """
    SELECT items.*, coalesce(snippets.text, documents.text, '') AS text
    FROM (SELECT DISTINCT topic_id, document_id, facet, engine FROM current) AS items
    LEFT JOIN (SELECT topic_id, document_id, engine, arg_min(snippet, rank) AS text FROM results
        WHERE collection_id = $1 GROUP BY ALL) AS snippets
        ON items.facet = 'snippet' AND snippets.topic_id = items.topic_id
        AND snippets.document_id = items.document_id AND snippets.engine = items.engine
    LEFT JOIN documents
        ON items.facet = 'page' AND documents.collection_id = $1
        AND documents.document_id = items.document_id AND coalesce(html, '') = ''"""

_PASSAGES = f"""
    WITH current AS ({_CURRENT}),
    texts AS (SELECT *, sha256(text) AS held_hash, length(text) AS held FROM ({_TEXTS}))
    SELECT current.topic_id AS topic_id, current.document_id AS document_id,
        current.facet AS facet, current.engine AS engine, current.assessor_id AS assessor_id,
        coalesce(members.name, '') AS name, current.occasion AS occasion,
        current.sequence AS sequence, current.label.state AS state,
        current.label.level AS level, start_offset AS "start", end_offset AS "end", text_hash,
        CASE WHEN held_hash = text_hash
            THEN substring(text, start_offset + 1, end_offset - start_offset) ELSE '' END AS quote,
        CASE WHEN held_hash = text_hash THEN held ELSE 0 END AS characters
    FROM current
    JOIN passages ON passages.event_id = current.event_id
    JOIN texts ON texts.topic_id = current.topic_id AND texts.document_id = current.document_id
        AND texts.facet = current.facet AND texts.engine = current.engine
    LEFT JOIN (FROM members WHERE collection_id = $1) AS members
        ON members.assessor_id = current.assessor_id
    ORDER BY current.topic_id, current.document_id, current.facet, current.engine,
        current.assessor_id, current.occasion, number"""


def is_any_marked(store: Store, collection_id: str) -> bool:
    """Tell whether anybody ever marked a passage: sooner known than which of them stand."""
    sql = "SELECT 1 AS marked FROM passages WHERE collection_id = ? LIMIT 1"
    return bool(fetch(store.cursor(), sql, [collection_id]))


def read_passages(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the passages marked with the labels that stand, practice left out.

    Returns
    -------
    DataFrame
        A row for each passage, by item, assessor, occasion and place in the text: topic_id,
        document_id, facet ("snippet" or "page": which text), engine, assessor_id, name, occasion,
        sequence (of the label event), state, level (as given; NULL
        without one), start and end (Unicode code points of the text, the end not included),
        text_hash (SHA-256 of the UTF-8 of the text they are in), quote (what stands there; empty
        where the collection holds another version of the text), characters (how many code points
        the text has; 0 where it is another version).
    """
    frame = fetch_frame(store.cursor(), _PASSAGES, [collection_id])
    return _quote_pages(store, collection_id, frame)


def _quote_pages(store: Store, collection_id: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Add the quotes of pages with HTML, whose text is in no column of the store."""
    unknown = (frame["characters"] == 0) & (frame["facet"] == PAGE)
    for document_id in frame.loc[unknown, "document_id"].unique():
        document = find_document(store, collection_id, document_id)
        text = markable_text(document) if document and document["html"] else None
        if text is None:
            continue
        known = unknown & (frame["document_id"] == document_id)
        known &= frame["text_hash"] == hash_text(text)
        spans = zip(frame.loc[known, "start"], frame.loc[known, "end"], strict=True)
        frame.loc[known, "quote"] = [text[start:end] for start, end in spans]
        frame.loc[known, "characters"] = len(text)
    return frame
