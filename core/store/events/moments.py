"""Moments of a collection: its own label events counted, and when they came."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core.store.events.current_labels import LATEST
from core.store.file.database import Cursor, fetch
from core.store.store import Store


@dataclass(frozen=True)
class Moment:
    """A collection as it stood after a label event.

    Parameters
    ----------
    number : int
        How many label events it had by then: its own, other collections' are not among them.
    time : datetime, optional
        When the last of these came, in UTC; None before the first.
    """

    number: int
    time: datetime | None


def read_moment(store: Store, collection_id: str, until: int = LATEST) -> Moment:
    """Return the moment after an event, which the store numbers through all collections."""
    (row,) = fetch(
        store.cursor(),
        "SELECT count(*) AS number, arg_max(time, sequence) AS time FROM labels "
        "WHERE collection_id = ? AND sequence <= ?",
        [collection_id, until],
    )
    return Moment(int(row["number"]), row["time"])


def find_event(store: Store, collection_id: str, number: int) -> int:
    """Return the store's sequence of a collection's own n-th label event.

    0 stands before the first; LATEST is returned for the last event and beyond.
    """
    if number <= 0:
        return 0
    rows = fetch(
        store.cursor(),
        "SELECT sequence FROM labels WHERE collection_id = ? ORDER BY sequence LIMIT 2 OFFSET ?",
        [collection_id, number - 1],
    )
    return int(rows[0]["sequence"]) if len(rows) == 2 else LATEST


def number_events(cursor: Cursor, sequences: Sequence[int]) -> dict[int, int]:
    """Return the number that each label event has in its own collection, by the store's sequence.

    It is that of ``read_moment`` right after the event.
    """
    rows = fetch(
        cursor,
        """
        WITH wanted AS (SELECT unnest($1::BIGINT[]) AS sequence),
        reach AS (SELECT min(sequence) AS lowest, max(sequence) AS highest FROM wanted),
        before AS (
            SELECT collection_id, count(*) AS earlier FROM labels, reach
            WHERE sequence < lowest GROUP BY collection_id)
        SELECT sequence, number FROM (
            SELECT sequence, coalesce(earlier, 0)
                + row_number() OVER (PARTITION BY collection_id ORDER BY sequence) AS number
            FROM labels LEFT JOIN before USING (collection_id), reach
            WHERE sequence BETWEEN lowest AND highest)
        SEMI JOIN wanted USING (sequence)""",
        [list(sequences)],
    )
    return {row["sequence"]: row["number"] for row in rows}
