"""The raw answers of machines, as they are kept beside their labels."""

import pandas as pd

from core.store.file.database import fetch_frame
from core.store.store import Store

_ANSWERS = """
    SELECT labels.topic_id AS topic_id, labels.document_id AS document_id, labels.facet AS facet,
        labels.engine AS engine, labels.assessor_id AS assessor_id,
        coalesce(members.name, '') AS name, labels.occasion AS occasion,
        labels.sequence AS sequence, labels.time AS time, labels.state AS state,
        labels.level AS level, current_labels.sequence IS NOT NULL AS stands,
        given.answer AS answer, given.reason AS reason, given.cost AS cost,
        given.input_tokens AS input_tokens,
        given.output_tokens AS output_tokens, coalesce(machines.model, '') AS model,
        coalesce(machines.version, '') AS version, coalesce(machines.prompt_hash, '') AS prompt_hash
    FROM (FROM machine_answers WHERE collection_id = $1) AS given
    JOIN labels USING (event_id)
    LEFT JOIN (FROM current_labels WHERE collection_id = $1) AS current_labels
        ON current_labels.sequence = labels.sequence
    LEFT JOIN (FROM members WHERE collection_id = $1) AS members
        ON members.assessor_id = labels.assessor_id
    LEFT JOIN (FROM machines WHERE collection_id = $1) AS machines
        ON machines.assessor_id = labels.assessor_id
    ORDER BY labels.sequence"""


def read_answers(store: Store, collection_id: str) -> pd.DataFrame:
    """Return what machines answered with each of their label events, in the order of these.

    Returns
    -------
    DataFrame
        topic_id, document_id, facet, engine, assessor_id, name, occasion, sequence (of the
        event), time (UTC), state, level (NULL without one), stands (whether the label still
        holds), answer (word for word), reason, cost, input_tokens and output_tokens (NULL where
        they are not known), model, version and prompt_hash (SHA-256) of the machine; empty where
        it is not described.
    """
    return fetch_frame(store.cursor(), _ANSWERS, [collection_id])
