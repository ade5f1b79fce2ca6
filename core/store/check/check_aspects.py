"""A proof about aspects: everything said of one belongs to a label and is on its scale."""

from core.collection.records import PAIR
from core.store.check.check_labels import name_event
from core.store.check.integrity import Proof

_SAID = "aspect_labels AS said LEFT JOIN labels USING (event_id)"
_ASPECT = "concat('collection ', collection_id, ': aspect ', {0})"

ASPECTS = Proof(
    "aspects",
    "Everything that was said of an aspect belongs to a label with a level, and is on the scale of "
    "an aspect that was asked of such items.",
    "levels of aspects",
    "SELECT count(*) FROM aspect_labels",
    {
        "a level of an aspect belongs to no label of its collection": f"""
            SELECT concat('event id ', said.event_id, ': aspect ', said.aspect) FROM {_SAID}
            WHERE labels.event_id IS NULL OR labels.collection_id <> said.collection_id""",
        "a label without a level has one of an aspect": f"""
            SELECT {name_event()} FROM {_SAID} WHERE labels.state <> 'level'
                OR labels.facet LIKE '%{PAIR}' OR labels.occasion < 0""",
        "an aspect of a label is not defined, or not for such items": f"""
            SELECT {name_event()} FROM {_SAID} LEFT JOIN aspects
                ON aspects.collection_id = said.collection_id AND aspects.name = said.aspect
            WHERE labels.event_id IS NOT NULL
                AND (aspects.name IS NULL OR aspects.facet NOT IN ('', labels.facet))""",
        "a label's level is not on the scale of its aspect": f"""
            SELECT {name_event()} FROM {_SAID} LEFT JOIN aspect_levels AS scale
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
