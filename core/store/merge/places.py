"""The places of a batch that was judged at two sites: everybody keeps theirs, free ones fill up."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import pyarrow as pa

from core.store.file.database import Cursor, fetch
from core.store.merge.desk import FIRST, SECOND

Batch = tuple[str, str, int]


@dataclass(frozen=True)
class Place:
    """One slot of a batch: who holds it, and how far it is."""

    slot: int
    assessor_id: str | None
    reserved: bool
    leased_until: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True)
class Surplus:
    """A batch that more assessors hold than it asks for; all of them keep their places."""

    round_id: str
    topic_id: str
    batch: int
    wanted: int
    held: int


def join_places(first: Sequence[Place], second: Sequence[Place], wanted: int) -> list[Place]:
    """Return the places of a batch after a merge: k, or as many as there are holders if more.

    Whoever holds a place in both holds one; places that are free in both stay free.
    """
    held: dict[str, Place] = {}
    for one in [*first, *second]:
        if one.assessor_id is not None:
            known = held.get(one.assessor_id)
            held[one.assessor_id] = one if known is None else _join(known, one)
    taken: dict[int, Place] = {}
    for one in sorted(held.values(), key=_rank):
        slot = one.slot if one.slot not in taken else _free(taken)
        taken[slot] = replace(one, slot=slot)
    for _ in range(wanted - len(held)):
        slot = _free(taken)
        taken[slot] = Place(slot, None, False, None, None)
    return [taken[slot] for slot in sorted(taken)]


def _join(one: Place, other: Place) -> Place:
    return Place(
        min(one.slot, other.slot),
        one.assessor_id,
        one.reserved or other.reserved,
        max(_known(one.leased_until, other.leased_until), default=None),
        min(_known(one.finished_at, other.finished_at), default=None),
    )


def _known(*times: datetime | None) -> list[datetime]:
    return [time for time in times if time is not None]


def _rank(place: Place) -> tuple[int, datetime, str]:
    return place.slot, place.finished_at or datetime.max, place.assessor_id or ""


def _free(taken: Iterable[int]) -> int:
    known = set(taken)
    return next(slot for slot in range(len(known) + 1) if slot not in known)


def write_places(desk: Cursor) -> list[Surplus]:
    """Write the places of both stores and return the batches with more than they ask for."""
    stores = [_read_places(desk, store) for store in (FIRST, SECOND)]
    asked = [_read_wanted(desk, store) for store in (FIRST, SECOND)]
    rows, surplus, counts = [], [], {}
    for batch in sorted({*stores[0], *stores[1]}):
        wanted = max(known.get(batch, 0) for known in asked)
        places = join_places(stores[0][batch], stores[1][batch], wanted)
        rows += [(*batch, *vars(place).values()) for place in places]
        counts[batch] = len(places)
        if len(places) > wanted:
            surplus.append(Surplus(*batch, wanted, len(places)))
    if rows:
        desk.executemany("INSERT INTO slots VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    _ask_for(desk, counts)
    return surplus


def _ask_for(desk: Cursor, counts: dict[Batch, int]) -> None:
    """Have each batch ask for as many as it has places, where its round asks for others."""
    if not counts:
        return
    rounds, topics, batches = zip(*counts, strict=True)
    incoming = pa.table(
        {"round_id": rounds, "topic_id": topics, "batch": batches, "places": [*counts.values()]}
    )
    desk.register("incoming", incoming)
    desk.execute(
        """INSERT OR REPLACE INTO batch_judges
           SELECT round_id, topic_id, incoming.batch::INTEGER, places::INTEGER FROM incoming
           JOIN rounds USING (round_id)
           LEFT JOIN (FROM batch_judges) AS known USING (round_id, topic_id, batch)
           WHERE places <> coalesce(known.judges, rounds.judges)"""
    )
    desk.unregister("incoming")


def _read_places(desk: Cursor, store: str) -> defaultdict[Batch, list[Place]]:
    found: defaultdict[Batch, list[Place]] = defaultdict(list)
    for row in fetch(desk, f"FROM {store}_slots ORDER BY round_id, topic_id, batch, slot"):
        place = Place(**{name: row[name] for name in Place.__dataclass_fields__})
        found[row["round_id"], row["topic_id"], row["batch"]].append(place)
    return found


def _read_wanted(desk: Cursor, store: str) -> dict[Batch, int]:
    rows = desk.execute(
        f"""SELECT DISTINCT round_id, topic_id, batch, coalesce(known.judges, rounds.judges)
            FROM {store}_slots JOIN {store}_rounds AS rounds USING (round_id)
            LEFT JOIN {store}_batch_judges AS known USING (round_id, topic_id, batch)"""
    ).fetchall()
    return {(row[0], row[1], row[2]): row[3] for row in rows}
