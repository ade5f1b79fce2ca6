"""The proof that whoever finished a batch has judged it to the end."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.next_assignment import left_to_judge
from core.assessment.handing_out.queue import Assignment
from core.assessment.handing_out.side_by_side import swap_sides
from core.assessment.handing_out.steps import lay_out
from core.command.printing.output import show_progress
from core.store.check.finished_places import has_moved_since, list_finished_places
from core.store.check.integrity import CheckResult, make_fault
from core.store.events.judged import list_answered_keys
from core.store.rounds.rounds import get_round
from core.store.store import Store


def check_finished(store: Store) -> CheckResult:
    """Prove that nothing is left to be judged in what is marked as finished.

    What came in later, and pages that a revised snippet has called for since, are no fault.
    """
    slots = list_finished_places(store)
    places, open_since = [], 0
    for number, row in enumerate(slots, start=1):
        show_progress(number / len(slots), "finished batches")
        missing = list(_find_missing(store, row))
        if missing and _has_moved(store, row):
            open_since += 1
        elif missing:
            places.append(_name(row, missing))
    note = (
        f"{open_since:,} finished batches now have more to judge, because files or labels were "
        "added later"
    )
    return CheckResult(
        "finished",
        "Every slot that is marked as finished was judged completely by its assessor.",
        len(slots),
        "finished places",
        make_fault("a slot is marked as finished but is not judged completely", places),
        (note,) if open_since else (),
    )


def _find_missing(store: Store, row: dict[str, Any]) -> Iterator[Step]:
    """Return what the assessor of a place was asked for and never judged."""
    rules = get_round(store, row["round_id"])
    collection_id, assessor_id = rules.collection_id, row["assessor_id"]
    given = Assignment(rules, row["topic_id"], row["batch"], row["slot"], assessor_id)
    current = store.labels.current(collection_id, assessor_id)
    left = left_to_judge(lay_out(store, given), current, assessor_id)
    if not left:
        return
    known = list_answered_keys(store, collection_id, assessor_id, row["topic_id"])
    for step in left:
        sides = (step, swap_sides(step)) if rules.pair_facets else (step,)
        if not any(side.key(assessor_id) in known for side in sides):
            yield step


def _has_moved(store: Store, row: dict[str, Any]) -> bool:
    """Tell whether files came, or the assessor revised a label, after the place was finished."""
    finished: datetime = row["finished_at"]
    collection_id = get_round(store, row["round_id"]).collection_id
    return has_moved_since(store, collection_id, finished, row["assessor_id"], row["topic_id"])


def _name(row: dict[str, Any], missing: list[Step]) -> str:
    first = missing[0]
    return (
        f"round {row['round_id']}, topic {row['topic_id']}, batch {row['batch']}, assessor "
        f"{row['assessor_id']}: {len(missing)} left, first {first.facet} of {first.document_id}"
    )
