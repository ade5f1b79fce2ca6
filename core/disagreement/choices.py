"""What may be chosen where labels of many users are compared."""

GROUPINGS = {
    "topic": ["topic_id", "document_id", "engine"],
    "document": ["document_id", "engine"],
}
