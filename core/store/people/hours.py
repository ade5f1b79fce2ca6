"""How long everybody judged, by round, from the active time of label events."""

import pandas as pd

from core.store.file.database import fetch_frame
from core.store.store import Store

PRACTICE_ROUND, NO_ROUND = "practice", "outside rounds"
"""What stands for a round where there is none."""

_ROUND = f"""
    CASE WHEN occasion < 0 THEN '{PRACTICE_ROUND}' ELSE coalesce(name, '{NO_ROUND}') END"""

# The same documents may be in several rounds: then it is the one in which whoever judged holds a
# place, and of several the latest that was open by then.
_HOURS = f"""
    WITH events AS (
        SELECT sequence, assessor_id, topic_id, document_id, facet, engine, occasion, state, stale,
            time, least(dwell_ms, $2) AS counted_ms, dwell_ms > $2 AS is_capped
        FROM labels WHERE collection_id = $1 AND source = 'judged'),
    held AS (SELECT DISTINCT round_id, topic_id, batch, assessor_id FROM slots),
    placed AS (
        SELECT sequence, arg_max(round_id,
            {{'held': held.assessor_id IS NOT NULL, 'opened': rounds.created_at}}) AS round_id
        FROM events JOIN pool USING (topic_id, document_id)
        JOIN rounds USING (round_id)
        LEFT JOIN held ON held.round_id = pool.round_id AND held.topic_id = pool.topic_id
            AND held.batch = pool.batch AND held.assessor_id = events.assessor_id
        WHERE rounds.collection_id = $1 AND rounds.created_at <= events.time
        GROUP BY sequence)
    SELECT assessor_id, {_ROUND} AS round, any_value(created_at) AS opened_at,
        count(DISTINCT (topic_id, document_id, facet, engine, occasion))
            FILTER (WHERE NOT stale AND state IN ('level', 'cannot judge')) AS labels,
        sum(counted_ms)::BIGINT AS active_ms, count(*) FILTER (WHERE is_capped) AS capped,
        min(time) AS first, max(time) AS last
    FROM events LEFT JOIN placed USING (sequence) LEFT JOIN rounds USING (round_id)
    GROUP BY assessor_id, CASE WHEN occasion < 0 THEN '' ELSE round_id END, {_ROUND}
    ORDER BY assessor_id, opened_at NULLS LAST, round"""


def read_active_time(store: Store, collection_id: str, longest_ms: int) -> pd.DataFrame:
    """Return the active time of everybody who judged here, by round.

    All events count, also revisions, passing over, and practice: somebody was at work. Imported
    labels and adjudications do not.

    Parameters
    ----------
    longest_ms : int
        What one event counts for at most, in milliseconds.

    Returns
    -------
    DataFrame
        assessor_id, round (its name, or ``PRACTICE_ROUND``, or ``NO_ROUND``), opened_at, labels
        (items that got a level or could not be judged, each once), active_ms, capped (events cut
        to ``longest_ms``), first, last (UTC).
    """
    return fetch_frame(store.cursor(), _HOURS, [collection_id, longest_ms])
