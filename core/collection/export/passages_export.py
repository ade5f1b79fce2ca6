"""Passages as a CSV file that spreadsheets open safely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.collection.export.delimited import write_table

if TYPE_CHECKING:
    import pandas as pd

PASSAGES = {
    "assessor_id": "assessor",
    "name": "name",
    "kind": "kind",
    "topic_id": "topic",
    "document_id": "document",
    "facet": "facet",
    "engine": "engine",
    "occasion": "occasion",
    "level": "level",
    "state": "state",
    "sequence": "sequence",
    "start": "start",
    "end": "end",
    "text_hash": "text_hash",
    "quote": "quote",
}
"""Columns of the file, by those of what the store gives."""


def write_passages_csv(passages: pd.DataFrame) -> bytes:
    """Return passages as CSV, a row each.

    ``start`` and ``end`` are Unicode code points of the snippet or of the page's text, whichever
    ``facet`` says, ``end`` not included; ``text_hash`` is the SHA-256 of the UTF-8 of that text;
    ``quote`` is empty where the collection holds another version of it.

    Parameters
    ----------
    passages : DataFrame
        As the store gives them; ``name`` may be absent.
    """
    chosen = {name: title for name, title in PASSAGES.items() if name in passages}
    return write_table(passages[list(chosen)].rename(columns=chosen).astype({"level": "Int64"}))
