"""What is left of an assignment, which one comes next, and what a device keeps for later."""

from dataclasses import replace
from datetime import datetime
from math import ceil

from core.assessment.handing_out.assignment_content import AssignmentContent, Step
from core.assessment.handing_out.qualifying import TEST, next_test, read_standing
from core.assessment.handing_out.queue import (
    Assignment,
    finish_assignment,
    hold_more,
    lapsed_assignments,
    take_assignment,
)
from core.assessment.handing_out.steps import lay_out
from core.store.events.labels import ANSWERS, CurrentLabel, Key
from core.store.rounds.lessons import lesson_of
from core.store.store import Store, utc_now


def next_assignment(
    store: Store, collection_id: str, assessor_id: str, now: datetime | None = None
) -> tuple[Assignment, AssignmentContent] | None:
    """Return what the assessor is to judge now, laid out; None when nothing is left for them.

    What turns out to be judged to the end is marked as finished on the way: the assessor's own
    batches, and those of others whose lease lapsed after their last judgement. Where there is a
    qualifying test, its items come first, and whoever is below its mark gets nothing more.
    """
    now = now or utc_now()
    for lapsed in lapsed_assignments(store, collection_id, now):
        _finish_if_done(store, lapsed)
    standing = read_standing(store, collection_id, assessor_id)
    if not standing.is_qualified:
        return None if standing.is_barred else next_test(store, collection_id, assessor_id)
    while assignment := take_assignment(store, collection_id, assessor_id, now):
        content = _finish_if_done(store, assignment)
        if content is not None:
            is_tested = standing.rules is not None  # then practice was the test
            return assignment, replace(content, practice=()) if is_tested else content
    return None


def left_to_judge(
    content: AssignmentContent, current: dict[Key, CurrentLabel], assessor_id: str
) -> list[Step]:
    """Return the steps that are neither judged nor rightly passed over; set-aside ones last."""
    left = [
        step
        for step in content.steps
        if not is_judged(current.get(step.key(assessor_id)))
        and _called_for(step, content.steps, current, assessor_id)
    ]
    return sorted(left, key=lambda step: step.key(assessor_id) in current)


def practice_left(
    content: AssignmentContent, current: dict[Key, CurrentLabel], assessor_id: str
) -> list[Step]:
    """Return the practice steps that an assessor has not answered yet."""
    steps = [one.step for one in content.practice]
    return [step for step in steps if not is_judged(current.get(step.key(assessor_id)))]


def is_judged(label: CurrentLabel | None) -> bool:
    """Tell whether a label answers its step: a level, or that there is none to give."""
    return label is not None and label.state in ANSWERS


def _finish_if_done(store: Store, assignment: Assignment) -> AssignmentContent | None:
    """Return the content of an assignment with something left; finish one without."""
    content = lay_out(store, assignment)
    current = store.labels.current(assignment.rules.collection_id, assignment.assessor_id)
    if left_to_judge(content, current, assignment.assessor_id):
        return content
    finish_assignment(store, assignment)
    return None


def _called_for(
    step: Step, steps: tuple[Step, ...], current: dict[Key, CurrentLabel], assessor_id: str
) -> bool:
    """Tell whether a page has to be judged, given how its snippets were."""
    if step.page_from is None:
        return True
    levels = [
        current[other.key(assessor_id)].level
        for other in steps
        if other.facet == "snippet"
        and (other.topic_id, other.document_id, other.occasion)
        == (step.topic_id, step.document_id, step.occasion)
        and other.key(assessor_id) in current
    ]
    return any(level is not None and level >= step.page_from for level in levels)


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
