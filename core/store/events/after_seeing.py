"""Which label events came after their assessors had seen what others, or a machine, said there."""

SHOWN_ITEM = ("collection_id", "assessor_id", "topic_id", "document_id", "facet", "engine")
"""What names an item of an assessor of which a machine's level was shown."""

_SAME_ITEM = " AND ".join(f"labels.{name} = told.{name}" for name in SHOWN_ITEM)

AFTER_SEEING = f"""(
    SELECT labels.event_id AS event_id FROM labels
    JOIN topics_seen USING (collection_id, assessor_id, topic_id)
    WHERE labels.sequence > after_sequence
    UNION SELECT labels.event_id AS event_id FROM machine_shown AS told
    JOIN labels AS own ON own.event_id = told.event_id
    JOIN labels ON {_SAME_ITEM} WHERE labels.sequence > own.sequence)"""
"""The ids of all such events: of a topic that was opened, or of an item that was shown."""
