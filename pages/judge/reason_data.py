"""The reasons that can be given for a preference, as the judging screen is told of them."""

from typing import Any

from core.assessment.handing_out.assignment_content import AssignmentContent
from core.assessment.handing_out.queue import Assignment
from core.store.events.preference_reasons import list_reason_choices, read_given_reasons
from core.store.store import Store


def reason_data(store: Store, assignment: Assignment, content: AssignmentContent) -> dict[str, Any]:
    """Return ``reasons``, what can be chosen, and ``given``, what was, by the label's event.

    Nothing where nothing stands side by side, or where no reasons are offered.
    """
    collection_id = assignment.rules.collection_id
    offered = list_reason_choices(store, collection_id) if content.pairs else ()
    if not offered:
        return {}
    current = store.labels.current(collection_id, assignment.assessor_id)
    keys = [step.key(assignment.assessor_id) for step in content.steps]
    labels = [current[key].event_id for key in keys if key in current]
    given = read_given_reasons(store, collection_id, labels)
    return {"reasons": list(offered), "given": given}
