"""Proof that what webhooks are told belongs together."""

from core.store.check.integrity import Proof

_TOLD = "concat('webhook ', told.webhook_id, ': message ', told.delivery_id)"

WEBHOOKS = Proof(
    "webhooks",
    "Every message to a webhook belongs to a webhook, and tells once of a topic and a round of its "
    "collection.",
    "messages",
    "SELECT count(*) FROM webhook_deliveries",
    {
        "a message is to a webhook that does not exist": f"""
            SELECT {_TOLD} FROM webhook_deliveries AS told ANTI JOIN webhooks USING (webhook_id)""",
        "a message tells of another collection": f"""
            SELECT {_TOLD} FROM webhook_deliveries AS told JOIN webhooks USING (webhook_id)
            JOIN rounds USING (round_id) WHERE rounds.collection_id <> webhooks.collection_id""",
        "a message tells of a topic that is not in its round": f"""
            SELECT {_TOLD} FROM webhook_deliveries AS told ANTI JOIN slots
                ON slots.round_id = told.round_id AND slots.topic_id = told.topic_id
            WHERE event = 'topic.finished'""",
        "the same is told twice": f"""
            SELECT {_TOLD} FROM webhook_deliveries AS told WHERE round_id IS NOT NULL
            QUALIFY count(*) OVER
                (PARTITION BY webhook_id, event, round_id, topic_id, finished_at) > 1""",
        "a message is neither sent nor to be sent": f"""
            SELECT {_TOLD} FROM webhook_deliveries AS told
            WHERE (state = 'due') <> (next_at IS NOT NULL)
                OR state NOT IN ('earlier', 'due', 'delivered', 'given up')""",
    },
)
