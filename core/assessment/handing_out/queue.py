"""Handing out: who judges which batch next, for how long, and what comes back."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil

from core.assessment.rounds.chosen_batches import choose_batch
from core.store.audit.change_diff import describe_change
from core.store.content.collections import get_collection
from core.store.file.database import Cursor
from core.store.people.members import is_member, list_assessors
from core.store.rounds.holders import (
    Batch,
    find_holding,
    last_judged_by,
    may_overlap,
    read_barred,
    read_begun,
)
from core.store.rounds.orders import OrderState, read_order_states
from core.store.rounds.places import Places, held_places
from core.store.rounds.rounds import (
    Round,
    Slot,
    finish_slot,
    list_rounds,
    name_slot,
    update_slot,
    update_slots,
)
from core.store.store import TAKING, Store, note_change, note_changes, utc_now

AWAY = timedelta(hours=1)
"""How much longer places are held for somebody whose device keeps the items: it may be offline."""

_APART = timedelta(milliseconds=1)
"""Between the leases of one person: they judge in the order in which these end."""

_MOST_AHEAD = 2
"""How many batches of a round with an order somebody has at once: what comes after them depends
on what they say."""


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
    there, what they had begun and lost comes first, then topics that others have begun, so that
    pairs of labels exist early. A lease lapses when neither it nor the assessor's last judgement
    in the topic is recent. Where nothing is free, a round with an order has the next batch chosen.
    """
    now = now or utc_now()
    with store.database.write() as cursor:
        if not may_judge(store, collection_id, assessor_id):
            return None
        rounds = {rules.round_id: rules for rules in list_rounds(store, collection_id)}
        taker = _Taker(store, cursor, collection_id, assessor_id, rounds, now)
        _cap_leases(taker)
        held = list_held(taker.places.list_held(assessor_id), assessor_id)
        slot = held[0] if held else _find_next(taker)
        if slot is None:
            return None
        rules = rounds[slot.round_id]
        if slot.assessor_id != assessor_id or slot.leased_until is None or slot.leased_until < now:
            _note_taking(cursor, collection_id, slot, assessor_id)
            begun = [one for one in held[1:] if one.leased_until is not None]
            _lease(taker, [slot, *begun])
    return Assignment(rules, slot.topic_id, slot.batch, slot.slot, assessor_id)


def hold_more(
    store: Store, collection_id: str, assessor_id: str, most: int, now: datetime | None = None
) -> list[Assignment]:
    """Return what the assessor is to judge now and after it, in that order, all of it leased anew.

    These are what they have begun, or were given ahead before, then up to ``most`` in all what is
    reserved for them, and then free ones, chosen as `take_assignment` does. By taking free ones
    ahead nobody gets more than their share: the places of the open rounds by those who judge in
    the collection. Of a round with an order it is one batch at most beyond the current one. Leases
    last `AWAY` longer than those of what is not fetched ahead. Empty where nothing is left.
    """
    now = now or utc_now()
    judges = set(list_assessors(store, collection_id))
    with store.database.write() as cursor:
        if not may_judge(store, collection_id, assessor_id):
            return []
        rounds = {rules.round_id: rules for rules in list_rounds(store, collection_id)}
        taker = _Taker(store, cursor, collection_id, assessor_id, rounds, now)
        _cap_leases(taker)
        theirs = list_held(taker.places.list_held(assessor_id), assessor_id)
        # All that has a lease is leased anew: what was left out would end first, and so come first.
        held = theirs[: max(most, sum(one.leased_until is not None for one in theirs))]
        tally = taker.places.count(assessor_id)
        to_come = sum(_list_to_come(rounds, read_order_states(cursor, collection_id)).values())
        share = (tally.places + to_come) // len(judges | {assessor_id, *tally.holders})
        taken = tally.taken
        while len(held) < most and taken < share:
            slot = _find_next(taker, _list_full(rounds, theirs))
            if slot is None:
                break
            _note_taking(cursor, collection_id, slot, assessor_id)
            (own,) = _lease(taker, [slot], AWAY)
            held.append(own)
            theirs.append(own)
            taken += 1
        for slot in held:
            if slot.leased_until is None and slot.reserved:
                _note_taking(cursor, collection_id, slot, assessor_id)
        _lease(taker, held, AWAY)
    return [
        Assignment(rounds[slot.round_id], slot.topic_id, slot.batch, slot.slot, assessor_id)
        for slot in held
    ]


