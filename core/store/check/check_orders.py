"""The proof of orders: what they have chosen is what is handed out, and was theirs to choose."""

from core.store.check.integrity import Proof

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
