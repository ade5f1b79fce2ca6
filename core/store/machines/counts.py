"""What each machine of a collection is, how much it has said, and what that has cost."""

import pandas as pd

from core.collection.labels.label_options import CANNOT_JUDGE, INVALID_ANSWER, JUDGED
from core.store.file.database import fetch_frame
from core.store.people.roster import MACHINE
from core.store.store import Store

_COUNTS = f"""
    WITH said AS (
        SELECT assessor_id, count(*) FILTER (WHERE label.state = '{JUDGED}') AS labels,
            count(*) FILTER (WHERE label.state = '{CANNOT_JUDGE}') AS cannot_judge,
            count(*) FILTER (WHERE label.state = '{INVALID_ANSWER}') AS invalid_answers
        FROM current_labels WHERE collection_id = $1 GROUP BY assessor_id),
    paid AS (
        SELECT assessor_id, sum(cost) AS cost, sum(input_tokens)::BIGINT AS input_tokens,
            sum(output_tokens)::BIGINT AS output_tokens
        FROM (FROM machine_answers WHERE collection_id = $1) JOIN labels USING (event_id)
        GROUP BY assessor_id)
    SELECT members.assessor_id AS assessor_id, members.name AS name,
        coalesce(model, '') AS model, coalesce(version, '') AS version,
        coalesce(prompt, '') AS prompt, coalesce(prompt_hash, '') AS prompt_hash,
        coalesce(parameters, '{{}}') AS parameters, coalesce(judged_on, '') AS judged_on,
        coalesce(labels, 0) AS labels, coalesce(cannot_judge, 0) AS cannot_judge,
        coalesce(invalid_answers, 0) AS invalid_answers, cost, input_tokens, output_tokens
    FROM (FROM members WHERE collection_id = $1 AND kind = '{MACHINE}') AS members
    LEFT JOIN (FROM machines WHERE collection_id = $1) AS machines
        ON machines.assessor_id = members.assessor_id
    LEFT JOIN said ON said.assessor_id = members.assessor_id
    LEFT JOIN paid ON paid.assessor_id = members.assessor_id
    ORDER BY members.name, members.assessor_id"""


def count_machine_labels(store: Store, collection_id: str) -> pd.DataFrame:
    """Return a row for each machine of a collection, by name.

    Returns
    -------
    DataFrame
        assessor_id, name; model, version, prompt, prompt_hash (SHA-256), parameters (JSON) and
        judged_on, empty where they are not known; labels (with a level), cannot_judge and
        invalid_answers, as they stand; cost, input_tokens and output_tokens, sums over all answers,
        also those that were replaced (NULL where no answer says).
    """
    return fetch_frame(store.cursor(), _COUNTS, [collection_id])
