"""Whose a slot is: found, given away and freed."""

from core.store.file.database import Cursor, fetch
from core.store.rounds.rounds import Round, Slot

Batch = tuple[str, str, int]
"""Round, topic and number of a batch."""

_JUDGED_BEFORE = """
    SELECT DISTINCT pool.topic_id, pool.batch FROM pool
    JOIN (SELECT topic_id, document_id FROM labels
          WHERE collection_id = ? AND assessor_id = ? AND occasion >= 0 AND time < ?
              AND source <> 'adjudicated') AS given
        ON given.topic_id = pool.topic_id AND given.document_id = pool.document_id
    WHERE pool.round_id = ?"""


def find_slot(cursor: Cursor, round_id: str, topic_id: str, batch: int, slot: int) -> Slot | None:
    """Return one slot of a round, open or closed; None where there is none."""
    rows = fetch(
        cursor,
        "FROM slots WHERE round_id = ? AND topic_id = ? AND batch = ? AND slot = ?",
        [round_id, topic_id, batch, slot],
    )
    return Slot(**rows[0]) if rows else None


def update_holder(cursor: Cursor, slot: Slot, assessor_id: str | None) -> None:
    """Store who a slot is reserved for from now on; None: it is open to all."""
    cursor.execute(
        """UPDATE slots SET assessor_id = ?, reserved = ?, leased_until = NULL
           WHERE round_id = ? AND topic_id = ? AND batch = ? AND slot = ?""",
        [
            assessor_id,
            assessor_id is not None,
            *(slot.round_id, slot.topic_id, slot.batch, slot.slot),
        ],
    )


def read_judged_before(cursor: Cursor, rules: Round, assessor_id: str) -> set[Batch]:
    """Return the batches of a round of which somebody judged something before it was opened."""
    values = [rules.collection_id, assessor_id, rules.created_at, rules.round_id]
    rows = cursor.execute(_JUDGED_BEFORE, values).fetchall()
    return {(rules.round_id, topic_id, batch) for topic_id, batch in rows}
