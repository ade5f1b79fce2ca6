"""Whose a slot is: found, given away and freed."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from core.store.file.database import Cursor, fetch
from core.store.rounds.rounds import SIDE_BY_SIDE, Round, Slot

Batch = tuple[str, str, int]
"""Round, topic and number of a batch."""

_JUDGED_BEFORE = """
    SELECT DISTINCT pool.topic_id, pool.batch FROM pool
    JOIN (SELECT topic_id, document_id FROM labels
          WHERE collection_id = ? AND assessor_id = ? AND occasion >= 0 AND time < ?
              AND source <> 'adjudicated') AS given
        ON given.topic_id = pool.topic_id AND given.document_id = pool.document_id
    WHERE pool.round_id = ?"""

_BEGUN = """
    SELECT DISTINCT pool.round_id, pool.topic_id, pool.batch FROM pool
    JOIN (FROM rounds WHERE collection_id = $1 AND closed_at IS NULL) AS rounds USING (round_id)
    JOIN (SELECT topic_id, document_id, max(time) AS time FROM labels
          WHERE collection_id = $1 AND assessor_id = $2 AND occasion = 0 AND source = 'judged'
          GROUP BY ALL) AS given
        ON given.topic_id = pool.topic_id AND given.document_id = pool.document_id
    WHERE given.time >= rounds.created_at"""


def find_slot(cursor: Cursor, round_id: str, topic_id: str, batch: int, slot: int) -> Slot | None:
    """Return one slot of a round, open or closed; None where there is none."""
    rows = fetch(
        cursor,
        "FROM slots WHERE round_id = ? AND topic_id = ? AND batch = ? AND slot = ?",
        [round_id, topic_id, batch, slot],
    )
    return Slot(**rows[0]) if rows else None


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


def update_holder(cursor: Cursor, slot: Slot, assessor_id: str | None) -> Slot:
    """Store who a slot is reserved for from now on, and return it; None: it is open to all."""
    is_theirs = assessor_id is not None
    cursor.execute(
        """UPDATE slots SET assessor_id = ?, reserved = ?, leased_until = NULL
           WHERE round_id = ? AND topic_id = ? AND batch = ? AND slot = ?""",
        [assessor_id, is_theirs, slot.round_id, slot.topic_id, slot.batch, slot.slot],
    )
    return replace(slot, assessor_id=assessor_id, reserved=is_theirs, leased_until=None)


def read_judged_before(cursor: Cursor, rules: Round, assessor_id: str) -> set[Batch]:
    """Return the batches of a round of which somebody judged something before it was opened."""
    values = [rules.collection_id, assessor_id, rules.created_at, rules.round_id]
    rows = cursor.execute(_JUDGED_BEFORE, values).fetchall()
    return {(rules.round_id, topic_id, batch) for topic_id, batch in rows}


def read_begun(cursor: Cursor, collection_id: str, assessor_id: str) -> set[Batch]:
    """Return the batches of open rounds of which somebody has judged something since."""
    rows = cursor.execute(_BEGUN, [collection_id, assessor_id]).fetchall()
    return {(round_id, topic_id, batch) for round_id, topic_id, batch in rows}


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


_OPEN = """
    open_rounds AS (FROM rounds WHERE collection_id = $collection AND closed_at IS NULL),
    mine AS (
        SELECT DISTINCT round_id, topic_id, batch FROM slots SEMI JOIN open_rounds USING (round_id)
        WHERE assessor_id = $assessor)"""

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


def read_barred(
    cursor: Cursor, rounds: Mapping[str, Round], collection_id: str, assessor_id: str
) -> set[Batch]:
    """Return the batches of open rounds that an assessor may not take: nobody judges twice.

    They hold a place at it, or at one of another round that has a document of it. A round that
    fills up what lacks labels asks for others than those who have given some. Rounds of pairs
    compare different things each time, so only their own batches count.
    """
    others = _list_bars(rounds)
    parts = ", ".join([_OPEN, *others.values()])
    bars = " UNION ".join(
        f"SELECT round_id, topic_id, batch FROM {bar}" for bar in ("mine", *others)
    )
    rows = cursor.execute(
        f"WITH {parts} {bars}",
        {"collection": collection_id, "assessor": assessor_id},
    ).fetchall()
    return {(round_id, topic_id, batch) for round_id, topic_id, batch in rows}


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
