"""Levels of machines that assessors are told once their own label of the item is stored."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from core.store.backing import StoreDatabase
from core.store.events.after_seeing import SHOWN_ITEM
from core.store.file.database import Rows

ShownItem = tuple[str, ...]
"""Collection, assessor, topic, document, facet and engine."""

_COLUMNS = ("event_id", *SHOWN_ITEM, "machine_id", "level", "shown_at")


@dataclass(frozen=True)
class ShownLevel:
    """What an assessor is told with an event of theirs.

    Parameters
    ----------
    item : tuple of str
        What it is about, and whose event it is.
    event_id : str
        The event that it is told with.
    sequence : int
        Of that event: what comes later of the item was said after seeing the level.
    machine_id : str
        Whose level it is.
    level : int
        The level, as it was given.
    """

    item: ShownItem
    event_id: str
    sequence: int
    machine_id: str
    level: int


def shown_rows(shown: Iterable[ShownLevel]) -> Rows:
    """Return the rows that store what is told."""
    now = datetime.now(UTC).replace(tzinfo=None)
    rows = [(one.event_id, *one.item, one.machine_id, one.level, now) for one in shown]
    return Rows("machine_shown", _COLUMNS, rows)


def read_shown(database: StoreDatabase) -> set[ShownItem]:
    """Return the items of which assessors were told a level."""
    return set(database.run(f"SELECT {', '.join(SHOWN_ITEM)} FROM machine_shown"))
