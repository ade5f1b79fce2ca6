"""Raw answers of machines as a CSV file that spreadsheets open safely."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.collection.export.delimited import write_table

if TYPE_CHECKING:
    import pandas as pd

ANSWERS = {
    "assessor_id": "assessor",
    "name": "name",
    "model": "model",
    "version": "version",
    "prompt_hash": "prompt_hash",
    "topic_id": "topic",
    "document_id": "document",
    "facet": "facet",
    "engine": "engine",
    "occasion": "occasion",
    "level": "level",
    "state": "state",
    "stands": "stands",
    "sequence": "sequence",
    "time": "time",
    "answer": "answer",
    "reason": "reason",
    "cost": "cost",
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
}
"""Columns of the file, by those of what the store gives."""

_WHOLE = ("level", "input_tokens", "output_tokens")


def write_answers_csv(answers: pd.DataFrame) -> bytes:
    """Return raw answers as CSV, a row for each label event that came with one.

    ``prompt_hash`` is the SHA-256 of the UTF-8 of the prompt; ``stands`` tells whether the label is
    the current one; ``cost`` is in whatever currency the machine was paid in.

    Parameters
    ----------
    answers : DataFrame
        As the store gives them; ``name`` may be absent.
    """
    chosen = {name: title for name, title in ANSWERS.items() if name in answers}
    whole = answers.astype(dict.fromkeys(_WHOLE, "Int64"))
    return write_table(whole[list(chosen)].rename(columns=chosen))
