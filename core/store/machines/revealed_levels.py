"""Levels of machines that assessors are told once they have judged all of a batch."""

from collections.abc import Sequence

from core.store.events.after_seeing import SHOWN_ITEM
from core.store.events.labels import ANSWERS, Key
from core.store.file.database import Rows
from core.store.store import Store, utc_now

_COLUMNS = ("event_id", *SHOWN_ITEM, "machine_id", "level", "shown_at")
_LATEST = """
    SELECT arg_max(event_id, sequence)::VARCHAR FROM labels
    WHERE collection_id = ? AND assessor_id = ? AND topic_id IN (SELECT unnest(?::VARCHAR[]))
    GROUP BY topic_id, document_id, facet, engine"""
"""The last event of each item, history and hidden repeats included."""

_TOLD = f"""
    SELECT {", ".join(SHOWN_ITEM)}, level FROM machine_shown
    WHERE collection_id = ? AND assessor_id = ? AND machine_id = ?"""


def record_revealed(
    store: Store, collection_id: str, assessor_id: str, machine_id: str, keys: Sequence[Key]
) -> dict[Key, int]:
    """Write down that somebody is told a machine's levels; return what they may be told.

    What they say of these items from now on is marked as said after seeing. Told are items
    with an answer of theirs and a level of the machine; of what was told before the level of
    then. Where the label that stands is not their last event of the item, as a later one came
    too late, nothing is told: that one would pass for said after seeing.
    """
    whose = collection_id, assessor_id
    items = {key: (*whose, *key[:4]) for key in keys}
    with store.labels.hold():
        with store.database.append() as new:
            labels = store.labels.current(*whose)
            levels = store.labels.current(collection_id, machine_id)
            rows = store.database.run(_TOLD, [*whose, machine_id])
            told = {tuple(item): level for *item, level in rows}
            rows = store.database.run(_LATEST, [*whose, [key.topic_id for key in keys]])
            latest, now = {event_id for (event_id,) in rows}, utc_now()
            shown = [
                (label.event_id, *item, machine_id, said.level, now)
                for key, item in items.items()
                if item not in store.after_seeing.items
                and item not in told
                and (label := labels.get(key)) is not None
                and label.state in ANSWERS
                and label.event_id in latest
                and (said := levels.get(key._replace(assessor_id=machine_id, occasion=0)))
                and said.level is not None
            ]
            if shown:
                new.append(Rows("machine_shown", _COLUMNS, shown))
        told |= {tuple(item): level for _, *item, _, level, _ in shown}
        store.after_seeing.items |= told.keys()
    return {key: told[item] for key, item in items.items() if item in told}
