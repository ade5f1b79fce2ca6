"""Versions of a collection's guidelines: each save that changes them is one, and none is lost."""

from dataclasses import dataclass
from datetime import datetime

import pandas as pd

from core.errors import BadInput
from core.store.file.database import Cursor, fetch, fetch_frame
from core.store.store import Store, utc_now

LONGEST_NOTE = 200

# The version in force is that of the moment a label was stored; imported labels were given
# elsewhere, under guidelines that nobody here knows.
_IN_FORCE = """
    SELECT labels.sequence, max(number) AS number
    FROM labels JOIN guidelines_versions AS versions
        ON versions.collection_id = labels.collection_id
        AND versions.after_sequence < labels.sequence
    WHERE labels.collection_id = ? AND source = 'judged'
    GROUP BY labels.sequence"""


@dataclass(frozen=True)
class GuidelinesVersion:
    """One version of the guidelines of a collection.

    ``number`` counts from 1. ``note`` says in a line what changed; it may be empty.
    ``written_by`` is a person's id, empty for the command line. Label events with a sequence
    above ``after_sequence`` were stored under this version or a later one.
    """

    number: int
    text: str
    note: str
    written_by: str
    written_at: datetime
    after_sequence: int


def insert_version(cursor: Cursor, collection_id: str, text: str, note: str, by: str) -> None:
    """Append a version within the transaction that changes the guidelines.

    The caller keeps label events from coming in meanwhile, so that each has one version.

    Raises
    ------
    BadInput
        The note has several lines or is too long.
    """
    note = check_note(note)
    rows = fetch(
        cursor,
        "SELECT coalesce(max(number), 0) AS last, (SELECT coalesce(max(sequence), 0) FROM labels) "
        "AS sequence FROM guidelines_versions WHERE collection_id = ?",
        [collection_id],
    )
    number, sequence = rows[0]["last"] + 1, rows[0]["sequence"]
    cursor.execute(
        "INSERT INTO guidelines_versions VALUES (?, ?, ?, ?, ?, ?, ?)",
        [collection_id, number, text, note, by, utc_now(), sequence],
    )


def check_note(note: str) -> str:
    """Return what changed, as one line; raises BadInput for several, or one too long."""
    note = note.strip()
    if "\n" in note or "\r" in note:
        raise BadInput("what changed is said in one line", field="note")
    if len(note) > LONGEST_NOTE:
        raise BadInput(f"what changed has at most {LONGEST_NOTE} characters", field="note")
    return note


def list_versions(store: Store, collection_id: str) -> list[GuidelinesVersion]:
    """Return every version of the guidelines, the first one first; none where there never were."""
    rows = fetch(
        store.cursor(),
        "SELECT number, text, note, written_by, written_at, after_sequence "
        "FROM guidelines_versions WHERE collection_id = ? ORDER BY number",
        [collection_id],
    )
    return [GuidelinesVersion(**row) for row in rows]


def read_in_force(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the version of the guidelines in force when each label event was stored.

    Returns
    -------
    DataFrame
        sequence and number, one row for each event that was judged here; events from before the
        first version, and imported ones, are absent.
    """
    return fetch_frame(store.cursor(), f"{_IN_FORCE} ORDER BY sequence", [collection_id])


def read_versions(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the versions of the guidelines as a table.

    Returns
    -------
    DataFrame
        version, written_at (UTC), assessor_id (who wrote it; NULL: the command line),
        after_sequence, labels (how many label events were stored under it), note, guidelines.
    """
    return fetch_frame(
        store.cursor(),
        f"""
        SELECT number AS version, written_at, nullif(written_by, '') AS assessor_id, after_sequence,
            coalesce(labels, 0) AS labels, note, text AS guidelines
        FROM guidelines_versions
        LEFT JOIN (SELECT number, count(*) AS labels FROM ({_IN_FORCE}) GROUP BY number)
            USING (number)
        WHERE collection_id = ? ORDER BY number""",
        [collection_id, collection_id],
    )


def has_judged_before(store: Store, collection_id: str, assessor_id: str, sequence: int) -> bool:
    """Tell whether somebody judged here with or before a label event's sequence."""
    rows = fetch(
        store.cursor(),
        "SELECT 1 FROM labels WHERE collection_id = ? AND assessor_id = ? AND sequence <= ? "
        "AND source = 'judged' LIMIT 1",
        [collection_id, assessor_id, sequence],
    )
    return bool(rows)
