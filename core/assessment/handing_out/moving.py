"""Giving slots to people by hand: assigned, moved to somebody else, or freed."""

from collections.abc import Collection

from core.assessment.handing_out.queue import batch_of
from core.errors import BadInput
from core.store.audit.change_diff import describe_change
from core.store.file.database import Cursor
from core.store.people.members import list_assessors
from core.store.rounds.holders import find_slot, read_barred, update_holder
from core.store.rounds.places import held_places
from core.store.rounds.rounds import Slot, get_round, list_rounds, name_slot
from core.store.store import Store


def give_slot(store: Store, seen: Slot, assessor_id: str | None, by: str = "") -> None:
    """Give an unfinished slot to somebody, or free it for whoever comes next.

    No label is touched: what the former holder judged stays, and what they still send is taken.

    Parameters
    ----------
    seen : Slot
        The slot as it was when this was decided; whoever took it since keeps it.
    assessor_id : str, optional
        Who is to judge the batch; None frees the slot.
    by : str
        Who decides.

    Raises
    ------
    BadInput
        The round is closed, the slot is finished or has another holder by now, or the assessor
        does not judge here, holds the same batch already, or judges the same documents elsewhere.
    """
    rules = get_round(store, seen.round_id)
    if rules.closed_at is not None:
        raise BadInput("this round is closed; reopen it first, then move its slots")
    present = list_assessors(store, rules.collection_id)
    what = "free" if assessor_id is None else "move" if seen.assessor_id else "assign"
    subject = name_slot(seen.round_id, seen.topic_id, seen.batch)
    detail = describe_change({"assessor": seen.assessor_id}, {"assessor": assessor_id})
    with store.change(rules.collection_id, what, subject, detail, by) as cursor:
        slot = _check_unchanged(cursor, seen)
        if assessor_id is not None:
            _check_taker(store, cursor, slot, assessor_id, present)
        held_places(store).put([update_holder(cursor, slot, assessor_id)])


def _check_unchanged(cursor: Cursor, seen: Slot) -> Slot:
    slot = find_slot(cursor, seen.round_id, seen.topic_id, seen.batch, seen.slot)
    if slot is None:
        raise BadInput("there is no such slot in this round", field="slot")
    if slot.assessor_id != seen.assessor_id:
        raise BadInput("this slot has another holder by now; look at it again")
    if slot.finished_at is not None:
        raise BadInput(
            "this slot is finished, and its labels count; for one more opinion top the round up"
        )
    return slot


def _check_taker(
    store: Store, cursor: Cursor, slot: Slot, assessor_id: str, present: Collection[str]
) -> None:
    """Raise BadInput where somebody cannot judge a batch, or would judge an item twice."""
    if assessor_id not in present:
        raise BadInput("this assessor does not judge in the collection; let them in first")
    if assessor_id == slot.assessor_id:
        raise BadInput("this slot is theirs already")
    collection_id = get_round(store, slot.round_id).collection_id
    rounds = {rules.round_id: rules for rules in list_rounds(store, collection_id)}
    if batch_of(slot) in read_barred(cursor, rounds, collection_id, assessor_id):
        raise BadInput(
            "they hold or have judged some of the same documents already; nobody judges an item "
            "twice"
        )
