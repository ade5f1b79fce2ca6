"""The round that each label was given in."""

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
