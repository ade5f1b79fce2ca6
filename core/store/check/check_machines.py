"""Proofs about machines: they are known, and jobs, what they sent and labels belong together."""

from core.collection.labels.label_options import INVALID_ANSWER
from core.store.check.check_labels import name_event
from core.store.check.integrity import Proof
from core.store.machines.requests import OUTCOMES
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


_ITEM = "concat('job ', items.job_id, ': topic ', items.topic_id, ', document ', items.document_id)"
_SENT = "concat('job ', sent.job_id, ': request ', sent.request_id)"
_REPLY = "concat('job ', told.job_id, ': request ', told.request_id)"
_ENDED = """
    machine_items AS items JOIN machine_requests AS sent USING (job_id, place)
    JOIN machine_replies AS told USING (request_id)"""

MACHINE_JOBS = Proof(
    "machine jobs",
    "Every item of a machine's job belongs to a job of a collection, every request to an item, "
    "and every answered item has its label.",
    "items and requests",
    "SELECT (SELECT count(*) FROM machine_items) + (SELECT count(*) FROM machine_requests)",
    {
        "a job belongs to no collection": """
            SELECT concat('job ', job_id) FROM machine_jobs
            ANTI JOIN collections USING (collection_id)""",
        "an item belongs to no job": f"""
            SELECT {_ITEM} FROM machine_items AS items ANTI JOIN machine_jobs USING (job_id)""",
        "a label is not about the item that it was given for": f"""
            SELECT {_ITEM} FROM machine_items AS items JOIN machine_jobs AS jobs USING (job_id)
            JOIN labels USING (event_id)
            WHERE (labels.collection_id, labels.assessor_id, labels.topic_id, labels.document_id,
                   labels.facet, labels.engine, labels.occasion)
                IS DISTINCT FROM (jobs.collection_id, jobs.assessor_id, items.topic_id,
                   items.document_id, items.facet, items.engine, 0)""",
        "a request belongs to no item": f"""
            SELECT {_SENT} FROM machine_requests AS sent
            ANTI JOIN machine_items USING (job_id, place)""",
        "requests for an item are not numbered from 1": f"""
            SELECT {_SENT} FROM machine_requests AS sent
            QUALIFY attempt <> row_number() OVER (PARTITION BY job_id, place ORDER BY attempt)""",
        "a reply belongs to no request": f"""
            SELECT {_REPLY} FROM machine_replies AS told
            ANTI JOIN machine_requests USING (request_id, job_id)""",
        "nothing is known to come of a reply": f"""
            SELECT {_REPLY} FROM machine_replies AS told
            WHERE outcome NOT IN ({", ".join(f"'{one}'" for one in OUTCOMES)})""",
        "an item was answered and has no label": f"""
            SELECT {_ITEM} FROM {_ENDED} ANTI JOIN labels USING (event_id)
            WHERE outcome = 'answered'""",
        "an item was given up and has a label": f"""
            SELECT {_ITEM} FROM {_ENDED} SEMI JOIN labels USING (event_id)
            WHERE outcome = 'given up'""",
    },
    {
        "{n} requests were under way as a process ended: what came of them is not known": """
            SELECT count(*) FROM machine_requests ANTI JOIN machine_replies USING (request_id)""",
    },
)
