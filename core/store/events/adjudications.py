"""Adjudications: an organiser's levels where assessors disagree, kept apart from all labels."""

import pandas as pd

from core.store.events.current_labels import LATEST
from core.store.file.database import fetch, fetch_frame
from core.store.store import Store

ADJUDICATION = -2
"""The occasion of adjudications, so that they never meet a label their author gave as assessor."""

ADJUDICATED = "adjudicated"
"""The source of their events, by which they are left out of everything else."""

_ADJUDICATIONS = """
    WITH current AS (
        SELECT topic_id, document_id, facet, engine, max(sequence) AS sequence,
            arg_max({'assessor_id': assessor_id, 'state': state, 'level': level, 'time': time,
                     'comment': comment}, sequence) AS label
        FROM labels
        WHERE collection_id = $1 AND NOT stale AND sequence <= $2 AND source = $3
        GROUP BY ALL)
    SELECT topic_id, document_id, current.facet AS facet, engine,
        label.assessor_id AS assessor_id, levels.counts_as AS level,
        label.level AS given_level, sequence, label.time AS time, label.comment AS comment
    FROM current
    JOIN (FROM levels WHERE collection_id = $1) AS levels
        ON levels.facet = current.facet AND levels.level = label.level
    WHERE label.state = 'level'
    ORDER BY sequence"""


def read_adjudications(store: Store, collection_id: str, until: int = LATEST) -> pd.DataFrame:
    """Return the adjudicated levels that stood at an event sequence, one for each item.

    Columns are topic_id, document_id, facet, engine, assessor_id (of the organiser), level (as
    counted), given_level, sequence (of the event), time, comment. Of several organisers the
    latest holds; an item whose adjudication was taken back is not listed.
    """
    return fetch_frame(store.cursor(), _ADJUDICATIONS, [collection_id, until, ADJUDICATED])


def last_label_event(
    store: Store, collection_id: str, until: int = LATEST, *, adjudications: bool = False
) -> int:
    """Return the sequence of the last event, up to one, that could move a qrels version.

    Stale events and practice never do; adjudications do where a version uses them. 0 when there
    is none.
    """
    rows = fetch(
        store.cursor(),
        "SELECT coalesce(max(sequence), 0) AS last FROM labels WHERE collection_id = ? "
        "AND NOT stale AND sequence <= ? "
        "AND (source = ? AND ? OR source <> ? AND occasion >= 0)",
        [collection_id, until, ADJUDICATED, adjudications, ADJUDICATED],
    )
    return int(rows[0]["last"])
