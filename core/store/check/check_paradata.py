"""Proof that paradata belong to their labels."""

from core.store.check.integrity import Proof
from core.store.events.answered import GIVEN_BY, SIDES, WHOLE

_WHOSE = "concat('collection ', collection_id, ': event ', event_id)"
_SHARES = " OR ".join(f"{name} NOT BETWEEN 0 AND {WHOLE}" for name in ("x", "y", "furthest"))

PARADATA = Proof(
    "paradata",
    "How an answer came about is known of label events only, and lies within its bounds.",
    "paradata",
    "SELECT count(*) FROM paradata",
    {
        "paradata belong to no label event of their collection": f"""
            SELECT {_WHOSE} FROM paradata ANTI JOIN labels USING (event_id, collection_id)""",
        "paradata are out of bounds": f"""
            SELECT {_WHOSE} FROM paradata
            WHERE shown_ms < 0 OR place < 0 OR {_SHARES}
                OR given_by NOT IN {GIVEN_BY} OR first_side NOT IN {SIDES}""",
    },
)
