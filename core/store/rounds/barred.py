"""Batches of open rounds that somebody may not take: nobody judges the same twice."""

from collections.abc import Mapping

from core.store.file.database import Cursor
from core.store.rounds.holders import Batch
from core.store.rounds.rounds import SIDE_BY_SIDE, Round

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
