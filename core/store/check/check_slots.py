"""The proof of k: a batch has exactly as many places as its round has judges."""

from core.store.check.integrity import Proof

_BATCH = "concat('round ', round_id, ', topic ', topic_id, ', batch ', batch)"
_MEMBERS = "SELECT (collection_id, assessor_id) FROM members"

SLOTS = Proof(
    "k",
    "Every batch of a round has exactly k places, all of different assessors of the collection.",
    "places",
    "SELECT count(*) FROM slots",
    {
        "a batch does not have k places": f"""
            SELECT concat({_BATCH}, ': ', places, ' places, k = ', judges) FROM (
                SELECT round_id, topic_id, batch, count(slot) AS places FROM (
                    SELECT DISTINCT round_id, topic_id, batch FROM pool)
                LEFT JOIN slots USING (round_id, topic_id, batch) GROUP BY ALL)
            JOIN rounds USING (round_id)
            WHERE places <> judges
                AND NOT (places = 0 AND round_id IN (SELECT round_id FROM lessons))""",
        "a place is at a batch in which nothing is to be judged": f"""
            SELECT {_BATCH} FROM slots ANTI JOIN pool USING (round_id, topic_id, batch)""",
        "a place is there twice": f"""
            SELECT concat({_BATCH}, ', place ', slot) FROM slots
            GROUP BY round_id, topic_id, batch, slot HAVING count(*) > 1""",
        "an assessor holds two places at one batch": f"""
            SELECT concat({_BATCH}, ', assessor ', assessor_id) FROM slots
            WHERE assessor_id IS NOT NULL
            GROUP BY round_id, topic_id, batch, assessor_id HAVING count(*) > 1""",
        "a place is held by somebody who does not judge here": f"""
            SELECT concat({_BATCH}, ', assessor ', assessor_id)
            FROM slots JOIN rounds USING (round_id)
            WHERE assessor_id IS NOT NULL AND (collection_id, assessor_id) NOT IN ({_MEMBERS})""",
        "a place is finished and nobody's": f"""
            SELECT {_BATCH} FROM slots WHERE finished_at IS NOT NULL AND assessor_id IS NULL""",
    },
    {
        "{n} labels are surplus: judged by somebody whose place had gone to another": """
            SELECT count(*) FROM current_labels ANTI JOIN (
                SELECT rounds.collection_id, pool.topic_id, pool.document_id, slots.assessor_id
                FROM slots JOIN rounds USING (round_id)
                JOIN pool USING (round_id, topic_id, batch))
                USING (collection_id, topic_id, document_id, assessor_id)
            WHERE label.source = 'judged' AND occasion >= 0""",
    },
)
