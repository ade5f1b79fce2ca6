"""The round that each label was given in, and how long everybody judged in each."""

import pandas as pd

from core.store.events.current_labels import LATEST
from core.store.events.frames import read_labels
from core.store.file.database import fetch_frame
from core.store.store import Store

_KEY = ["topic_id", "document_id", "facet", "engine", "assessor_id", "occasion"]
_NAMED = ", ".join(_KEY)

_ROUNDS = f"""
    WITH given AS (
        SELECT {_NAMED}, min(time) AS time FROM labels
        WHERE collection_id = $1 AND source = 'judged' AND NOT stale AND occasion >= 0
            AND facet IN ('snippet', 'page')
        GROUP BY ALL),
    asked AS (
        SELECT pool.*, created_at, closed_at, flow FROM pool JOIN rounds USING (round_id)
        WHERE collection_id = $1)
    SELECT {", ".join(f"given.{name} AS {name}" for name in _KEY)},
        first(asked.round_id ORDER BY
            given.time BETWEEN created_at AND coalesce(closed_at, TIMESTAMP 'infinity') DESC,
            slots.assessor_id IS NOT NULL DESC, created_at) AS round_id
    FROM given
    JOIN asked ON asked.topic_id = given.topic_id AND asked.document_id = given.document_id
        AND contains(flow, given.facet)
    LEFT JOIN slots ON slots.round_id = asked.round_id AND slots.topic_id = asked.topic_id
        AND slots.batch = asked.batch AND slots.assessor_id = given.assessor_id
    GROUP BY ALL"""


def read_label_rounds(store: Store, collection_id: str) -> pd.DataFrame:
    """Return the round of each label that was judged here.

    A label is of a round that has its document in the pool and asks for its facet; of several,
    of one that was open when it was first given; then of one in which its assessor holds the
    batch; then of the oldest. So labels stay with their round when a slot moves.

    Returns
    -------
    DataFrame
        topic_id, document_id, facet, engine, assessor_id, occasion, round_id; imported labels,
        and those that no round asked for, have no row.
    """
    return fetch_frame(store.cursor(), _ROUNDS, [collection_id])


def join_rounds(labels: pd.DataFrame, rounds: pd.DataFrame) -> pd.DataFrame:
    """Return labels with a column round_id, empty for those of no round.

    Parameters
    ----------
    labels : DataFrame
        As ``read_labels`` returns them.
    rounds : DataFrame
        As ``read_label_rounds`` returns them.
    """
    joined = labels.merge(rounds, how="left", on=_KEY)
    return joined.assign(round_id=joined["round_id"].fillna(""))


def read_labels_by_round(
    store: Store, collection_id: str, until: int = LATEST, *, discussed: bool = False
) -> pd.DataFrame:
    """Return what ``read_labels`` does, with the round of each label in a column round_id."""
    labels = read_labels(store, collection_id, until, discussed=discussed)
    return join_rounds(labels, read_label_rounds(store, collection_id))


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
