"""How the labels that stand came about."""

import pandas as pd

from core.collection.records import PAIR
from core.store.events.answered import PARADATA
from core.store.events.current_labels import SEALED
from core.store.file.database import fetch, fetch_frame
from core.store.store import Store

_KEY = "topic_id, document_id, facet, engine, assessor_id, occasion"
_READ = f"""
    WITH events AS (
        SELECT * REPLACE (CASE WHEN facet LIKE '%{PAIR}' THEN '' ELSE engine END AS engine),
            engine AS shown_as
        FROM labels
        WHERE collection_id = $1 AND NOT stale AND occasion >= 0 AND source <> 'adjudicated'
            AND {SEALED}),
    current AS (
        SELECT {_KEY}, sum(dwell_ms)::BIGINT AS dwell_ms,
            coalesce(min(sequence) FILTER (WHERE state = 'level'), min(sequence)) AS sequence,
            arg_max({{'state': state, 'level': level, 'engine': shown_as}}, sequence) AS label
        FROM events GROUP BY ALL),
    given AS (
        SELECT {_KEY}, arg_max(event_id, events.sequence) AS event_id
        FROM events SEMI JOIN paradata USING (event_id) JOIN current USING ({_KEY})
        WHERE events.state = label.state AND events.level IS NOT DISTINCT FROM label.level
            AND events.state IN ('level', 'cannot judge')
        GROUP BY ALL)
    SELECT current.topic_id AS topic_id, current.document_id AS document_id,
        current.facet AS facet, current.label.engine AS engine,
        current.assessor_id AS assessor_id, coalesce(members.name, '') AS name,
        current.occasion AS occasion, current.sequence AS sequence,
        current.label.state AS state, current.label.level AS level, dwell_ms,
        {", ".join(PARADATA)}
    FROM given JOIN current USING ({_KEY})
    JOIN paradata ON paradata.event_id = given.event_id
    LEFT JOIN (FROM members WHERE collection_id = $1) AS members
        ON members.assessor_id = current.assessor_id
    ORDER BY current.sequence"""


def has_paradata(store: Store, collection_id: str) -> bool:
    """Tell whether anything is known of how labels of a collection came about."""
    sql = "SELECT 1 FROM paradata WHERE collection_id = ? LIMIT 1"
    return bool(fetch(store.cursor(), sql, [collection_id]))


def read_paradata(store: Store, collection_id: str) -> pd.DataFrame:
    """Return how the labels and preferences that stand came about, as far as it is known.

    They are as given, before assessors saw what others said; practice and adjudications are left
    out, and so is a label of which nothing is known: one that was imported, or given without the
    judging screen.

    Returns
    -------
    DataFrame
        A row for each, in the order in which they were first given: topic_id, document_id, facet,
        engine, assessor_id, name, occasion, sequence (as in the labels, or the preferences),
        state ("level" or "cannot judge"), level (as given; NULL without one), dwell_ms (active
        time, of all events of the label), and the fields of `Paradata`, NULL where one is not
        known: those of the latest answer that gave this level.
    """
    return fetch_frame(store.cursor(), _READ, [collection_id])
