"""Columns of the data behind figures and tables of which it is known whether they name people.

In all others, and in those that pages name themselves, codes stand for people wherever they are.
"""

NOBODY = frozenset(
    {
        *("topic_id", "topic", "query", "type of topic", "vertical", "stratum", "agreement"),
        *("document_id", "document", "documents", "title", "url", "shown", "engine"),
        *("system", "first_system", "second_system", "mover", "best_first", "best_second"),
        *("letter", "better_than", "facet", "label", "level", "gold", "judgement", "decided"),
        *("written", "page", "snippet", "state", "group", "between", "within", "standing"),
        *("measure", "first_measure", "second_measure", "short", "target", "known", "inferred"),
        *("coefficient", "interval", "test", "correction", "curve", "view", "recursion"),
        *("intent", "intents", "status", "weights", "p_shown", "weight_shown", "wanted"),
        *("content", "content_hash", "first_content_hash", "second_content_hash", "rule_hash"),
        *("n", "value", "low", "high", "labels", "topics", "pairs", "last_event", "undecided"),
        *("tied", "unpaired", "unweighed", "series", "here", "relevant"),
    }
)
"""Topics, documents, systems, levels, measures, numbers and fixed words; groups are shown."""

LISTED = frozenset(
    {
        *("version", "condition", "rule", "collection", "reason", "reason_agreement"),
        *("reason_gold", "why", "topic_set", "first_topic_set", "second_topic_set"),
    }
)
"""What is called by fixed words or by organisers: it names people as a whole, or in lists."""
