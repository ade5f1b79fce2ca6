"""Labels as a CSV file that spreadsheets open safely and that reads back as it was."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from core.collection.export.delimited import write_cell, write_table

if TYPE_CHECKING:
    import pandas as pd
    from pandas import DataFrame


def write_labels_csv(labels: DataFrame) -> bytes:
    """Return labels as CSV, every column that the reader of labels knows.

    A cell that a spreadsheet would take for a formula gets an apostrophe in front, which the
    reader takes away. The level is the one that was given, where it counts as another.

    Parameters
    ----------
    labels : DataFrame
        The canonical columns up to state; the others may be absent.
    """
    given = "given_level" if "given_level" in labels else "level"
    chosen = [
        (title, source or title, write)
        for title, source, write in _columns(given)
        if (source or title) in labels
    ]
    cells = [[write(value) for value in labels[source]] for _, source, write in chosen]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([title for title, _, _ in chosen])
    writer.writerows(zip(*cells, strict=True))
    return out.getvalue().encode()


def is_label_export(header: Sequence[str]) -> bool:
    """Tell whether a header is one that `write_labels_csv` writes."""
    titles = [title for title, _, _ in _columns("level")]
    return len(header) > 3 and list(header) == [title for title in titles if title in header]


def _columns(level: str) -> tuple[tuple[str, str, Callable[[Any], str]], ...]:
    return (
        ("assessor", "assessor_id", _write_text),
        ("name", "", _write_text),
        ("topic", "topic_id", _write_text),
        ("document", "document_id", _write_text),
        ("facet", "", _write_text),
        ("engine", "", _write_text),
        ("occasion", "", _write_number),
        ("aspect", "", _write_text),
        ("level", level, _write_number),
        ("state", "", _write_text),
        ("group", "", _write_text),
        ("kind", "", _write_text),
        ("sequence", "", _write_number),
        ("time", "", _write_time),
        ("dwell_ms", "", _write_number),
        ("comment", "", _write_text),
        ("round", "round_id", _write_text),
        ("relevance", "", _write_number),
        ("order", "", _write_text),
        ("place", "", _write_number),
        ("chosen_at", "", _write_time),
        ("probability", "", _write_number),
        ("stratum", "", _write_number),
        ("chosen_from", "", _write_text),
    )


def _write_text(value: Any) -> str:
    from pandas import isna

    return "" if isna(value) else write_cell(str(value))


def _write_number(value: Any) -> str:
    from pandas import isna

    if isna(value):
        return ""
    number = float(value)
    return str(int(number)) if number.is_integer() else repr(number)


def _write_time(value: Any) -> str:
    from pandas import isna, to_datetime

    return "" if isna(value) else to_datetime(value, utc=True).isoformat()


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
    times = {name: at.dt.strftime("%Y-%m-%dT%H:%M:%SZ").fillna("") for name, at in moments.items()}
    return write_table(table.assign(**times))
