"""The items of a job that got no level, and why."""

import pandas as pd

from core.collection.labels.label_options import JUDGED
from core.store.file.database import fetch_frame
from core.store.machines.requests import GIVEN_UP
from core.store.store import Store

_WITHOUT_LEVEL = f"""
    WITH items AS (FROM machine_items WHERE job_id = $1),
    found AS (
        SELECT items.place AS place, items.topic_id AS topic_id,
            items.document_id AS document_id, items.engine AS engine, labels.state AS state,
            coalesce(given.reason, '') AS reason
        FROM items JOIN labels ON labels.event_id = items.event_id
        LEFT JOIN machine_answers AS given ON given.event_id = items.event_id
        WHERE labels.state <> '{JUDGED}'
        UNION ALL
        SELECT items.place, items.topic_id, items.document_id, items.engine, '{GIVEN_UP}',
            replies.reason
        FROM items JOIN machine_requests AS sent
            ON sent.job_id = items.job_id AND sent.place = items.place
        JOIN machine_replies AS replies ON replies.request_id = sent.request_id
        WHERE replies.outcome = '{GIVEN_UP}')
    SELECT topic_id, document_id, engine, state, reason FROM found ORDER BY place"""


def read_without_level(store: Store, job_id: str) -> pd.DataFrame:
    """Return the items of a job that are done and have no level, in their order.

    Returns
    -------
    DataFrame
        topic_id, document_id, engine, state ("cannot judge", "invalid answer" or "given up") and
        reason: the model's own, why its answer could not be read, or how the last request failed.
    """
    return fetch_frame(store.cursor(), _WITHOUT_LEVEL, [job_id])
