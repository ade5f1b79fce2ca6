"""Moments of a collection: its own label events counted, and when they came."""

from dataclasses import dataclass
from datetime import datetime

from core.store.events.current_labels import LATEST
from core.store.file.database import fetch
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
