"""Proof that machines are known and that their answers belong to their labels."""

from core.collection.labels.label_options import INVALID_ANSWER
from core.store.check.check_labels import name_event
from core.store.check.integrity import Proof
from core.store.people.roster import MACHINE

_WHO = "concat('collection ', collection_id, ': ', assessor_id)"
_OF_OTHERS = f"""
    labels ANTI JOIN (
        SELECT collection_id, assessor_id FROM members WHERE kind = '{MACHINE}'
        UNION ALL SELECT collection_id, assessor_id FROM machines)
    USING (collection_id, assessor_id)"""

MACHINES = Proof(
    "machines",
    "Every machine that is described, or shown in a round, is a member, every raw answer belongs "
    "to a label event, and only machines give answers of which no level can be read.",
    "descriptions and answers",
    "SELECT (SELECT count(*) FROM machines) + (SELECT count(*) FROM machine_answers)",
    {
        "a machine is described that is no member of its collection": f"""
            SELECT {_WHO} FROM machines ANTI JOIN members USING (collection_id, assessor_id)""",
        "a round shows the levels of somebody who is no member of its collection": """
            SELECT concat('round ', round_id, ': ', machine_id) FROM machine_rounds
            LEFT JOIN rounds USING (round_id)
            ANTI JOIN members ON members.collection_id = rounds.collection_id
                AND members.assessor_id = machine_id""",
        "an answer belongs to no label event of its collection": """
            SELECT concat('collection ', collection_id, ': event ', event_id) FROM machine_answers
            ANTI JOIN labels USING (event_id, collection_id)""",
        "an answer of which no level can be read is no machine's": f"""
            SELECT {name_event()} FROM {_OF_OTHERS} WHERE state = '{INVALID_ANSWER}'""",
        "parameters are no JSON object": f"""
            SELECT {_WHO} FROM machines
            WHERE NOT json_valid(parameters) OR json_type(parameters) <> 'OBJECT'""",
    },
    {
        "{n} prompts are not word for word what was asked (somebody was erased)": """
            SELECT count(*) FROM machines WHERE sha256(prompt) <> prompt_hash AND prompt <> ''""",
    },
)