@dataclass(frozen=True)
class _Taker:
    """Who takes places where, among which rounds, and when; within a transaction."""

    store: Store
    cursor: Cursor
    collection_id: str
    assessor_id: str
    rounds: Mapping[str, Round]
    now: datetime

    @property
    def places(self) -> Places:
        """The places as they are now."""
        return held_places(self.store).use(self.cursor, self.collection_id)

    def update(self, slot: Slot, holder: str | None) -> None:
        """Store what becomes of a place that is in somebody's hands, or in nobody's."""
        update_slot(self.cursor, slot, holder)
        held_places(self.store).put([slot])

    def read_barred(self) -> set[Batch]:
        """Return what they may not take besides the batches that they have a place at."""
        if not may_overlap(self.rounds):
            return set()
        return read_barred(self.cursor, self.rounds, self.collection_id, self.assessor_id)


def _find_next(taker: _Taker, full: frozenset[str] = frozenset()) -> Slot | None:
    """Return the place that somebody takes next, in a batch that is chosen for it if need be.

    ``full`` are the rounds of which they take nothing.
    """
    lapsed = _list_lapsed(taker.cursor, taker.collection_id, taker.places, taker.rounds, taker.now)

    begun = read_begun(taker.cursor, taker.collection_id, taker.assessor_id)

    def find_free() -> Slot | None:
        barred = taker.read_barred()
        return taker.places.find_free(taker.assessor_id, lapsed, full, barred, begun)

    if found := find_free():
        return found
    overlapping = may_overlap(taker.rounds)
    for rules in taker.rounds.values():
        if rules.order is None or rules.closed_at is not None or rules.round_id in full:
            continue
        # What waits for others, as this one has judged some of it elsewhere, does not grow.
        if overlapping and taker.places.has_others_batch(rules.round_id, taker.assessor_id):
            continue
        chosen = choose_batch(taker.store, taker.cursor, rules, taker.now)
        held_places(taker.store).put(chosen)
        found = find_free() if chosen and overlapping else next(iter(chosen), None)
        if found:
            return found
    return None


def _list_full(rounds: Mapping[str, Round], held: list[Slot]) -> frozenset[str]:
    """Return the rounds with an order of which somebody has as much as may be had ahead."""
    of_round = [slot.round_id for slot in held if rounds[slot.round_id].order is not None]
    return frozenset(one for one in of_round if of_round.count(one) >= _MOST_AHEAD)


def count_places_to_come(store: Store, collection_id: str) -> dict[str, int]:
    """Return about how many places open rounds will have besides those of now, by round.

    Only rounds with an order have more to come: those of batches that it has not chosen yet.
    """
    rounds = {rules.round_id: rules for rules in list_rounds(store, collection_id)}
    return _list_to_come(rounds, read_order_states(store.cursor(), collection_id))


def _list_to_come(rounds: Mapping[str, Round], states: Mapping[str, OrderState]) -> dict[str, int]:
    return {
        round_id: rounds[round_id].judges * _count_batches(rounds[round_id], state)
        for round_id, state in states.items()
        if rounds[round_id].closed_at is None
    }


def _count_batches(rules: Round, state: OrderState) -> int:
    """Return about how many batches the order of a round will still choose."""
    return ceil(state.left / (rules.batch_size or 1))


def _lease(taker: _Taker, slots: list[Slot], longer: timedelta = timedelta(0)) -> list[Slot]:
    """Hold slots for an assessor from now on, to be judged in this order; return what they are.

    None ends before those in front of it, whichever round they are of.
    """
    held: list[Slot] = []
    until = taker.now
    for slot in slots:
        own = timedelta(minutes=taker.rounds[slot.round_id].lease_minutes) + longer
        until = max(until + _APART, taker.now + own)
        held.append(replace(slot, assessor_id=taker.assessor_id, leased_until=until))
        taker.update(held[-1], slot.assessor_id)
    return held


def read_share(
    store: Store, collection_id: str, assessor_id: str, now: datetime | None = None
) -> Share:
    """Return what an assessor has done in the open rounds, and what there may be to do."""
    cursor = store.cursor()
    rounds = {rules.round_id: rules for rules in list_rounds(store, collection_id)}
    places = held_places(store).look_at(collection_id)
    finished = places.count(assessor_id).finished
    held = len(places.list_held(assessor_id))
    lapsed = _list_lapsed(cursor, collection_id, places, rounds, now or utc_now())
    barred = read_barred(cursor, rounds, collection_id, assessor_id) if may_overlap(rounds) else ()
    free = places.count_free(assessor_id, lapsed, barred)
    states = read_order_states(cursor, collection_id)
    to_come = sum(
        _count_batches(rounds[round_id], state)
        for round_id, state in states.items()
        if rounds[round_id].closed_at is None
    )
    return Share(finished, held, free + to_come)


