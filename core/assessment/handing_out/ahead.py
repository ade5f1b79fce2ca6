"""What an assessor's device keeps, so that judging goes on without a network."""

from dataclasses import replace
from datetime import datetime
from math import ceil

from core.assessment.handing_out.assignment_content import AssignmentContent
from core.assessment.handing_out.next_assignment import left_to_judge, next_assignment
from core.assessment.handing_out.qualifying import TEST
from core.assessment.handing_out.queue import Assignment, hold_more
from core.assessment.handing_out.steps import lay_out
from core.store.rounds.lessons import lesson_of
from core.store.store import Store

ITEMS_AHEAD = 100
"""How many items somebody is to have on their device, where they may have so many."""

Laid = tuple[Assignment, AssignmentContent]


def hand_out_ahead(
    store: Store,
    collection_id: str,
    assessor_id: str,
    items: int = ITEMS_AHEAD,
    now: datetime | None = None,
) -> list[Laid]:
    """Return what the assessor judges now and what comes after it, laid out, in that order.

    Parameters
    ----------
    store, collection_id, assessor_id
        Who is to judge where.
    items : int
        No further batch is added once so many items are not judged yet.
    now : datetime, optional
        The time, in UTC; the present one if left out.

    Returns
    -------
    list of (Assignment, AssignmentContent)
        The first is what `next_assignment` gives. Practice comes with it only. Empty where nothing
        is left, in a qualifying test, and in a class, where all judge at the same time.
    """
    first = next_assignment(store, collection_id, assessor_id, now)
    if first is None or first[0].slot == TEST or lesson_of(store, collection_id) is not None:
        return []
    current = store.labels.current(collection_id, assessor_id)
    found, wanted, known = [first], 1, -1
    while known < len(found):
        known = len(found)
        left = sum(len(left_to_judge(one, current, assessor_id)) for _, one in found)
        wanted += ceil(max(0, items - left) / max(1, left / len(found)))
        held = hold_more(store, collection_id, assessor_id, wanted, now)
        found += [(one, _lay_out_plainly(store, one)) for one in held[len(found) :]]
        if left >= items:
            break
    first, *others = found
    return [first, *(one for one in others if left_to_judge(one[1], current, assessor_id))]


def _lay_out_plainly(store: Store, assignment: Assignment) -> AssignmentContent:
    """Lay out without practice, which is over by then."""
    return replace(lay_out(store, assignment), practice=())
