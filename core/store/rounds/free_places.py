"""Places of open rounds: those in somebody's hands, and the next one that somebody may take.

There may be many thousands of places, of which most are finished or not begun: only those that
are asked for leave the database.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.store.file.database import Cursor, fetch
from core.store.rounds.holders import Batch
from core.store.rounds.rounds import SIDE_BY_SIDE, Round, Slot

_OPEN = "open_rounds AS (FROM rounds WHERE collection_id = $collection AND closed_at IS NULL)"
_PLACES = "places AS (FROM slots SEMI JOIN open_rounds USING (round_id))"

_BATCHES = """
    batches AS (
        SELECT round_id, topic_id, batch, count(assessor_id) AS begun,
            coalesce(bool_or(assessor_id = $assessor), false) AS is_theirs,
            min(slot) FILTER (finished_at IS NULL AND (assessor_id IS NULL{or_lapsed})) AS slot
        FROM places GROUP BY ALL),
    mine AS (FROM batches WHERE is_theirs)"""
_OR_LAPSED = (
    " OR list_contains($lapsed::STRUCT(r VARCHAR, t VARCHAR, b INTEGER, s INTEGER)[], "
    "{'r': round_id, 't': topic_id, 'b': batch, 's': slot})"
)

_PAIRED = ", ".join(f"'{flow}'" for flow in SIDE_BY_SIDE)
_OVERLAPPING = f"""
    graded AS (FROM open_rounds WHERE flow NOT IN ({_PAIRED})),
    pooled AS (FROM pool SEMI JOIN graded USING (round_id)),
    known AS (
        SELECT DISTINCT round_id, topic_id, document_id
        FROM pooled SEMI JOIN mine USING (round_id, topic_id, batch)),
    overlapping AS (
        SELECT DISTINCT pooled.round_id, pooled.topic_id, pooled.batch FROM pooled JOIN known
            ON pooled.topic_id = known.topic_id AND pooled.document_id = known.document_id
            AND pooled.round_id <> known.round_id)"""

_JUDGED = """
    given AS (
        SELECT topic_id, document_id, min(time) AS time FROM labels
        WHERE collection_id = $collection AND assessor_id = $assessor AND occasion >= 0
            AND source <> 'adjudicated'
        GROUP BY ALL),
    judged_before AS (
        SELECT DISTINCT pool.round_id, pool.topic_id, pool.batch
        FROM pool JOIN (FROM open_rounds WHERE lacking IS NOT NULL) AS filling USING (round_id)
        JOIN given ON given.topic_id = pool.topic_id AND given.document_id = pool.document_id
        WHERE given.time < filling.created_at)"""

_FREE = """
    free AS (
        SELECT round_id, topic_id, batch, begun, slot FROM batches {bars}
        WHERE slot IS NOT NULL AND NOT is_theirs)"""
_NOT = "ANTI JOIN {bar} USING (round_id, topic_id, batch)"

_NEXT = """
    SELECT round_id, free.topic_id, batch, slot
    FROM free JOIN (SELECT round_id, created_at FROM open_rounds
        WHERE NOT list_contains($without::VARCHAR[], round_id)) AS allowed USING (round_id)
    LEFT JOIN (SELECT topic_id, position FROM topics WHERE collection_id = $collection)
        AS known_topics USING (topic_id)
    ORDER BY begun DESC, created_at, position, free.topic_id, batch LIMIT 1"""


@dataclass(frozen=True)
class Tally:
    """Of the places of open rounds: how many there are, who holds some, how many one person has."""

    places: int
    holders: frozenset[str]
    taken: int


def read_held(cursor: Cursor, collection_id: str, assessor_id: str = "") -> list[Slot]:
    """Return the unfinished places of open rounds that somebody holds or that have a lease.

    By round, topic, batch and place.

    Parameters
    ----------
    assessor_id : str
        Of others, what is only reserved for them is left out.
    """
    return _read(
        cursor,
        """SELECT slots.* FROM slots JOIN rounds USING (round_id)
           LEFT JOIN topics ON topics.collection_id = rounds.collection_id
               AND topics.topic_id = slots.topic_id
           WHERE rounds.collection_id = $collection AND closed_at IS NULL
               AND finished_at IS NULL AND (leased_until IS NOT NULL OR assessor_id = $assessor)
           ORDER BY rounds.created_at, topics.position, slots.topic_id, batch, slot""",
        {"collection": collection_id, "assessor": assessor_id},
    )


def find_holding(cursor: Cursor, batch: Batch, assessor_id: str) -> Slot | None:
    """Return the place that somebody holds at a batch of an open round; None where they hold none.

    Of several the first.
    """
    rows = fetch(
        cursor,
        """SELECT slots.* FROM slots JOIN rounds USING (round_id)
           WHERE round_id = ? AND topic_id = ? AND batch = ? AND assessor_id = ?
               AND closed_at IS NULL
           ORDER BY slot LIMIT 1""",
        [*batch, assessor_id],
    )
    return Slot(**rows[0]) if rows else None


def find_free_place(
    cursor: Cursor,
    rounds: Mapping[str, Round],
    collection_id: str,
    assessor_id: str,
    lapsed: Sequence[Slot] = (),
    without: Collection[str] = (),
) -> Slot | None:
    """Return the place that somebody takes next: at the batch that most have begun.

    Of equals the first by round, topic, batch and place. Batches that they may not take are
    passed over: see ``read_barred``.

    Parameters
    ----------
    rounds : mapping
        All rounds of the collection, by id.
    lapsed : sequence of Slot
        Places in others' hands that may be given away.
    without : collection of str
        Rounds of which nothing is to be given.
    """
    rows = cursor.execute(
        f"WITH {_list_parts(rounds, lapsed)} {_NEXT}",
        {
            "collection": collection_id,
            "assessor": assessor_id,
            "without": list(without),
            **_name_lapsed(lapsed),
        },
    ).fetchall()
    if not rows:
        return None
    given = {(one.round_id, one.topic_id, one.batch, one.slot): one for one in lapsed}
    ((round_id, topic_id, batch, slot),) = rows
    nobody = Slot(round_id, topic_id, batch, slot, None, False, None, None)
    return given.get((round_id, topic_id, batch, slot), nobody)


def read_free_batches(
    cursor: Cursor,
    rounds: Mapping[str, Round],
    collection_id: str,
    assessor_id: str,
    lapsed: Sequence[Slot] = (),
) -> set[Batch]:
    """Return the batches of which somebody could take a place."""
    rows = cursor.execute(
        f"WITH {_list_parts(rounds, lapsed)} SELECT round_id, topic_id, batch FROM free",
        {"collection": collection_id, "assessor": assessor_id, **_name_lapsed(lapsed)},
    ).fetchall()
    return {(round_id, topic_id, batch) for round_id, topic_id, batch in rows}


def has_others_batch(cursor: Cursor, round_id: str, assessor_id: str) -> bool:
    """Tell whether a round has a batch with an open place at which somebody holds none."""
    rows = cursor.execute(
        """SELECT 1 FROM slots
           ANTI JOIN (FROM slots WHERE round_id = $1 AND assessor_id = $2) AS mine
               USING (topic_id, batch)
           WHERE round_id = $1 AND assessor_id IS NULL AND finished_at IS NULL LIMIT 1""",
        [round_id, assessor_id],
    ).fetchall()
    return bool(rows)


def read_barred(
    cursor: Cursor, rounds: Mapping[str, Round], collection_id: str, assessor_id: str
) -> set[Batch]:
    """Return the batches of open rounds that an assessor may not take: nobody judges twice.

    They hold a place at it, or at one of another round that has a document of it. A round that
    fills up what lacks labels asks for others than those who have given some. Rounds of pairs
    compare different things each time, so only their own batches count.
    """
    bars = " UNION ".join(
        f"SELECT round_id, topic_id, batch FROM {bar}" for bar in ("mine", *_list_bars(rounds))
    )
    rows = cursor.execute(
        f"WITH {_list_parts(rounds)} {bars}",
        {"collection": collection_id, "assessor": assessor_id},
    ).fetchall()
    return {(round_id, topic_id, batch) for round_id, topic_id, batch in rows}


def count_places(cursor: Cursor, collection_id: str, assessor_id: str) -> Tally:
    """Return how many places open rounds have, and who holds some."""
    ((places, holders, taken),) = cursor.execute(
        f"""WITH {_OPEN}, {_PLACES}
            SELECT count(*), list(DISTINCT assessor_id),
                count(*) FILTER (WHERE assessor_id = $assessor)
            FROM places""",
        {"collection": collection_id, "assessor": assessor_id},
    ).fetchall()
    return Tally(places, frozenset(one for one in holders or () if one is not None), taken)


def count_finished(cursor: Cursor, collection_id: str, assessor_id: str) -> int:
    """Return how many places of open rounds somebody has finished."""
    ((finished,),) = cursor.execute(
        f"""WITH {_OPEN}, {_PLACES} SELECT count(finished_at) FROM places
            WHERE assessor_id = $assessor""",
        {"collection": collection_id, "assessor": assessor_id},
    ).fetchall()
    return int(finished)


def last_judged_by(
    cursor: Cursor, collection_id: str, places: Iterable[Slot]
) -> dict[tuple[str, str], datetime]:
    """Return when the holders of some places last judged in their topics, by (assessor, topic)."""
    asked = {(one.assessor_id, one.topic_id) for one in places if one.assessor_id is not None}
    if not asked:
        return {}
    people, topics = zip(*sorted(asked), strict=True)
    rows = cursor.execute(
        """SELECT assessor_id, topic_id, max(time) FROM labels
           SEMI JOIN (SELECT unnest(?::VARCHAR[]) AS assessor_id, unnest(?::VARCHAR[]) AS topic_id)
               AS asked USING (assessor_id, topic_id)
           WHERE collection_id = ? AND source = 'judged' GROUP BY ALL""",
        [list(people), list(topics), collection_id],
    ).fetchall()
    return {(assessor, topic): time for assessor, topic, time in rows}


def may_overlap(rounds: Mapping[str, Round]) -> bool:
    """Tell whether open rounds can bar somebody from other batches than their own."""
    return bool(_list_bars(rounds))


def _list_bars(rounds: Mapping[str, Round]) -> dict[str, str]:
    """Return what else bars somebody from batches than their own, no more than rounds can."""
    still_open = [one for one in rounds.values() if one.closed_at is None]
    bars = {}
    if len(still_open) > 1:
        bars["overlapping"] = _OVERLAPPING
    if any(one.lacking is not None for one in still_open):
        bars["judged_before"] = _JUDGED
    return bars


def _list_parts(rounds: Mapping[str, Round], lapsed: Sequence[Slot] = ()) -> str:
    """Return what a query needs to know which batches are free and which are barred."""
    bars = _list_bars(rounds)
    batches = _BATCHES.format(or_lapsed=_OR_LAPSED if lapsed else "")
    free = _FREE.format(bars=" ".join(_NOT.format(bar=bar) for bar in bars))
    return ", ".join([_OPEN, _PLACES, batches, *bars.values(), free])


def _name_lapsed(places: Sequence[Slot]) -> dict[str, list[Any]]:
    """Return the value that names places that may be given away, where there are any."""
    named = [
        {"r": one.round_id, "t": one.topic_id, "b": one.batch, "s": one.slot} for one in places
    ]
    return {"lapsed": named} if named else {}


def _read(cursor: Cursor, sql: str, values: Mapping[str, Any]) -> list[Slot]:
    return [Slot(**row) for row in fetch(cursor, sql, values)]
