"""Proof that passages belong to their labels and lie in their texts."""

from core.store.check.check_labels import name_event
from core.store.check.integrity import Proof
from core.store.events.marked import MOST_PASSAGES

_PASSAGE = "concat('collection ', collection_id, ': passage ', number, ' of event ', event_id)"
_OF_LABELS = "passages JOIN labels USING (event_id)"
_IN_TEXTS = f"""
    {_OF_LABELS}
    LEFT JOIN (SELECT collection_id, topic_id, document_id, engine, arg_min(snippet, rank) AS text
        FROM results GROUP BY ALL) AS snippets
        ON labels.facet = 'snippet' AND snippets.collection_id = labels.collection_id
        AND snippets.topic_id = labels.topic_id AND snippets.document_id = labels.document_id
        AND snippets.engine = labels.engine
    LEFT JOIN documents ON labels.facet = 'page'
        AND documents.collection_id = labels.collection_id
        AND documents.document_id = labels.document_id"""
_TEXT = "coalesce(snippets.text, documents.text, '')"
_HELD = "coalesce(documents.html, '') = ''"
"""The text that is read of HTML is in no column; readers of passages compare it."""

PASSAGES = Proof(
    "passages",
    "Every passage belongs to a label event of its collection; those of an event are numbered, in "
    "the order of one text, none overlaps another, and none reaches past the end of the text.",
    "passages",
    "SELECT count(*) FROM passages",
    {
        "a passage belongs to no label event of its collection": f"""
            SELECT {_PASSAGE} FROM passages ANTI JOIN labels USING (event_id, collection_id)""",
        "a passage is of what is neither a snippet nor a page": f"""
            SELECT {name_event()} FROM {_OF_LABELS} WHERE facet NOT IN ('snippet', 'page')""",
        "a passage is missing, or one is there twice": f"""
            SELECT {_PASSAGE} FROM (SELECT *, row_number() OVER
                (PARTITION BY event_id ORDER BY number) AS place FROM passages)
            WHERE number <> place OR number > {MOST_PASSAGES}""",
        "passages overlap or end before they begin": f"""
            SELECT {_PASSAGE} FROM (SELECT *, lag(end_offset, 1, 0) OVER
                (PARTITION BY event_id ORDER BY number) AS before FROM passages)
            WHERE start_offset < before OR end_offset <= start_offset""",
        "passages of one event are of two texts": """
            SELECT concat('event ', event_id) FROM passages GROUP BY event_id
            HAVING count(DISTINCT text_hash) > 1""",
        "a passage reaches past the end of its text": f"""
            SELECT {name_event()} FROM {_IN_TEXTS}
            WHERE {_HELD} AND sha256({_TEXT}) = text_hash AND end_offset > length({_TEXT})""",
    },
    {
        "{n} passages are of another version of their text than is stored now": f"""
            SELECT count(*) FROM {_IN_TEXTS} WHERE {_HELD} AND sha256({_TEXT}) <> text_hash""",
    },
)
