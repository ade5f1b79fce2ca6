"""Proof that reasons belong to preferences."""

from core.collection.records import PAIR
from core.store.check.integrity import Proof
from core.store.events.preference_reasons import MOST_REASONS

_REASON = "concat('collection ', given.collection_id, ': event ', given.event_id)"

REASONS = Proof(
    "reasons",
    "Every reason was given with a preference, and as many are offered as there may be.",
    "reasons",
    "SELECT (SELECT count(*) FROM preference_reasons) + (SELECT count(*) FROM reason_choices)",
    {
        "a reason belongs to no preference": f"""
            SELECT {_REASON} FROM preference_reasons AS given
            ANTI JOIN (SELECT collection_id, event_id FROM labels WHERE facet LIKE '%{PAIR}')
                USING (collection_id, event_id)""",
        "a preference has a reason twice": f"""
            SELECT {_REASON} FROM preference_reasons AS given
            GROUP BY given.collection_id, given.event_id, reason HAVING count(*) > 1""",
        "more reasons are offered than there may be": f"""
            SELECT concat('collection ', collection_id) FROM reason_choices
            GROUP BY collection_id HAVING count(*) > {MOST_REASONS}""",
    },
)
