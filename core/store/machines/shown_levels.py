"""Levels of machines that assessors are told once they have judged all of a batch."""

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
    """What an assessor is told of an item.

    Parameters
    ----------
    item : tuple of str
        What it is about, and who is told.
    event_id : str
        Their last event of the item: what comes later was said after seeing the level.
    machine_id : str
        Whose level it is.
    level : int
        The level, as it was given.
    """

    item: ShownItem
    event_id: str
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


def read_told(
    database: StoreDatabase, collection_id: str, assessor_id: str, machine_id: str
) -> dict[ShownItem, int]:
    """Return the levels of a machine that somebody was told, by item."""
    rows = database.run(
        f"SELECT {', '.join(SHOWN_ITEM)}, level FROM machine_shown "
        "WHERE collection_id = ? AND assessor_id = ? AND machine_id = ?",
        [collection_id, assessor_id, machine_id],
    )
    return {tuple(item): level for *item, level in rows}
