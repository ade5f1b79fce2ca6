"""Proofs about rounds: slots, what orders chose, qualifying tests, and places that are finished."""

from datetime import datetime
from typing import Any

from core.store.check.integrity import Proof
from core.store.events.adjudications import ADJUDICATED
from core.store.file.database import fetch
from core.store.people.qualifying import ATTEMPT, MOST_ATTEMPTS, MOST_WITHIN
from core.store.store import Store

_BATCH = "concat('round ', round_id, ', topic ', topic_id, ', batch ', batch)"
_MEMBERS = "SELECT (collection_id, assessor_id) FROM members"

SLOTS = Proof(
    "k",
    "Every batch of a round has exactly k slots (what lacks fewer labels, as many as it lacks), "
    "all of different assessors of the collection.",
    "places",
    "SELECT count(*) FROM slots",
    {
        "a batch does not have k slots": f"""
            SELECT concat({_BATCH}, ': ', places, ' slots, k = ', wanted) FROM (
                SELECT *, coalesce(batch_judges.judges, rounds.judges) AS wanted FROM (
                    SELECT round_id, topic_id, batch, count(slot) AS places FROM (
                        SELECT DISTINCT round_id, topic_id, batch FROM pool)
                    LEFT JOIN slots USING (round_id, topic_id, batch) GROUP BY ALL)
                JOIN rounds USING (round_id)
                LEFT JOIN batch_judges USING (round_id, topic_id, batch))
            WHERE places <> wanted
                AND NOT (places = 0 AND round_id IN (SELECT round_id FROM lessons))""",
        "a slot belongs to a batch without items to judge": f"""
            SELECT {_BATCH} FROM slots ANTI JOIN pool USING (round_id, topic_id, batch)""",
        "a slot exists twice": f"""
            SELECT concat({_BATCH}, ', slot ', slot) FROM slots
            GROUP BY round_id, topic_id, batch, slot HAVING count(*) > 1""",
        "an assessor holds two slots of one batch": f"""
            SELECT concat({_BATCH}, ', assessor ', assessor_id) FROM slots
            WHERE assessor_id IS NOT NULL
            GROUP BY round_id, topic_id, batch, assessor_id HAVING count(*) > 1""",
        "a slot is held by somebody who is not an assessor of the collection": f"""
            SELECT concat({_BATCH}, ', assessor ', assessor_id)
            FROM slots JOIN rounds USING (round_id)
            WHERE assessor_id IS NOT NULL AND (collection_id, assessor_id) NOT IN ({_MEMBERS})""",
        "a slot is finished but has no assessor": f"""
            SELECT {_BATCH} FROM slots WHERE finished_at IS NOT NULL AND assessor_id IS NULL""",
    },
    {
        "{n} labels are surplus: their assessor's slot had gone to somebody else": """
            SELECT count(*) FROM current_labels ANTI JOIN (
                SELECT rounds.collection_id, pool.topic_id, pool.document_id, slots.assessor_id
                FROM slots JOIN rounds USING (round_id)
                JOIN pool USING (round_id, topic_id, batch))
                USING (collection_id, topic_id, document_id, assessor_id)
            WHERE label.source = 'judged' AND occasion >= 0""",
    },
)


_ITEM = "concat('round ', {0}.round_id, ', topic ', {0}.topic_id, ', document ', {0}.document_id)"

