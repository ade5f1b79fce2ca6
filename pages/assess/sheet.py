"""What the judging component is given: an assignment as plain data."""

from dataclasses import asdict
from typing import Any

from core.assessment.blinding import engine_code
from core.assessment.handover import practice_left
from core.assessment.judging import Grant
from core.assessment.queue import Assignment
from core.assessment.sheet import Practice, Sheet, Step
from core.assessment.side_by_side import order_sides
from core.collection.records import Scale, preference_scale
from core.store.collection import Collection
from core.store.labels import Key, Standing
from core.store.scales import get_scales
from core.store.store import Store
from pages.api.labels import name_assignment, sign_grant
from pages.api.page import page_address

LONGEST_INLINE = 20_000


def component_data(
    store: Store, collection: Collection, assignment: Assignment, sheet: Sheet
) -> dict[str, Any]:
    """Return the data of the judging component for one assignment.

    Nothing in it tells an assessor what others judged, or which system returned what.
    """
    assessor_id, grant = assignment.assessor_id, grant_of(assignment)
    standing = store.labels.standing(collection.collection_id, assessor_id)
    practice = {one.step: one for one in sheet.practice}
    steps = [*practice_left(sheet, standing, assessor_id), *sheet.steps]
    topic_of = {step.document_id: step.topic_id for step in steps}
    return {
        "assignment": name_assignment(grant),
        "collection": collection.collection_id,
        "assessor": assessor_id,
        "token": sign_grant(grant),
        "intake": "/api/labels",
        "guidelines": collection.guidelines,
        "scales": {
            facet: [asdict(level) for level in levels]
            for facet, levels in scales_for(store, collection.collection_id, assignment).items()
        },
        "topics": sheet.topics,
        "documents": {
            document_id: _document(
                collection.collection_id, sheet.documents[document_id], sheet.topics[topic_id]
            )
            for document_id, topic_id in topic_of.items()
            if document_id in sheet.documents
        },
        "steps": [
            _step(step, assessor_id, standing, sheet, practice.get(step), store.secret)
            | _pair(collection.collection_id, step, sheet)
            for step in steps
        ],
        "pace": {"judged_before": len(standing), "median_seconds": None},
    }


def scales_for(store: Store, collection_id: str, assignment: Assignment) -> dict[str, Scale]:
    """Return the scales an assignment needs, by facet: side by side, what can be preferred."""
    pairs = dict.fromkeys(assignment.rules.pair_facets, preference_scale())
    return pairs or get_scales(store, collection_id)


def grant_of(assignment: Assignment) -> Grant:
    """Return the right to judge that an assignment gives."""
    return Grant(
        assignment.rules.collection_id,
        assignment.assessor_id,
        assignment.rules.round_id,
        assignment.topic_id,
        assignment.batch,
    )


def _document(collection_id: str, row: dict[str, Any], topic: dict[str, Any]) -> dict[str, Any]:
    inline = not row["html"] and len(row["text"] or "") <= LONGEST_INLINE
    address = page_address(collection_id, row["document_id"], topic["query"])
    return {
        "title": row["title"],
        "url": row["url"],
        "text": row["text"] if inline else None,
        "frame": None if inline else address,
    }


def _pair(collection_id: str, step: Step, sheet: Sheet) -> dict[str, Any]:
    """Return what stands on the left and on the right of a step, if it is one of a pair."""
    sides = sheet.pairs.get((step.topic_id, step.document_id, step.facet))
    if sides is None:
        return {}
    topic = sheet.topics[step.topic_id]
    return {
        "sides": [
            [_document(collection_id, card, topic) | {"shared": card["shared"]} for card in side]
            for side in order_sides(sides, step.engine)
        ]
    }


def _step(
    step: Step,
    assessor_id: str,
    standing: dict[Key, Standing],
    sheet: Sheet,
    practice: Practice | None,
    secret: str,
) -> dict[str, Any]:
    label = standing.get(step.key(assessor_id))
    return {
        "topic": step.topic_id,
        "document": step.document_id,
        "facet": step.facet,
        "engine": engine_code(secret, step.key(assessor_id)),
        "occasion": step.occasion,
        "snippet": sheet.snippets.get((step.topic_id, step.document_id, step.engine)),
        "needs": None
        if step.page_from is None
        else {"facet": "snippet", "at_least": step.page_from},
        "practice": None if practice is None else {"level": practice.level, "why": practice.why},
        "label": None if label is None else asdict(label),
    }
