"""Label events after another one, portion by portion: for programs that follow a collection."""

from dataclasses import dataclass

import pandas as pd

from core.collection.records import PAIR
from core.store.events.labels import PRACTICE
from core.store.file.database import fetch_frame
from core.store.rounds.pairs import LEFT_FIRST, LEFT_SECOND
from core.store.store import Store

_EVENT = "sequence, event_id::VARCHAR AS event_id, supersedes::VARCHAR AS supersedes, time"
_STATE = "state, level, comment, dwell_ms, source, stale"

_LABELS = f"""
    SELECT {_EVENT}, topic_id, document_id, facet, engine, assessor_id, occasion, {_STATE}
    FROM labels WHERE collection_id = $1 AND sequence > $2 AND facet NOT LIKE '%{PAIR}'
        AND occasion > {PRACTICE} AND source <> 'adjudicated'
    ORDER BY sequence LIMIT $3"""

_PREFERENCES = f"""
    SELECT {_EVENT}, labels.topic_id, labels.document_id AS pair_id, pairs.kind AS kind,
        replace(facet, '{PAIR}', '') AS facet, pairs.first, pairs.second,
        CASE engine WHEN '{LEFT_FIRST}' THEN pairs.first WHEN '{LEFT_SECOND}' THEN pairs.second
            ELSE '' END AS "left",
        CASE WHEN state <> 'level' OR level IS NULL THEN '' WHEN level = 0 THEN 'tie'
            WHEN (level > 0) = (engine = '{LEFT_SECOND}') THEN 'first' ELSE 'second' END AS choice,
        CASE WHEN state = 'level' THEN abs(level) ELSE 0 END AS strength,
        assessor_id, occasion, state, comment, dwell_ms, source, stale
    FROM labels JOIN pairs ON pairs.collection_id = labels.collection_id
        AND pairs.topic_id = labels.topic_id AND pairs.pair_id = labels.document_id
    WHERE labels.collection_id = $1 AND sequence > $2 AND facet LIKE '%{PAIR}'
        AND occasion > {PRACTICE}
    ORDER BY sequence LIMIT $3"""


@dataclass(frozen=True, eq=False)
class Portion:
    """Some events in the order of their sequence, and whether there are more now.

    ``last`` is what to ask for next: the sequence of the last of these events, or what was asked
    for where there is none.
    """

    events: pd.DataFrame
    last: int
    more: bool


def read_label_events(store: Store, collection_id: str, after: int, limit: int) -> Portion:
    """Return what was said of documents after an event: history, with what was revised since.

    Columns are sequence, event_id, supersedes, time (UTC), topic_id, document_id, facet, engine,
    assessor_id, occasion, state, level, comment, dwell_ms, source, stale. Practice and
    adjudications are left out.
    """
    return _read(store, _LABELS, collection_id, after, limit)


def read_preference_events(store: Store, collection_id: str, after: int, limit: int) -> Portion:
    """Return what was said of pairs after an event; as ``read_label_events``.

    In place of document_id, engine and level there are pair_id, kind (documents, systems), first,
    second, left (which stood there), choice (first, second, tie; empty without one), strength.
    """
    return _read(store, _PREFERENCES, collection_id, after, limit)


def _read(store: Store, sql: str, collection_id: str, after: int, limit: int) -> Portion:
    frame = fetch_frame(store.cursor(), sql, [collection_id, after, limit + 1])
    events = frame.head(limit).reset_index(drop=True)
    last = int(events["sequence"].iloc[-1]) if len(events) else after
    return Portion(events, last, len(frame) > limit)
