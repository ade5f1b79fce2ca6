"""How labels came about, as a CSV file that spreadsheets open safely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.collection.export.delimited import write_table

if TYPE_CHECKING:
    import pandas as pd

PARADATA = {
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
    "dwell_ms": "dwell_ms",
    "shown_ms": "shown_ms",
    "given_by": "given_by",
    "place": "place",
    "x": "x",
    "y": "y",
    "furthest": "furthest",
    "first_side": "first_side",
    "both_sides": "both_sides",
    "text_only": "text_only",
}
"""Columns of the file, by those of what the store gives."""

_WHOLE = ("level", "shown_ms", "place", "x", "y", "furthest")


def write_paradata_csv(paradata: pd.DataFrame) -> bytes:
    """Return paradata as CSV, a row for each label or preference; what is not known is empty.

    Parameters
    ----------
    paradata : DataFrame
        As the store gives them; ``name`` may be absent.
    """
    chosen = {name: title for name, title in PARADATA.items() if name in paradata}
    table = paradata[list(chosen)].astype(dict.fromkeys(_WHOLE, "Int64"))
    return write_table(table.rename(columns=chosen))
