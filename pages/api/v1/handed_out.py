"""What an assessor's program is given to judge: as blind as what a browser is given."""

from dataclasses import asdict
from typing import Any

from core.assessment.handing_out.assignment_content import AssignmentContent, Card, Step
from core.assessment.handing_out.blinding import engine_code, occasion_code
from core.assessment.handing_out.next_assignment import (
    left_to_judge,
    next_assignment,
    practice_left,
)
from core.assessment.handing_out.queue import Assignment
from core.assessment.handing_out.side_by_side import order_sides
from core.assessment.handing_out.steps import scales_for
from core.assessment.intake.aspects import show_aspects, show_label
from core.assessment.intake.judging import grant_of
from core.errors import NotAllowed
from core.store.content.aspects import list_aspects
from core.store.people.consent import NOT_ASKED, get_consent_text, read_consent
from core.store.store import Store
from pages.shared.intake import name_assignment


def hand_out(store: Store, collection_id: str, assessor_id: str) -> dict[str, Any] | None:
    """Return what is to be judged now; None when nothing is left.

    Nothing in it tells what others judged, which system returned what, which occasion is a hidden
    repeat, or what is right in practice.

    Raises
    ------
    NotAllowed
        The collection asks for consent first, which is given in a browser.
    """
    asks = bool(get_consent_text(store, collection_id))
    if asks and read_consent(store, collection_id, assessor_id) == NOT_ASKED:
        raise NotAllowed("This collection asks for your consent first: sign in and answer.")
    found = next_assignment(store, collection_id, assessor_id)
    return None if found is None else _show(store, *found)


def _show(store: Store, assignment: Assignment, content: AssignmentContent) -> dict[str, Any]:
    collection_id, assessor_id = assignment.rules.collection_id, assignment.assessor_id
    current = store.labels.current(collection_id, assessor_id)
    practice = practice_left(content, current, assessor_id)
    steps = [*practice, *left_to_judge(content, current, assessor_id)]
    scales = scales_for(store, assignment)
    shown = {step.document_id for step in steps}
    return {
        "assignment": name_assignment(grant_of(assignment)),
        "scales": {facet: [asdict(level) for level in levels] for facet, levels in scales.items()},
        "aspects": show_aspects(list_aspects(store, collection_id), scales),
        "topics": content.topics,
        "documents": {one: _card(row) for one, row in content.documents.items() if one in shown},
        "steps": [
            _step(store.secret, step, content, assessor_id)
            | {"practice": step in practice, "label": _label(current.get(step.key(assessor_id)))}
            for step in steps
        ],
    }


def _step(secret: str, step: Step, content: AssignmentContent, assessor_id: str) -> dict[str, Any]:
    key = step.key(assessor_id)
    told: dict[str, Any] = {
        "topic": step.topic_id,
        "document": step.document_id,
        "facet": step.facet,
        "engine": engine_code(secret, key),
        "occasion": occasion_code(secret, key),
        "snippet": content.snippets.get((step.topic_id, step.document_id, step.engine)),
        "page_from": step.page_from,
    }
    sides = content.pairs.get((step.topic_id, step.document_id, step.facet))
    if sides is not None:
        left, right = order_sides(sides, step.engine)
        told |= {"left": [_card(one) for one in left], "right": [_card(one) for one in right]}
    return told


def _card(row: Card) -> dict[str, Any]:
    return {name: row.get(name) or "" for name in ("title", "url", "text", "html")}


def _label(label: Any) -> dict[str, Any] | None:
    return None if label is None else show_label(label)
