"""The proof of k: a batch has exactly as many slots as its round has judges."""

from core.store.check.integrity import Proof

_BATCH = "concat('round ', round_id, ', topic ', topic_id, ', batch ', batch)"
_MEMBERS = "SELECT (collection_id, assessor_id) FROM members"

SLOTS = Proof(
    "k",
    "Every batch of a round has exactly k slots (what lacks fewer labels, as many as it lacks), "
    "all of different assessors of the collection.",
    "places",
    "SELECT count(*) FROM slots",
    {
        "a batch does not have k slots": f"""
            SELECT concat({_BATCH}, ': ', places, ' slots, k = ', wanted) FROM (
                SELECT *, coalesce(batch_judges.judges, rounds.judges) AS wanted FROM (
                    SELECT round_id, topic_id, batch, count(slot) AS places FROM (
                        SELECT DISTINCT round_id, topic_id, batch FROM pool)
                    LEFT JOIN slots USING (round_id, topic_id, batch) GROUP BY ALL)
                JOIN rounds USING (round_id)
                LEFT JOIN batch_judges USING (round_id, topic_id, batch))
            WHERE places <> wanted
                AND NOT (places = 0 AND round_id IN (SELECT round_id FROM lessons))""",
        "a slot belongs to a batch without items to judge": f"""
            SELECT {_BATCH} FROM slots ANTI JOIN pool USING (round_id, topic_id, batch)""",
        "a slot exists twice": f"""
            SELECT concat({_BATCH}, ', slot ', slot) FROM slots
            GROUP BY round_id, topic_id, batch, slot HAVING count(*) > 1""",
        "an assessor holds two slots of one batch": f"""
            SELECT concat({_BATCH}, ', assessor ', assessor_id) FROM slots
            WHERE assessor_id IS NOT NULL
            GROUP BY round_id, topic_id, batch, assessor_id HAVING count(*) > 1""",
        "a slot is held by somebody who is not an assessor of the collection": f"""
            SELECT concat({_BATCH}, ', assessor ', assessor_id)
            FROM slots JOIN rounds USING (round_id)
            WHERE assessor_id IS NOT NULL AND (collection_id, assessor_id) NOT IN ({_MEMBERS})""",
        "a slot is finished but has no assessor": f"""
            SELECT {_BATCH} FROM slots WHERE finished_at IS NOT NULL AND assessor_id IS NULL""",
    },
    {
        "{n} labels are surplus: their assessor's slot had gone to somebody else": """
            SELECT count(*) FROM current_labels ANTI JOIN (
                SELECT rounds.collection_id, pool.topic_id, pool.document_id, slots.assessor_id
                FROM slots JOIN rounds USING (round_id)
                JOIN pool USING (round_id, topic_id, batch))
                USING (collection_id, topic_id, document_id, assessor_id)
            WHERE label.source = 'judged' AND occasion >= 0""",
    },
)
