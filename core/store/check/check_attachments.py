"""Proofs about what labels carry: marks, levels of aspects, paradata, passages and reasons."""

from core.collection.records import PAIR
from core.store.check.check_labels import name_event
from core.store.check.integrity import Proof
from core.store.events.after_seeing import AFTER_SEEING, SHOWN_ITEM
from core.store.events.answered import GIVEN_BY, SIDES, WHOLE
from core.store.events.marked import MOST_PASSAGES
from core.store.events.preference_reasons import MOST_REASONS

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


_LEVELS = "aspect_labels AS said LEFT JOIN labels USING (event_id)"
_ASPECT = "concat('collection ', collection_id, ': aspect ', {0})"

ASPECTS = Proof(
    "aspects",
    "Everything that was said of an aspect belongs to a label with a level, and is on the scale of "
    "an aspect that was asked of such items.",
    "levels of aspects",
    "SELECT count(*) FROM aspect_labels",
    {
        "a level of an aspect belongs to no label of its collection": f"""
            SELECT concat('event id ', said.event_id, ': aspect ', said.aspect) FROM {_LEVELS}
            WHERE labels.event_id IS NULL OR labels.collection_id <> said.collection_id""",
        "a label without a level has one of an aspect": f"""
            SELECT {name_event()} FROM {_LEVELS} WHERE labels.state <> 'level'
                OR labels.facet LIKE '%{PAIR}' OR labels.occasion < 0""",
        "an aspect of a label is not defined, or not for such items": f"""
            SELECT {name_event()} FROM {_LEVELS} LEFT JOIN aspects
                ON aspects.collection_id = said.collection_id AND aspects.name = said.aspect
            WHERE labels.event_id IS NOT NULL
                AND (aspects.name IS NULL OR aspects.facet NOT IN ('', labels.facet))""",
        "a label's level is not on the scale of its aspect": f"""
            SELECT {name_event()} FROM {_LEVELS} LEFT JOIN aspect_levels AS scale
                ON scale.collection_id = said.collection_id AND scale.aspect = said.aspect
                AND scale.level = said.level
            WHERE labels.event_id IS NOT NULL AND said.level IS NOT NULL AND scale.level IS NULL""",
        "a level of an aspect counts as one that is not on its scale": f"""
            SELECT {_ASPECT.format("aspect")} FROM aspect_levels
            WHERE (collection_id, aspect, counts_as) NOT IN (
                SELECT (collection_id, aspect, level) FROM aspect_levels)""",
        "an aspect has no scale": f"""
            SELECT {_ASPECT.format("name")} FROM aspects WHERE (collection_id, name) NOT IN (
                SELECT (collection_id, aspect) FROM aspect_levels)""",
        "levels are of no aspect": f"""
            SELECT {_ASPECT.format("aspect")} FROM aspect_levels
            WHERE (collection_id, aspect) NOT IN (SELECT (collection_id, name) FROM aspects)""",
    },
)


_WHOSE = "concat('collection ', collection_id, ': event ', event_id)"
_SHARES = " OR ".join(f"{name} NOT BETWEEN 0 AND {WHOLE}" for name in ("x", "y", "furthest"))

PARADATA = Proof(
    "paradata",
    "How an answer came about is known of label events only, and lies within its bounds.",
    "paradata",
    "SELECT count(*) FROM paradata",
    {
        "paradata belong to no label event of their collection": f"""
            SELECT {_WHOSE} FROM paradata ANTI JOIN labels USING (event_id, collection_id)""",
        "paradata are out of bounds": f"""
            SELECT {_WHOSE} FROM paradata
            WHERE shown_ms < 0 OR place < 0 OR {_SHARES}
                OR given_by NOT IN {GIVEN_BY} OR first_side NOT IN {SIDES}""",
    },
)


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


_REASON = "concat('collection ', given.collection_id, ': event ', given.event_id)"

REASONS = Proof(
    "reasons",
    "Every reason was given with a preference, and as many are offered as there may be.",
    "reasons",
    "SELECT (SELECT count(*) FROM preference_reasons) + (SELECT count(*) FROM reason_choices)",
    {
        "a reason belongs to no preference": f"""
            SELECT {_REASON} FROM preference_reasons AS given
            ANTI JOIN (SELECT collection_id, event_id FROM labels WHERE facet LIKE '%{PAIR}')
                USING (collection_id, event_id)""",
        "a preference has a reason twice": f"""
            SELECT {_REASON} FROM preference_reasons AS given
            GROUP BY given.collection_id, given.event_id, reason HAVING count(*) > 1""",
        "more reasons are offered than there may be": f"""
            SELECT concat('collection ', collection_id) FROM reason_choices
            GROUP BY collection_id HAVING count(*) > {MOST_REASONS}""",
    },
)
