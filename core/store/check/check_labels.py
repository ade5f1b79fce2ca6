"""Proofs about label events: numbered without gap, in an order that can be replayed."""

from core.collection.labels.label_options import INVALID_ANSWER
from core.collection.records import PAIR, preference_scale
from core.store.check.integrity import Proof

KEY = "collection_id, topic_id, document_id, facet, engine, assessor_id, occasion"
EVENTS = "SELECT count(*) FROM labels"
_SIDES = ", ".join(str(level.level) for level in preference_scale())


def name_event(row: str = "labels") -> str:
    """Return the SQL that names a label event for people."""
    return (
        f"concat('event ', {row}.sequence, ' in collection ', {row}.collection_id, ': topic ', "
        f"{row}.topic_id, ', document ', {row}.document_id, ', ', {row}.facet, ', by ', "
        f"{row}.assessor_id)"
    )


SEQUENCE = Proof(
    "sequence",
    "Label events are numbered 1, 2, 3 … in the order in which they were written: no number is "
    "missing, used twice or out of place.",
    "label events",
    EVENTS,
    {
        "a number is used twice": """
            SELECT concat('sequence ', sequence, ', ', count(*), ' times') FROM labels
            GROUP BY sequence HAVING count(*) > 1""",
        "events are missing": """
            SELECT concat('before event ', sequence, ': ', sequence - before - 1)
            FROM (SELECT sequence, lag(sequence, 1, 0) OVER (ORDER BY sequence) AS before
                  FROM labels)
            WHERE sequence > before + 1""",
        "an event comes after a later one": """
            SELECT concat('event ', sequence) FROM (
                SELECT sequence, max(sequence) OVER (ORDER BY rowid
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS highest FROM labels)
            WHERE sequence < highest""",
    },
)

_REPLACED = "labels JOIN labels AS before ON before.event_id = labels.supersedes"
_SAME = " AND ".join(f"labels.{column} = before.{column}" for column in KEY.split(", "))

SUPERSEDES = Proof(
    "supersedes",
    "An event replaces an earlier event of its own label, or none.",
    "events that replace another",
    "SELECT count(supersedes) FROM labels",
    {
        "an event replaces one of another label": f"""
            SELECT {name_event()} FROM {_REPLACED} WHERE NOT ({_SAME})""",
        "an event replaces itself or a later one": f"""
            SELECT {name_event()} FROM {_REPLACED} WHERE before.sequence >= labels.sequence""",
    },
    {
        "{n} events name an event that never arrived (the server had refused it)": """
            SELECT count(*) FROM labels ANTI JOIN labels AS before
                ON before.event_id = labels.supersedes WHERE labels.supersedes IS NOT NULL""",
    },
)

_BEFORE = f"""
    (SELECT *, last_value(CASE WHEN NOT stale THEN event_id END IGNORE NULLS) OVER (
         PARTITION BY {KEY} ORDER BY sequence
         ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS standing FROM labels) AS labels"""

STALE = Proof(
    "replay",
    "Replaying the events in order gives the same marks: an event is stale if and only if it does "
    "not replace the label that was current when it arrived, where it was made.",
    "label events",
    EVENTS,
    {
        "an event counts although another label was current": f"""
            SELECT {name_event()} FROM {_BEFORE}
            WHERE NOT stale AND standing IS NOT NULL AND supersedes IS DISTINCT FROM standing
                AND event_id NOT IN (SELECT event_id FROM labels_of_two_sites)""",
        "an event is said to be of another site although nothing contradicted it": f"""
            SELECT concat('event id ', apart.event_id) FROM labels_of_two_sites AS apart
            LEFT JOIN {_BEFORE} ON labels.event_id = apart.event_id
            WHERE coalesce(stale OR standing IS NULL OR supersedes IS NOT DISTINCT FROM standing
                OR labels.collection_id <> apart.collection_id, true)""",
        "an event is marked stale although nothing contradicted it": f"""
            SELECT {name_event()} FROM {_BEFORE}
            WHERE stale AND (standing IS NULL OR supersedes IS NOT DISTINCT FROM standing)""",
    },
    {
        "{n} stale events are kept as history": "SELECT count(*) FROM labels WHERE stale",
        "{n} events of two merged stores count, although a label of the other stood by then": (
            "SELECT count(*) FROM labels_of_two_sites"
        ),
    },
)

_LAST = f"""
    (SELECT {KEY}, arg_max(event_id, sequence) FILTER (WHERE NOT stale) AS event_id
     FROM labels GROUP BY {KEY}) AS last"""
_NAME = (
    "concat('collection ', collection_id, ': topic ', topic_id, ', document ', document_id, ', ', "
    "facet, ', by ', assessor_id)"
)

STANDING = Proof(
    "standing",
    "Every label that was ever given has exactly one current event: the last that is not stale.",
    "labels",
    f"SELECT count(*) FROM (SELECT DISTINCT {KEY} FROM labels)",
    {
        "a label has events but none of them is current": f"""
            SELECT {_NAME} FROM {_LAST} WHERE event_id IS NULL""",
        "the label that the store gives as current is not the last event": f"""
            SELECT {_NAME} FROM (
                (SELECT {KEY}, event_id FROM {_LAST} WHERE event_id IS NOT NULL
                 EXCEPT ALL SELECT {KEY}, label.event_id FROM current_labels)
                UNION ALL
                (SELECT {KEY}, label.event_id FROM current_labels
                 EXCEPT ALL SELECT {KEY}, event_id FROM {_LAST}))""",
    },
)

LEVELS = Proof(
    "levels",
    "A label has a level if and only if its state says so, and the level is on the scale; so are "
    "gold and practice levels, and the levels that others count as.",
    "label events",
    EVENTS,
    {
        "state and level do not fit": f"""
            SELECT {name_event()} FROM labels WHERE (state = 'level') <> (level IS NOT NULL)
                OR state NOT IN
                    ('level', 'cannot judge', 'later', 'unjudged', '{INVALID_ANSWER}')""",
        "a label's level is not on the scale": f"""
            SELECT {name_event()} FROM labels ANTI JOIN levels USING (collection_id, facet, level)
            WHERE level IS NOT NULL AND facet NOT LIKE '%{PAIR}'""",
        "a preference is none of the five possible choices": f"""
            SELECT {name_event()} FROM labels
            WHERE facet LIKE '%{PAIR}' AND level NOT IN ({_SIDES})""",
        **{
            f"a {table} item's level is not on the scale": f"""
                SELECT concat('collection ', collection_id, ': topic ', topic_id, ', document ',
                    document_id, ', ', facet)
                FROM {table} ANTI JOIN levels USING (collection_id, facet, level)"""
            for table in ("gold", "practice")
        },
        "a level counts as one that is not on the scale": """
            SELECT concat('collection ', collection_id, ': ', facet, ' level ', levels.level)
            FROM levels WHERE (collection_id, facet, counts_as) NOT IN (
                SELECT (collection_id, facet, level) FROM levels)""",
    },
)

LABEL_PROOFS = (SEQUENCE, SUPERSEDES, STALE, STANDING, LEVELS)
