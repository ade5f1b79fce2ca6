"""What a round asks of each place at a batch, and what of it has been answered."""

from typing import Any

import pandas as pd

from core.collection.records import PAGE, PAIR, PANEL, SNIPPET
from core.store.events.adjudications import ADJUDICATED
from core.store.file.database import fetch_frame
from core.store.rounds.rounds import WITHDRAWN_THEN, Round
from core.store.store import Store

_POOL = "(SELECT topic_id, batch, document_id FROM pool WHERE round_id = $1)"
_READABLE = "(coalesce(text, '') <> '' OR coalesce(html, '') <> '')"
_SNIPPETS = f"""
    SELECT DISTINCT topic_id, batch, document_id, '{SNIPPET}' AS facet, engine
    FROM {_POOL} JOIN (FROM documents WHERE collection_id = $2) USING (document_id)
    JOIN (FROM results WHERE collection_id = $2) USING (topic_id, document_id)"""
_PAGES = f"""
    SELECT topic_id, batch, document_id, '{PAGE}' AS facet, '' AS engine
    FROM {_POOL} JOIN (FROM documents WHERE collection_id = $2 AND {_READABLE})
        USING (document_id)"""

_SIDES = {
    SNIPPET + PAIR: """
        SELECT DISTINCT topic_id, document_id AS side, document_id AS content
        FROM results WHERE collection_id = $2 AND snippet <> ''""",
    PAGE + PAIR: f"""
        SELECT DISTINCT topic_id, document_id AS side, document_id AS content
        FROM documents, (SELECT DISTINCT topic_id FROM pool WHERE round_id = $1)
        WHERE collection_id = $2 AND {_READABLE}""",
    PANEL + PAIR: """
        SELECT topic_id, system AS side,
            string_agg(document_id, chr(31) ORDER BY rank) AS content
        FROM run_lines WHERE collection_id = $2 AND rank <= {depth:d} GROUP BY ALL""",
}
"""What can stand on a side of a pair; two sides that show the same are not compared."""

_PAIRS = f"""
    SELECT topic_id, batch, document_id, '{{facet}}' AS facet, '' AS engine
    FROM {_POOL} AS pooled
    JOIN (SELECT topic_id, pair_id AS document_id, first, second FROM pairs
          WHERE collection_id = $2) AS paired USING (topic_id, document_id)
    JOIN ({{sides}}) AS one USING (topic_id) JOIN ({{sides}}) AS other USING (topic_id)
    WHERE one.side = first AND other.side = second AND one.content <> other.content"""

_ASKED = f"""
    WITH items AS ({{items}}),
    places AS (SELECT topic_id, batch, slot, assessor_id, finished_at FROM slots
               WHERE round_id = $1),
    answers AS (
        SELECT assessor_id, topic_id, document_id, facet,
            CASE WHEN contains(facet, '{PAIR}') THEN '' ELSE engine END AS engine,
            arg_max(state, sequence) AS state,
            arg_max(coalesce(level, {{none}}), sequence) AS level,
            min(time) FILTER (WHERE state IN ('level', 'cannot judge')) AS answered,
            bool_and(source = 'judged') AND min(time) >= $3 AS own
        FROM labels SEMI JOIN places USING (assessor_id)
        WHERE collection_id = $2 AND NOT stale AND occasion = 0 AND source <> '{ADJUDICATED}'
        GROUP BY ALL
        HAVING arg_max(state, sequence) IN ('level', 'cannot judge')),
    asked AS (FROM places JOIN items USING (topic_id, batch)
              LEFT JOIN answers USING (assessor_id, topic_id, document_id, facet, engine)),
    opened AS (SELECT topic_id, batch, slot, document_id,
                   count(answered) = count(*) AND max(level) < {{page_from}} AS passed
               FROM asked WHERE facet = '{SNIPPET}' GROUP BY ALL)"""

_NONE = -(2**31)
"""A level below every other, so that arg_max does not pass over *cannot judge*."""

