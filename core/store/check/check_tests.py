"""Proof that qualifying tests can be taken as their rules say, and that no attempt is missing."""

from core.store.check.integrity import Proof
from core.store.events.adjudications import ADJUDICATED
from core.store.people.qualifying import ATTEMPT, MOST_ATTEMPTS, MOST_WITHIN

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