ORDERS = Proof(
    "orders",
    "Where an order chooses what is judged, each document that is handed out was chosen once, from "
    "those that could be, within the budget.",
    "documents",
    "SELECT count(*) FROM chosen_items",
    {
        "a document is handed out that the order has not chosen": f"""
            SELECT {_ITEM.format("pool")} FROM pool
            SEMI JOIN round_orders USING (round_id)
            ANTI JOIN chosen_items USING (round_id, topic_id, document_id, batch)""",
        "a document was chosen and is not handed out": f"""
            SELECT {_ITEM.format("chosen_items")} FROM chosen_items
            ANTI JOIN pool USING (round_id, topic_id, document_id, batch)""",
        "a document was chosen that could not be": f"""
            SELECT {_ITEM.format("chosen_items")} FROM chosen_items
            ANTI JOIN round_candidates USING (round_id, topic_id, document_id)""",
        "a round without an order has documents to choose from": """
            SELECT DISTINCT concat('round ', round_id) FROM round_candidates
            ANTI JOIN round_orders USING (round_id)""",
        "a document can be chosen that does not exist": f"""
            SELECT {_ITEM.format("one")} FROM (
                SELECT round_candidates.*, collection_id FROM round_candidates
                JOIN (SELECT round_id, collection_id FROM rounds) AS rounds USING (round_id)) AS one
            ANTI JOIN documents USING (collection_id, document_id)""",
        "a probability is not above 0 and at most 1": f"""
            SELECT {_ITEM.format("chosen_items")} FROM chosen_items
            WHERE NOT (probability > 0 AND probability <= 1)""",
        "more was chosen than the budget": """
            SELECT concat('round ', round_id, ': ', chosen, ' of ', budget) FROM round_orders
            JOIN (SELECT round_id, count(*) AS chosen FROM chosen_items GROUP BY ALL) AS so_far
                USING (round_id)
            WHERE chosen > budget""",
    },
)


_ANSWERS = (
    f"(SELECT *, {ATTEMPT} AS attempt FROM labels WHERE occasion < 0 AND source <> '{ADJUDICATED}')"
)

TESTS = Proof(
    "tests",
    "Rules of qualifying tests can be followed, and every attempt follows an earlier one.",
    "tests and answers",
    f"SELECT (SELECT count(*) FROM pass_marks) + (SELECT count(*) FROM {_ANSWERS})",
    {
        "rules of a test cannot be followed": f"""
            SELECT concat('collection ', collection_id) FROM pass_marks
            WHERE mark <= 0 OR mark > 1 OR within NOT BETWEEN 0 AND {MOST_WITHIN}
                OR attempts NOT BETWEEN 1 AND {MOST_ATTEMPTS} OR drawn < 1""",
        "an attempt at a test has none before it": f"""
            SELECT concat('collection ', collection_id, ': assessor ', assessor_id, ', attempt ',
                attempt)
            FROM (SELECT DISTINCT collection_id, assessor_id, attempt FROM {_ANSWERS}
                WHERE attempt > 1) AS later
            ANTI JOIN (SELECT DISTINCT collection_id, assessor_id, attempt + 1 AS attempt
                FROM {_ANSWERS}) AS earlier USING (collection_id, assessor_id, attempt)""",
    },
)


_FINISHED = """
    SELECT round_id, topic_id, batch, slot, assessor_id, finished_at FROM slots
    JOIN rounds USING (round_id) JOIN collections USING (collection_id)
    WHERE finished_at IS NOT NULL AND assessor_id IS NOT NULL
    ORDER BY assessor_id, round_id, topic_id, batch"""

_MOVED_SINCE = """
    SELECT 1 FROM changes WHERE collection_id = $1 AND time > $2
        AND what IN ('import', 'replace', 'top up')
    UNION ALL
    SELECT 1 FROM labels WHERE collection_id = $1 AND time > $2 AND assessor_id = $3
        AND topic_id = $4 AND supersedes IS NOT NULL
    LIMIT 1"""


def list_finished_places(store: Store) -> list[dict[str, Any]]:
    """Return round_id, topic_id, batch, slot, assessor_id, finished_at, by assessor."""
    return fetch(store.cursor(), _FINISHED)


def has_moved_since(
    store: Store, collection_id: str, time: datetime, assessor_id: str, topic_id: str
) -> bool:
    """Tell whether files came, or an assessor revised a label of a topic, after some time."""
    values = [collection_id, time, assessor_id, topic_id]
    return bool(fetch(store.cursor(), _MOVED_SINCE, values))