_BY_PLACE = """
    SELECT topic_id, batch, slot, any_value(assessor_id) AS assessor_id,
        any_value(finished_at) AS finished_at, count(*) AS items,
        count(*) FILTER (WHERE own) AS judged, count(*) FILTER (WHERE NOT own) AS earlier,
        count(*) FILTER (WHERE facet = '{page}' AND answered IS NULL AND passed) AS passed,
        count(*) FILTER (WHERE own AND state = 'cannot judge') AS cannot_judge,
        list(answered ORDER BY answered) FILTER (WHERE own) AS times
    FROM asked LEFT JOIN opened USING (topic_id, batch, slot, document_id)
    GROUP BY topic_id, batch, slot ORDER BY topic_id, batch, slot"""

_IS_MISSING = f"answered IS NULL AND NOT (facet = '{PAGE}' AND coalesce(passed, FALSE))"

_BY_TOPIC = f"""
    SELECT topic_id, count(*) AS items, count(*) FILTER (WHERE missing = 0) AS complete,
        count(*) FILTER (WHERE levels >= {{judges:d}}) AS at_k,
        count(*) FILTER (WHERE levels < {{judges:d}} AND finished = places) AS lacking
    FROM (SELECT topic_id, document_id, facet, engine, count(*) AS places,
              count(*) FILTER (WHERE {_IS_MISSING}) AS missing,
              count(*) FILTER (WHERE state = 'level') AS levels, count(finished_at) AS finished
          FROM asked LEFT JOIN opened USING (topic_id, batch, slot, document_id)
          GROUP BY ALL) AS judged
    GROUP BY ALL ORDER BY topic_id"""

_MISSING = f"""
    SELECT topic_id, document_id, facet, engine, count(*) AS missing
    FROM asked LEFT JOIN opened USING (topic_id, batch, slot, document_id)
    WHERE {_IS_MISSING} GROUP BY ALL ORDER BY ALL"""


def read_places(store: Store, rules: Round) -> pd.DataFrame:
    """Return what each place of a round is asked for and what it has answered.

    An answer is a level, or that there is none to give; hidden repeats are not counted. Only
    answers that whoever holds the place now gave in the round are its own: those that came before
    the round, or by import, are ``earlier``.

    Returns
    -------
    DataFrame
        topic_id, batch, slot, assessor_id (missing where nobody holds the place), finished_at,
        items (all that the place is asked for, whatever the snippets will call for), judged,
        earlier, passed (pages that no snippet called for), cannot_judge (of those judged), times
        (array of when each own answer was first given, or missing). A place without items has no
        row.
    """
    return _read(store, rules, _BY_PLACE.format(page=PAGE))


def read_items_at_k(store: Store, rules: Round) -> pd.DataFrame:
    """Return topic_id, items, complete, at_k, lacking of each topic of a round.

    ``complete`` counts the items that lack no answer that is asked for, ``at_k`` those to which as
    many holders of places as the round asks for gave a level, ``lacking`` those that have fewer
    though all their places are finished.
    """
    return _read(store, rules, _BY_TOPIC.format(judges=rules.judges))


def read_missing(store: Store, rules: Round) -> pd.DataFrame:
    """Return topic_id, document_id, facet, engine, missing: answers that a round still asks for.

    Of a closed round, those that it asked for until then. Pages that depend on their snippet are
    asked for until it says otherwise. What its order has not chosen yet is not asked for; items
    that lack nothing have no row.
    """
    return _read(store, rules, _MISSING)


def _read(store: Store, rules: Round, select: str) -> pd.DataFrame:
    # Without a lowest level for pages nothing lies below it.
    page_from = _NONE if rules.page_from is None else rules.page_from
    asked = _ASKED.format(items=_list_items(rules), none=_NONE, page_from=page_from)
    values = [rules.round_id, rules.collection_id, rules.created_at]
    return fetch_frame(store.cursor(), asked + select, values)


def _list_items(rules: Round) -> str:
    """Return the query for what is judged in a round, each a judgement of every place."""
    parts = [
        _PAIRS.format(facet=facet, sides=_SIDES[facet].format(depth=rules.depth))
        for facet in rules.pair_facets
    ]
    if rules.judges_snippets:
        parts.append(_SNIPPETS)
    if rules.judges_pages:
        parts.append(_PAGES)
    return " UNION ALL ".join(parts)


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
