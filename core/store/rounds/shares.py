"""How much of each batch of a round somebody has judged, counted in steps."""

from typing import Any

import pandas as pd

from core.collection.records import PAGE, SNIPPET
from core.store.file.database import fetch_frame
from core.store.rounds.rounds import WITHDRAWN_THEN, Round
from core.store.store import Store

_STEPS = f"""
    pooled AS (SELECT topic_id, batch, document_id FROM pool WHERE round_id = $1),
    steps AS (
        SELECT topic_id, batch, document_id, facet, '' AS engine
        FROM pooled, (SELECT unnest($3::VARCHAR[]) AS facet)
        UNION ALL
        SELECT pooled.topic_id, batch, pooled.document_id, '{SNIPPET}', engine FROM pooled
        JOIN (FROM results ANTI JOIN {WITHDRAWN_THEN} AS gone USING (collection_id, engine)
              WHERE collection_id = $2) AS shown
            ON shown.topic_id = pooled.topic_id AND shown.document_id = pooled.document_id
        WHERE $4::BOOLEAN)"""

# A snippet has an engine; the engine of a pair says only which of the two stood on the left.
_GIVEN = f"""
    given AS (
        SELECT assessor_id, topic_id, document_id, facet,
            CASE facet WHEN '{SNIPPET}' THEN engine ELSE '' END AS engine,
            arg_max({{'state': state, 'level': level}}, sequence) AS label
        FROM labels
        WHERE collection_id = $2 AND NOT stale AND occasion = 0
            AND source <> 'adjudicated' AND topic_id IN (SELECT topic_id FROM pooled)
        GROUP BY ALL),
    answered AS (FROM given WHERE label.state IN ('level', 'cannot judge')),
    judged AS (
        SELECT assessor_id, topic_id, document_id, facet, engine FROM answered
        UNION
        SELECT assessor_id, topic_id, document_id, '{PAGE}', '' FROM answered
        WHERE facet = '{SNIPPET}' AND $5::INTEGER IS NOT NULL
        GROUP BY ALL HAVING max(coalesce(label.level, $5::INTEGER - 1)) < $5::INTEGER)"""


def read_shares(store: Store, rules: Round) -> pd.DataFrame:
    """Return how much of each batch of a round is judged by each who has begun it.

    A page that is not called for counts as judged when a snippet of it is. Hidden repeats are
    not counted.

    Returns
    -------
    DataFrame
        topic_id, batch, assessor_id, steps (how many judgements the batch asks for, from 1),
        judged (how many of them this assessor has answered, from 1).
    """
    return fetch_frame(
        store.cursor(),
        f"""WITH {_STEPS}, {_GIVEN},
            sizes AS (SELECT topic_id, batch, count(*) AS steps FROM steps GROUP BY ALL)
            SELECT topic_id, batch, assessor_id, any_value(sizes.steps) AS steps,
                count(*) AS judged
            FROM steps JOIN judged USING (topic_id, document_id, facet, engine)
            JOIN sizes USING (topic_id, batch)
            GROUP BY topic_id, batch, assessor_id ORDER BY ALL""",
        [*_asked(rules), rules.page_from],
    )


def read_batch_sizes(store: Store, rules: Round) -> pd.DataFrame:
    """Return topic_id, batch, documents, steps (judgements asked of one assessor) of a round."""
    return fetch_frame(
        store.cursor(),
        f"""WITH {_STEPS}
            SELECT topic_id, batch, count(DISTINCT document_id) AS documents, count(*) AS steps
            FROM steps GROUP BY ALL ORDER BY ALL""",
        _asked(rules),
    )


def _asked(rules: Round) -> list[Any]:
    """Return what says which steps a round asks for."""
    whole = list(rules.pair_facets) or [PAGE] * rules.judges_pages
    return [rules.round_id, rules.collection_id, whole, rules.judges_snippets]
