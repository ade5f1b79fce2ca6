"""Proofs that take more than the store: rules, finished batches, and everyday work in a copy."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.next_assignment import left_to_judge
from core.assessment.handing_out.queue import Assignment
from core.assessment.handing_out.side_by_side import swap_sides
from core.assessment.handing_out.steps import lay_out
from core.command.checks.everyday import use_store
from core.command.printing.output import show_progress
from core.errors import BadInput
from core.store.check.check_copies import NO_MEMORY, NO_ROOM
from core.store.check.check_files import check_tables
from core.store.check.check_rounds import has_moved_since, list_finished_places
from core.store.check.integrity import CheckResult, make_fault
from core.store.content.saved_rules import list_recorded_rules
from core.store.events.judged import list_answered_keys
from core.store.file.database import Database, first_line
from core.store.file.disk import lacks_room
from core.store.file.memory import lacks_memory, limit_memory
from core.store.rounds.rounds import get_round
from core.store.store import Store
from core.versions.rules import QrelsRule


def check_rules(store: Store) -> CheckResult:
    """Prove that each rule parses and has the hash of the text that was saved under its name."""
    broken, altered = [], []
    rows = list_recorded_rules(store)
    for row in rows:
        where = f"collection {row['collection_id']}: '{row['name']}'"
        try:
            now = QrelsRule.from_json(row["rule"]).rule_hash
        except BadInput as error:
            broken.append(f"{where}: {error}")
            continue
        then = _hash_recorded(row["recorded"], row["name"])
        if now != then:
            altered.append(f"{where}: rule {now[:12]}, recorded {then[:12] or 'never'}")
    return CheckResult(
        "rules",
        "Every saved rule of a qrels version can be read, and has the hash that was recorded.",
        len(rows),
        "rules",
        make_fault("a rule cannot be read", broken)
        + make_fault("a rule is not the one that was saved", altered),
    )


def _hash_recorded(detail: str | None, name: str) -> str:
    """Return the hash of the rule that the record of changes has under a name."""
    try:
        return QrelsRule.from_json((detail or "").removeprefix(f"{name}: ")).rule_hash
    except BadInput:
        return ""


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


USE = CheckResult(
    "use",
    "In a copy, everyday work can be done and read afterwards: a label is stored, a person signs "
    "in, a round is opened.",
    0,
    "things done",
)
"""What is claimed of use, before anything was tried."""

_ABOUT = 40
"""How many things are done, more or less: for the bar that shows how far it is."""


def check_use(copy: Path) -> CheckResult:
    """Prove that a label can be taken and a person signed in, and all the rest.

    Afterwards the copy is closed, which merges its log into its file, and read to its end.
    """
    doing, done, places = "opening it", 0, []
    try:
        with closing(Store(copy, memory=limit_memory(copy))) as store:
            for doing in use_store(store):
                show_progress(min(done / _ABOUT, 0.99), doing)
                done += 1
            doing = "closing it"
        doing = "reading it again"
        with closing(Database(copy, read_only=True, memory=limit_memory(copy))) as read:
            places = [place for fault in check_tables(read).faults for place in fault.places]
    except Exception as error:  # whatever it is, somebody would meet with it
        if lacks_room(error):
            return replace(USE, unknown=NO_ROOM)
        if lacks_memory(error):
            return replace(USE, unknown=NO_MEMORY)
        places = [f"{doing}: {first_line(error)}"]
    finally:
        show_progress(1, "use")
    faults = make_fault("everyday work is no longer possible: restore a backup", places)
    return replace(USE, checked=done, faults=faults)
