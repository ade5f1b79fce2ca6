"""Handing out: who judges which batch next, for how long, and what comes back."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.store.audit.change_diff import describe_change
from core.store.content.collections import get_collection
from core.store.file.database import Cursor
from core.store.people.members import is_member, list_assessors
from core.store.rounds.holders import Batch, read_judged_before, read_overlaps
from core.store.rounds.rounds import (
    Round,
    Slot,
    finish_slot,
    last_judged,
    list_rounds,
    name_slot,
    read_slots,
    update_slot,
)
from core.store.store import TAKING, Store, note_change, utc_now

AWAY = timedelta(hours=1)
"""How much longer places are held for somebody whose device keeps the items: it may be offline."""

_APART = timedelta(milliseconds=1)
"""Between the leases of one person: they judge in the order in which these end."""


@dataclass(frozen=True)
class Assignment:
    """One batch of a topic in the hands of one assessor."""

    rules: Round
    topic_id: str
    batch: int
    slot: int
    assessor_id: str


@dataclass(frozen=True)
class Share:
    """How many batches somebody has finished, and how many more are theirs or free for them."""

    finished: int
    held: int
    free: int


Activity = Mapping[tuple[str, str], datetime]


def take_assignment(
    store: Store, collection_id: str, assessor_id: str, now: datetime | None = None
) -> Assignment | None:
    """Return what the assessor is to judge now; None when nothing is left for them.

    What they already hold comes first, then what is reserved for them, then the open queue:
    there, topics that others have begun come first, so that pairs of labels exist early. A
    lease lapses when neither it nor the assessor's last judgement in the topic is recent.
    """
    now = now or utc_now()
    with store.database.write() as cursor:
        if not may_judge(store, collection_id, assessor_id):
            return None
        rounds = {rules.round_id: rules for rules in list_rounds(store, collection_id)}
        slots = _cap_leases(cursor, read_slots(cursor, collection_id), rounds, now)
        activity = last_judged(cursor, collection_id)
        held = list_held(slots, assessor_id)
        slot = held[0] if held else None
        if slot is None:
            barred = find_barred(cursor, slots, assessor_id, rounds)
            slot = _choose(slots, barred, rounds, activity, now)
        if slot is None:
            return None
        rules = rounds[slot.round_id]
        if slot.assessor_id != assessor_id or slot.leased_until is None or slot.leased_until < now:
            _note_taking(cursor, collection_id, slot, assessor_id)
            slot = replace(slot, assessor_id=assessor_id)
            begun = [one for one in held[1:] if one.leased_until is not None]
            _lease(cursor, [slot, *begun], rounds, now)
    return Assignment(rules, slot.topic_id, slot.batch, slot.slot, assessor_id)


def hold_more(
    store: Store, collection_id: str, assessor_id: str, most: int, now: datetime | None = None
) -> list[Assignment]:
    """Return what the assessor is to judge now and after it, in that order, all of it leased anew.

    These are up to ``most`` batches that they hold already or that are reserved for them, and
    then free ones, chosen as `take_assignment` does. By taking free ones ahead nobody gets more
    than their share: the places of the open rounds by those who judge in the collection. Leases
    last `AWAY` longer than those of what is not fetched ahead. Empty where nothing is left.
    """
    now = now or utc_now()
    judges = set(list_assessors(store, collection_id))
    with store.database.write() as cursor:
        if not may_judge(store, collection_id, assessor_id):
            return []
        rounds = {rules.round_id: rules for rules in list_rounds(store, collection_id)}
        slots = _cap_leases(cursor, read_slots(cursor, collection_id), rounds, now)
        held = list_held(slots, assessor_id)[:most]
        taken = sum(slot.assessor_id == assessor_id for slot in slots)
        judges |= {assessor_id, *(slot.assessor_id for slot in slots if slot.assessor_id)}
        share = len(slots) // len(judges)
        activity = last_judged(cursor, collection_id)
        while len(held) < most and taken < share:
            barred = find_barred(cursor, slots, assessor_id, rounds)
            slot = _choose(slots, barred, rounds, activity, now)
            if slot is None:
                break
            slots[slots.index(slot)] = own = replace(slot, assessor_id=assessor_id)
            _note_taking(cursor, collection_id, slot, assessor_id)
            held.append(own)
            taken += 1
        for slot in held:
            if slot.leased_until is None and slot.reserved:
                _note_taking(cursor, collection_id, slot, assessor_id)
        _lease(cursor, held, rounds, now, AWAY)
    return [
        Assignment(rounds[slot.round_id], slot.topic_id, slot.batch, slot.slot, assessor_id)
        for slot in held
    ]


def _lease(
    cursor: Cursor,
    slots: list[Slot],
    rounds: Mapping[str, Round],
    now: datetime,
    longer: timedelta = timedelta(0),
) -> None:
    """Hold slots for their assessor from now on, to be judged in this order."""
    for place, slot in enumerate(slots):
        until = now + timedelta(minutes=rounds[slot.round_id].lease_minutes) + longer
        update_slot(cursor, replace(slot, leased_until=until + place * _APART))


def read_share(
    store: Store, collection_id: str, assessor_id: str, now: datetime | None = None
) -> Share:
    """Return what an assessor has done in the open rounds, and what there may be to do."""
    cursor = store.cursor()
    rounds = {rules.round_id: rules for rules in list_rounds(store, collection_id)}
    slots = read_slots(cursor, collection_id)
    mine = [slot for slot in slots if slot.assessor_id == assessor_id]
    finished = sum(slot.finished_at is not None for slot in mine)
    barred = find_barred(cursor, slots, assessor_id, rounds)
    activity = last_judged(cursor, collection_id)
    free = _list_free(slots, barred, rounds, activity, now or utc_now())
    return Share(finished, len(mine) - finished, len({batch_of(slot) for slot in free}))


def may_judge(store: Store, collection_id: str, assessor_id: str) -> bool:
    """Tell whether a collection is open to judgements, and somebody judges in it."""
    is_closed = get_collection(store, collection_id).closed_at is not None
    return not is_closed and is_member(store, collection_id, assessor_id)


def finish_assignment(store: Store, assignment: Assignment, now: datetime | None = None) -> None:
    """Note that an assessor has judged everything of a batch."""
    collection_id = assignment.rules.collection_id
    subject = name_slot(assignment.rules.round_id, assignment.topic_id, assignment.batch)
    held = [
        slot
        for slot in read_slots(store.cursor(), collection_id)
        if batch_of(slot) == (assignment.rules.round_id, assignment.topic_id, assignment.batch)
        and slot.assessor_id == assignment.assessor_id
    ]
    if held and held[0].finished_at is None:
        detail = describe_change({"finished": False}, {"finished": True})
        by = assignment.assessor_id
        with store.change(collection_id, "finish", subject, detail, by) as cursor:
            finish_slot(cursor, held[0], now or utc_now())


def _cap_leases(
    cursor: Cursor, slots: list[Slot], rounds: Mapping[str, Round], now: datetime
) -> list[Slot]:
    """Shorten leases given under a clock that was ahead: they would hold their place for ever."""
    capped = []
    for slot in slots:
        longest = now + timedelta(minutes=rounds[slot.round_id].lease_minutes) + AWAY
        longest += len(slots) * _APART
        if slot.leased_until and slot.leased_until > longest and slot.finished_at is None:
            slot = replace(slot, leased_until=longest)
            update_slot(cursor, slot)
        capped.append(slot)
    return capped


def _note_taking(cursor: Cursor, collection_id: str, slot: Slot, assessor_id: str) -> None:
    """Record that a slot is begun, or goes on from one assessor to another; renewals are not.

    No page waits for it, so it does not wake them as other changes do.
    """
    taken = {"assessor": assessor_id, "begun": True}
    before = {"assessor": slot.assessor_id, "begun": slot.leased_until is not None}
    if detail := describe_change(before, taken):
        subject = name_slot(slot.round_id, slot.topic_id, slot.batch)
        note_change(cursor, collection_id, TAKING, subject, detail, assessor_id)


def lapsed_assignments(store: Store, collection_id: str, now: datetime) -> list[Assignment]:
    """Return what was taken from the open queue and may now be given to somebody else."""
    cursor = store.cursor()
    rounds = {rules.round_id: rules for rules in list_rounds(store, collection_id)}
    activity = last_judged(cursor, collection_id)
    return [
        Assignment(rounds[slot.round_id], slot.topic_id, slot.batch, slot.slot, slot.assessor_id)
        for slot in read_slots(cursor, collection_id)
        if slot.assessor_id and has_lapsed(slot, rounds[slot.round_id], activity, now)
    ]


def has_lapsed(slot: Slot, rules: Round, activity: Activity, now: datetime) -> bool:
    """Tell whether an unfinished slot of the open queue may be given to somebody else."""
    if slot.assessor_id is None or slot.reserved or slot.finished_at or slot.leased_until is None:
        return False
    active = activity.get((slot.assessor_id, slot.topic_id))
    lease = timedelta(minutes=rules.lease_minutes)
    if active and active > now + lease:
        active = None  # judged under a clock that was set back since
    return max(slot.leased_until, (active + lease) if active else slot.leased_until) < now


def list_held(slots: list[Slot], assessor_id: str) -> list[Slot]:
    """Return what an assessor holds and has not finished, in the order in which it is judged.

    What is begun comes first, by the end of its lease; then what is reserved for them.
    """
    unfinished = [
        slot for slot in slots if slot.assessor_id == assessor_id and slot.finished_at is None
    ]
    return sorted(
        unfinished,
        key=lambda slot: (slot.leased_until is None, slot.leased_until or datetime.min),
    )


def find_barred(
    cursor: Cursor, slots: list[Slot], assessor_id: str, rounds: Mapping[str, Round]
) -> set[Batch]:
    """Return the batches of open rounds that an assessor may not take: nobody judges twice.

    They hold a slot of it, or one of another round that has a document of it. A round that fills
    up what lacks labels asks for others than those who have given some. Rounds of pairs compare
    different things each time, so only their own batches count.
    """
    mine = {batch_of(slot) for slot in slots if slot.assessor_id == assessor_id}
    barred = set(mine)
    if len(rounds) > 1 and mine:
        (collection_id,) = {rules.collection_id for rules in rounds.values()}
        overlaps = read_overlaps(cursor, collection_id)
        barred |= {other for one, other in overlaps if one in mine}
    for round_id in {slot.round_id for slot in slots}:
        if rounds[round_id].lacking is not None:
            barred |= read_judged_before(cursor, rounds[round_id], assessor_id)
    return barred


def _choose(
    slots: list[Slot],
    barred: Collection[Batch],
    rounds: Mapping[str, Round],
    activity: Activity,
    now: datetime,
) -> Slot | None:
    begun = Counter(batch_of(slot) for slot in slots if slot.assessor_id is not None)
    free = _list_free(slots, barred, rounds, activity, now)
    return min(free, key=lambda slot: -begun[batch_of(slot)], default=None)


def _list_free(
    slots: list[Slot],
    barred: Collection[Batch],
    rounds: Mapping[str, Round],
    activity: Activity,
    now: datetime,
) -> list[Slot]:
    """Return what somebody may take who is barred from some batches."""
    return [
        slot
        for slot in slots
        if batch_of(slot) not in barred
        and (slot.assessor_id is None or has_lapsed(slot, rounds[slot.round_id], activity, now))
    ]


def batch_of(slot: Slot) -> Batch:
    """Return which batch a slot is a place at."""
    return slot.round_id, slot.topic_id, slot.batch
