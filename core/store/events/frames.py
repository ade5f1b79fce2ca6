"""What a collection holds, as the frames that every analysis starts from."""

import pandas as pd

from core.store.events.current_labels import LATEST, read_current
from core.store.file.database import fetch_frame
from core.store.store import Store


def read_labels(
    store: Store,
    collection_id: str,
    until: int = LATEST,
    *,
    assessor_id: str = "",
    discussed: bool = False,
) -> pd.DataFrame:
    """Return the labels that stood at an event sequence, practice and adjudications left out.

    All of them, or those of one assessor. They are as given: what assessors said after they had
    seen others' labels counts only with ``discussed``.

    Columns are topic_id, document_id, facet, engine, assessor_id, occasion, level (as
    counted: Nav as Key, say), given_level (as pressed), state, group, assessor (the name),
    sequence (of the key's first level), time, dwell_ms (of all its events), comment,
    source. Rows are in the order in which the keys were first judged.
    """
    return read_current(
        store.cursor(), collection_id, until, assessor_id=assessor_id, discussed=discussed
    )


def read_runs(store: Store, collection_id: str, deepest: int | None = None) -> pd.DataFrame:
    """Return system, topic_id, document_id, score, rank of every run, down to some rank.

    Runs that are withdrawn are left out.
    """
    return fetch_frame(
        store.cursor(),
        "SELECT system, topic_id, document_id, score, rank FROM run_lines "
        "WHERE collection_id = $1 AND ($2::INTEGER IS NULL OR rank <= $2) AND system NOT IN ("
        "SELECT system FROM withdrawn_runs WHERE collection_id = $1 AND reinstated_at IS NULL) "
        "ORDER BY system, topic_id, rank",
        [collection_id, deepest],
    )


def read_qrels(store: Store, collection_id: str, name: str) -> pd.DataFrame:
    """Return topic_id, iteration, document_id, level of one set of imported qrels."""
    return fetch_frame(
        store.cursor(),
        "SELECT topic_id, iteration, document_id, level FROM qrels "
        "WHERE collection_id = ? AND name = ?",
        [collection_id, name],
    )


def list_qrels(store: Store, collection_id: str) -> list[str]:
    """Return the names of the imported qrels."""
    rows = store.cursor().execute(
        "SELECT DISTINCT name FROM qrels WHERE collection_id = ? ORDER BY name", [collection_id]
    )
    return [name for (name,) in rows.fetchall()]


def read_topics(store: Store, collection_id: str) -> pd.DataFrame:
    """Return topic_id, query, description, narrative, type in the order of import."""
    return fetch_frame(
        store.cursor(),
        "SELECT topic_id, query, description, narrative, type FROM topics "
        "WHERE collection_id = ? ORDER BY position",
        [collection_id],
    )


def read_subtopics(store: Store, collection_id: str) -> pd.DataFrame:
    """Return topic_id, subtopic_id, type, text, probability (NaN where none is given)."""
    return fetch_frame(
        store.cursor(),
        "SELECT topic_id, subtopic_id, type, text, probability FROM subtopics "
        "WHERE collection_id = ? ORDER BY topic_id, subtopic_id",
        [collection_id],
    )


def read_results(store: Store, collection_id: str) -> pd.DataFrame:
    """Return topic_id, engine, document_id, rank, snippet, vertical of every result."""
    return fetch_frame(
        store.cursor(),
        "SELECT topic_id, engine, document_id, rank, snippet, vertical FROM results "
        "WHERE collection_id = ? ORDER BY topic_id, engine, rank",
        [collection_id],
    )


def read_documents(store: Store, collection_id: str) -> pd.DataFrame:
    """Return document_id, title, url, text, html of every document; empty where none is stored."""
    return fetch_frame(
        store.cursor(),
        "SELECT document_id, title, url, coalesce(text, '') AS text, coalesce(html, '') AS html "
        "FROM documents WHERE collection_id = ? ORDER BY document_id",
        [collection_id],
    )


def read_document_index(store: Store, collection_id: str) -> pd.DataFrame:
    """Return document_id, title and whether the document has a text that can be judged."""
    return fetch_frame(
        store.cursor(),
        "SELECT document_id, title, "
        "coalesce(text, '') <> '' OR coalesce(html, '') <> '' AS readable "
        "FROM documents WHERE collection_id = ?",
        [collection_id],
    )


def count_contents(store: Store, collection_id: str) -> dict[str, int]:
    """Return how many topics, documents, results, runs, run lines, qrels and so on there are."""
    counted = {
        "topics": "count(*) FROM topics",
        "documents": "count(*) FROM documents",
        "results": "count(*) FROM results",
        "runs": "count(DISTINCT system) FROM run_lines",
        "run lines": "count(*) FROM run_lines",
        "qrels": "count(DISTINCT name) FROM qrels",
        "label events": "count(*) FROM labels",
        "click logs": "count(*) FROM click_logs",
    }
    cursor = store.cursor()
    counts = {}
    for noun, what in counted.items():
        row = cursor.execute(f"SELECT {what} WHERE collection_id = ?", [collection_id]).fetchone()
        counts[noun] = int(row[0]) if row else 0
    return counts