def may_judge(store: Store, collection_id: str, assessor_id: str) -> bool:
    """Tell whether a collection is open to judgements, and somebody judges in it."""
    is_closed = get_collection(store, collection_id).closed_at is not None
    return not is_closed and is_member(store, collection_id, assessor_id)


def finish_assignment(store: Store, assignment: Assignment, now: datetime | None = None) -> None:
    """Note that an assessor has judged everything of a batch."""
    collection_id = assignment.rules.collection_id
    batch = (assignment.rules.round_id, assignment.topic_id, assignment.batch)
    with store.database.write() as cursor:
        # A server that lags behind another would not know yet who holds the batch.
        held = find_holding(cursor, batch, assignment.assessor_id)
    if held is not None and held.finished_at is None:
        finished = replace(held, finished_at=now or utc_now())
        with store.change(collection_id, *_tell_finishing(held)) as cursor:
            if finish_slot(cursor, finished):
                held_places(store).put([finished])


def record_past(store: Store, collection_id: str, past: Sequence[tuple[Slot, Slot]]) -> None:
    """Write down together which places were taken and finished while nobody else was there.

    Parameters
    ----------
    past : sequence of (Slot, Slot)
        Each place as it was, and as its assessor left it.
    """
    finished = [after for _, after in past if after.finished_at is not None]
    with ExitStack() as stack:
        if finished:
            change = store.change(collection_id, *_tell_finishing(finished[-1]))
            cursor = stack.enter_context(change)
        else:
            cursor = stack.enter_context(store.database.write())
        update_slots(cursor, past)
        taken = [_tell_taking(before, after.assessor_id or "") for before, after in past]
        entries = [*filter(None, taken), *map(_tell_finishing, finished[:-1])]
        note_changes(cursor, collection_id, entries)


def _tell_finishing(slot: Slot) -> tuple[str, str, str, str]:
    """Return what the record of changes says of a finished place: what, where, how, by whom."""
    detail = describe_change({"finished": False}, {"finished": True})
    return "finish", name_slot(*batch_of(slot)), detail, slot.assessor_id or ""


def _cap_leases(taker: _Taker) -> None:
    """Shorten leases given under a clock that was ahead: they would hold their place for ever.

    They end in the order in which they did before.
    """
    leases = [one.lease_minutes for one in taker.rounds.values() if one.closed_at is None]
    until = taker.now + AWAY + timedelta(minutes=max(leases, default=0))
    until += taker.places.count_leased() * _APART
    found = taker.places.list_leased_after(until)
    found.sort(key=lambda one: one.leased_until or until, reverse=True)
    for place, slot in enumerate(found):
        taker.update(replace(slot, leased_until=until - place * _APART), slot.assessor_id)


def _note_taking(cursor: Cursor, collection_id: str, slot: Slot, assessor_id: str) -> None:
    """Record that a slot is begun, or goes on from one assessor to another; renewals are not.

    No page waits for it, so it does not wake them as other changes do.
    """
    if taking := _tell_taking(slot, assessor_id):
        note_change(cursor, collection_id, *taking)


def _tell_taking(slot: Slot, assessor_id: str) -> tuple[str, str, str, str] | None:
    """Return what the record of changes says of a place that is begun; None where it goes on."""
    taken = {"assessor": assessor_id, "begun": True}
    before = {"assessor": slot.assessor_id, "begun": slot.leased_until is not None}
    detail = describe_change(before, taken)
    return (TAKING, name_slot(*batch_of(slot)), detail, assessor_id) if detail else None


def lapsed_assignments(store: Store, collection_id: str, now: datetime) -> list[Assignment]:
    """Return what was taken from the open queue and may now be given to somebody else."""
    cursor = store.cursor()
    rounds = {rules.round_id: rules for rules in list_rounds(store, collection_id)}
    places = held_places(store).look_at(collection_id)
    return [
        Assignment(rounds[slot.round_id], slot.topic_id, slot.batch, slot.slot, slot.assessor_id)
        for slot in _list_lapsed(cursor, collection_id, places, rounds, now)
        if slot.assessor_id
    ]


def _list_lapsed(
    cursor: Cursor,
    collection_id: str,
    places: Places,
    rounds: Mapping[str, Round],
    now: datetime,
) -> list[Slot]:
    """Return the unfinished places that may be given to somebody else."""
    ended = places.list_lapsing(now)
    activity = last_judged_by(cursor, collection_id, ended)
    return [slot for slot in ended if has_lapsed(slot, rounds[slot.round_id], activity, now)]


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


def batch_of(slot: Slot) -> Batch:
    """Return which batch a slot is a place at."""
    return slot.round_id, slot.topic_id, slot.batch
