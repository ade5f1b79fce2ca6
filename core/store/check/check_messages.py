"""Proofs about messages: words with the organiser, and what webhooks are told."""

from core.collection.records import PAIR
from core.store.check.integrity import Proof

_NAMED = "concat('webhook ', told.webhook_id, ': message ', told.delivery_id)"

WEBHOOKS = Proof(
    "webhooks",
    "Every message to a webhook belongs to a webhook, and tells once of a topic and a round of its "
    "collection.",
    "messages",
    "SELECT count(*) FROM webhook_deliveries",
    {
        "a message is to a webhook that does not exist": f"""
            SELECT {_NAMED} FROM webhook_deliveries AS told
            ANTI JOIN webhooks USING (webhook_id)""",
        "a message tells of another collection": f"""
            SELECT {_NAMED} FROM webhook_deliveries AS told JOIN webhooks USING (webhook_id)
            JOIN rounds USING (round_id) WHERE rounds.collection_id <> webhooks.collection_id""",
        "a message tells of a topic that is not in its round": f"""
            SELECT {_NAMED} FROM webhook_deliveries AS told ANTI JOIN slots
                ON slots.round_id = told.round_id AND slots.topic_id = told.topic_id
            WHERE event = 'topic.finished'""",
        "the same is told twice": f"""
            SELECT {_NAMED} FROM webhook_deliveries AS told WHERE round_id IS NOT NULL
            QUALIFY count(*) OVER
                (PARTITION BY webhook_id, event, round_id, topic_id, finished_at) > 1""",
        "a message is neither sent nor to be sent": f"""
            SELECT {_NAMED} FROM webhook_deliveries AS told
            WHERE (state = 'due') <> (next_at IS NOT NULL)
                OR state NOT IN ('earlier', 'due', 'delivered', 'given up')""",
    },
)


_QUESTION = "concat('collection ', questions.collection_id, ': question ', question_id)"
_NOTICE = "concat('collection ', notices.collection_id, ': notice ', notice_id)"

WORDS = Proof(
    "words",
    "Every question is about an item that exists, every answer belongs to its question, and the "
    "guidelines are those of their latest version.",
    "questions, notices and versions",
    "SELECT (SELECT count(*) FROM questions) + (SELECT count(*) FROM notices) "
    "+ (SELECT count(*) FROM guidelines_versions)",
    {
        "a question is about a topic that does not exist": f"""
            SELECT {_QUESTION} FROM questions ANTI JOIN topics USING (collection_id, topic_id)""",
        "a question is about a document that does not exist": f"""
            SELECT {_QUESTION} FROM questions
            ANTI JOIN documents USING (collection_id, document_id)
            WHERE facet NOT LIKE '%{PAIR}'""",
        "a question's author is not known here": f"""
            SELECT {_QUESTION} FROM questions
            ANTI JOIN members USING (collection_id, assessor_id)""",
        "a question that was acknowledged is missing": """
            SELECT concat('collection ', collection_id, ': ', asked - held, ' missing') FROM (
                SELECT collection_id, count(*) AS asked,
                    (SELECT count(*) FROM questions
                     WHERE questions.collection_id = changes.collection_id) AS held
                FROM changes WHERE what = 'ask' AND subject = 'question' GROUP BY collection_id)
            WHERE held < asked""",
        "an answer is to a question of nobody or of somebody else": f"""
            SELECT {_NOTICE} FROM notices LEFT JOIN questions USING (question_id)
            WHERE notices.question_id IS NOT NULL AND (questions.question_id IS NULL
                OR questions.collection_id <> notices.collection_id
                OR notices.assessor_id NOT IN ('', questions.assessor_id))""",
        "the guidelines are not those of their latest version": """
            SELECT concat('collection ', collections.collection_id) FROM collections
            LEFT JOIN (SELECT collection_id, arg_max(text, number) AS text
                FROM guidelines_versions GROUP BY collection_id) AS latest
                ON latest.collection_id = collections.collection_id
            WHERE coalesce(latest.text, '') <> guidelines""",
        "versions of the guidelines are not in order": """
            SELECT concat('collection ', collection_id, ': version ', number) FROM (
                SELECT *, row_number() OVER earlier AS place,
                    lag(after_sequence) OVER earlier AS before
                FROM guidelines_versions
                WINDOW earlier AS (PARTITION BY collection_id ORDER BY number))
            WHERE number <> place OR after_sequence < before""",
    },
)
