"""Proof that exactly those labels carry a mark whose assessors had seen what others said."""

from core.store.check.check_labels import name_event
from core.store.check.integrity import Proof
from core.store.events.after_seeing import AFTER_SEEING, SHOWN_ITEM

_PLACE = "(collection_id, assessor_id, topic_id)"
_ITEM = ", ".join(SHOWN_ITEM)
_OTHER_SITES = f"""
    SELECT {_ITEM}, count(*) AS more FROM labels SEMI JOIN labels_of_two_sites USING (event_id)
    WHERE occasion = 0 GROUP BY {_ITEM}"""
"""How often an item was judged at another site than before: each can have shown the level once."""
_TOPIC = (
    "concat('collection ', seen.collection_id, ': topic ', seen.topic_id, ', by ', "
    "seen.assessor_id)"
)

AFTERWARDS = Proof(
    "afterwards",
    "What assessors said of a topic after they had seen others' labels there, or of an item after "
    "a machine's level, carries a mark, and nothing else does; what they saw is of topics that "
    "they had opened, and of items that they had judged.",
    "marks, topics and items",
    "SELECT (SELECT count(*) FROM labels_after_seeing) + (SELECT count(*) FROM topics_seen) "
    "+ (SELECT count(*) FROM items_seen) + (SELECT count(*) FROM machine_shown)",
    {
        "a label given after seeing others carries no mark": f"""
            SELECT {name_event()} FROM labels SEMI JOIN {AFTER_SEEING} AS seen USING (event_id)
            ANTI JOIN labels_after_seeing AS marked ON marked.event_id = labels.event_id
            WHERE source <> 'imported'""",
        "a label carries a mark although nothing of others was seen": f"""
            SELECT {name_event()} FROM labels
            SEMI JOIN labels_after_seeing AS marked ON marked.event_id = labels.event_id
            ANTI JOIN {AFTER_SEEING} AS seen USING (event_id)""",
        "a machine's level was shown that follows no judgement of the item": f"""
            SELECT concat('collection ', told.collection_id, ': event ', told.event_id)
            FROM machine_shown AS told
            ANTI JOIN (FROM labels WHERE state IN ('level', 'cannot judge') AND occasion = 0) AS own
                USING (event_id, {_ITEM})""",
        "a machine's level was shown twice of an item": f"""
            SELECT concat('collection ', collection_id, ': topic ', topic_id, ', document ',
                document_id, ', by ', assessor_id)
            FROM (SELECT {_ITEM}, count(*) AS times FROM machine_shown GROUP BY {_ITEM}) AS told
            LEFT JOIN ({_OTHER_SITES}) AS sites USING ({_ITEM})
            WHERE times > 1 + coalesce(sites.more, 0)""",
        "a mark belongs to no label of its collection": """
            SELECT concat('collection ', collection_id, ': event ', event_id)
            FROM labels_after_seeing ANTI JOIN labels USING (event_id, collection_id)""",
        "an item was shown of a topic that was not opened": f"""
            SELECT {_TOPIC} FROM items_seen AS seen ANTI JOIN topics_seen USING {_PLACE}""",
        "a topic was opened by somebody who is not known here": f"""
            SELECT {_TOPIC} FROM topics_seen AS seen
            ANTI JOIN members USING (collection_id, assessor_id)""",
        "a topic that was opened is missing": """
            SELECT concat('collection ', collection_id, ': ', opened - held, ' missing') FROM (
                SELECT collection_id, count(DISTINCT (person_id, subject)) AS opened,
                    (SELECT count(*) FROM topics_seen
                     WHERE topics_seen.collection_id = changes.collection_id) AS held
                FROM changes WHERE what = 'see' GROUP BY collection_id)
            WHERE held < opened""",
    },
)
