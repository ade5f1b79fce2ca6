"""Rows of the store as CSV files that spreadsheets open safely: one list of columns a kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.collection.export.delimited import write_table

if TYPE_CHECKING:
    import pandas as pd

_ITEM = ("topic", "document", "facet", "engine", "occasion", "level", "state")
_COLUMNS = {
    # Offsets are code points of the snippet or the page's text, `end` not included; the hash is
    # the SHA-256 of the UTF-8 of that text, and the quote empty where another version is held.
    "passages": (
        "assessor", "name", "kind", *_ITEM,
        "sequence", "start", "end", "text_hash", "quote",
    ),
    "paradata": (
        "assessor", "name", "kind", *_ITEM, "sequence", "dwell_ms", "shown_ms", "given_by",
        "place", "x", "y", "furthest", "first_side", "both_sides", "text_only",
    ),
    # The hash is the SHA-256 of the UTF-8 of the prompt; costs are in whatever currency was paid.
    "machine-answers": (
        "assessor", "name", "model", "version", "prompt_hash", *_ITEM, "stands", "sequence",
        "time", "answer", "reason", "cost", "input_tokens", "output_tokens",
    ),
    "questions": (
        "question_id", "assessor", "name", "topic", "document", "facet", "question", "asked",
        "answer", "answered", "said_to",
    ),
    # A label was given under the latest version whose `after_sequence` is below its `sequence`.
    "guidelines": ("version", "written", "by", "after_sequence", "labels", "note", "guidelines"),
}  # fmt: skip
_SOURCES = {
    **dict.fromkeys(("assessor", "by"), "assessor_id"),
    **{name: f"{name}_id" for name in ("topic", "document")},
    **{name: f"{name}_at" for name in ("asked", "answered", "written")},
}
"""What the store calls a column, where that is not its title."""

_WHOLE = ("level", "shown_ms", "place", "x", "y", "furthest", "input_tokens", "output_tokens")
_MOMENTS = ("asked", "answered", "written")


def write_rows_csv(kind: str, frame: pd.DataFrame) -> bytes:
    """Return rows as CSV, moments in UTC; what is not known is empty.

    Parameters
    ----------
    kind : str
        Of `EXPORTED`: passages, paradata, machine-answers, questions or guidelines.
    frame : DataFrame
        As the store gives them; ``name`` and ``kind`` may be absent.
    """
    sources = {_SOURCES.get(title, title): title for title in _COLUMNS[kind]}
    chosen = {source: title for source, title in sources.items() if source in frame}
    table = frame[list(chosen)].rename(columns=chosen)
    table = table.astype({name: "Int64" for name in _WHOLE if name in table})
    moments = {name: table[name] for name in _MOMENTS if name in table}
    told = {name: at.dt.strftime("%Y-%m-%dT%H:%M:%SZ").fillna("") for name, at in moments.items()}
    return write_table(table.assign(**told))
