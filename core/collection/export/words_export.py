"""Words with the organiser as CSV files that spreadsheets open safely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.collection.export.delimited import write_table

if TYPE_CHECKING:
    import pandas as pd

QUESTIONS = {
    "question_id": "question_id",
    "assessor_id": "assessor",
    "name": "name",
    "topic_id": "topic",
    "document_id": "document",
    "facet": "facet",
    "question": "question",
    "asked_at": "asked",
    "answer": "answer",
    "answered_at": "answered",
    "said_to": "said_to",
}
"""Columns of the file of questions, by those of what the store gives."""

GUIDELINES = {
    "version": "version",
    "written_at": "written",
    "assessor_id": "by",
    "after_sequence": "after_sequence",
    "labels": "labels",
    "note": "note",
    "guidelines": "guidelines",
}


def write_questions_csv(words: pd.DataFrame) -> bytes:
    """Return questions, answers and announcements as CSV, times in UTC.

    Parameters
    ----------
    words : DataFrame
        As the store gives them; ``name`` may be absent.
    """
    return _write(words, QUESTIONS)


def write_guidelines_csv(versions: pd.DataFrame) -> bytes:
    """Return the versions of the guidelines as CSV, times in UTC.

    A label of the export of labels was given under the latest version whose ``after_sequence`` is
    below its ``sequence``.
    """
    return _write(versions, GUIDELINES)


def _write(frame: pd.DataFrame, columns: dict[str, str]) -> bytes:
    chosen = {name: title for name, title in columns.items() if name in frame}
    table = frame[list(chosen)].rename(columns=chosen)
    times = [name for name in ("asked", "answered", "written") if name in table]
    told = {name: table[name].dt.strftime("%Y-%m-%dT%H:%M:%SZ").fillna("") for name in times}
    return write_table(table.assign(**told))
