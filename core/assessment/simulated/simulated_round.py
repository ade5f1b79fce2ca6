"""Simulated assessors at work in a round: they hold places and get batches as people do.

Every judgement is appended to the log of labels and counts once it is acknowledged.
"""

import heapq
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np

from core.assessment.handing_out.assignment_content import AssignmentContent, Step
from core.assessment.handing_out.next_assignment import left_to_judge, next_assignment
from core.assessment.handing_out.queue import (
    Assignment,
    finish_assignment,
    list_held,
    may_judge,
    record_past,
)
from core.assessment.handing_out.steps import RoundSteps
from core.assessment.rounds.rounds import seeded
from core.assessment.simulated.simulated_assessors import Intended, Simulated, judge
from core.store.events.labels import CurrentLabel, Key, LabelEvent
from core.store.rounds.places import held_places
from core.store.rounds.rounds import Round, Slot, get_round, read_slots
from core.store.store import Store

_BREAK = 20 * 60
"""The median seconds between two batches of an assessor."""


class SimulatedRound:
    """The simulated assessors of one round.

    Parameters
    ----------
    store : Store
        Where the round is.
    round_id : str
        The round in which they hold places.
    assessors : sequence of Simulated
        Members of the collection.
    intended : Intended
        What their levels follow; it has to know all that they judge.
    """

    def __init__(
        self, store: Store, round_id: str, assessors: Sequence[Simulated], intended: Intended
    ) -> None:
        rules = get_round(store, round_id)
        self._store, self._rules, self.collection_id = store, rules, rules.collection_id
        self._desks = [_Desk(store, rules, one, intended) for one in assessors]
        self._busy_for = [0.0] * len(self._desks)
        self._rng = seeded(rules, "breaks")

    def count_given(self) -> int:
        """Return how many items the simulated assessors have judged."""
        return sum(
            len(self._store.labels.current(self.collection_id, desk.assessor_id))
            for desk in self._desks
        )

    def judge_next(self) -> bool:
        """Let the one who has worked least judge one item; False where nothing is left for any."""
        for place in np.argsort(self._busy_for, kind="stable"):
            desk = self._desks[place]
            if desk.has_work():
                event = desk.judge_next(None)
                self._busy_for[place] += event.dwell_ms / 1000
                self._store.labels.append(self.collection_id, [event])
                desk.finish_batch()
                return True
        return False

    def judge_past(self, since: datetime, until: datetime) -> int:
        """Judge as if from one time to another, at the pace of each, with breaks between batches.

        Nobody else was there then: what is reserved for each is taken in the order in which it is
        handed out, and all of it is written at the end.

        Returns
        -------
        int
            How many judgements were acknowledged.
        """
        events: list[LabelEvent] = []
        steps = RoundSteps(self._store.cursor(), self._rules)
        for desk in self._desks:
            desk.begin_past()
        turns = [(since + self._rest(), place) for place in range(len(self._desks))]
        heapq.heapify(turns)
        while turns and turns[0][0] < until:
            time, place = heapq.heappop(turns)
            desk = self._desks[place]
            if not desk.has_past_work(time, steps):
                continue
            events.append(desk.judge_next(time))
            rest = self._rest() if desk.finish_past(time) else timedelta()
            took = timedelta(milliseconds=events[-1].dwell_ms)
            heapq.heappush(turns, (time + took + rest, place))
        acknowledged = len(self._store.labels.append(self.collection_id, events))
        record_past(self._store, self.collection_id, [one for d in self._desks for one in d.past])
        return acknowledged

    def _rest(self) -> timedelta:
        return timedelta(seconds=float(_BREAK * self._rng.lognormal(0, 0.3)))


class _Desk:
    """What one simulated assessor has at hand."""

    def __init__(self, store: Store, rules: Round, one: Simulated, intended: Intended) -> None:
        self._store, self._rules, self._one, self._intended = store, rules, one, intended
        self._held: Assignment | None = None
        self._left: list[Step] = []
        self._seen = -1
        self._places: list[Slot] = []
        self.past: list[tuple[Slot, Slot]] = []

    @property
    def assessor_id(self) -> str:
        """Whose desk it is."""
        return self._one.assessor_id

    @property
    def is_through(self) -> bool:
        """Whether the batch at hand is judged to the end."""
        return not self._left

    def has_work(self) -> bool:
        """Tell whether there is something to judge; asks again once the collection has changed.

        A place may have gone to somebody else meanwhile, or the round been closed.
        """
        if self._left and self._changes() == self._seen:
            return True
        self._held, self._left = None, []
        if self._holds_places():
            self._take()
        return bool(self._left)

    def begin_past(self) -> None:
        """Note which places are theirs, in the order in which these are judged."""
        self._held, self._left, self._places, self.past = None, [], [], []
        collection_id, who = self._rules.collection_id, self.assessor_id
        if may_judge(self._store, collection_id, who):
            held = list_held(held_places(self._store).look_at(collection_id).list_held(who), who)
            self._places = [one for one in held if one.round_id == self._rules.round_id]

    def has_past_work(self, time: datetime, steps: RoundSteps) -> bool:
        """Tell whether there was something to judge at a time of the past; takes the next batch."""
        while not self._left and self._places:
            place, rules = self._places.pop(0), self._rules
            taken = Assignment(rules, place.topic_id, place.batch, place.slot, self.assessor_id)
            content = AssignmentContent(tuple(steps.list_steps(taken)), (), {})
            self._left = left_to_judge(content, self._current(), self.assessor_id)
            until = time + timedelta(minutes=rules.lease_minutes)
            finished = None if self._left else time
            self.past.append((place, replace(place, leased_until=until, finished_at=finished)))
        return bool(self._left)

    def finish_past(self, time: datetime) -> bool:
        """Note that a batch was judged to the end at a time of the past; returns whether it was."""
        if self._left:
            return False
        before, after = self.past[-1]
        self.past[-1] = before, replace(after, finished_at=time)
        return True

    def judge_next(self, now: datetime | None) -> LabelEvent:
        """Return the next judgement, made at a time; None: when it arrives."""
        step = self._left.pop(0)
        given = judge(self._one, step, self._intended, self._rules)
        key = step.key(self.assessor_id)
        before = self._current()
        return LabelEvent(
            str(uuid.uuid4()),
            before[key].event_id if key in before else None,
            key,
            "cannot judge" if given.level is None else "level",
            given.level,
            int(1000 * given.seconds),
            time=now,
        )

    def finish_batch(self) -> None:
        """Give a batch back that is judged to the end."""
        if self._held is not None and not self._left:
            finish_assignment(self._store, self._held)
            self._held = None

    def _take(self) -> None:
        found = next_assignment(self._store, self._rules.collection_id, self.assessor_id)
        if found is None or found[0].rules.round_id != self._rules.round_id:
            return
        self._held, content = found
        self._left = left_to_judge(content, self._current(), self.assessor_id)
        self._seen = self._changes()

    def _current(self) -> dict[Key, CurrentLabel]:
        return self._store.labels.current(self._rules.collection_id, self.assessor_id)

    def _changes(self) -> int:
        return self._store.state(self._rules.collection_id)[1]

    def _holds_places(self) -> bool:
        """Tell whether there are places of theirs left: those for visitors are not for them."""
        return any(
            slot.round_id == self._rules.round_id
            and slot.assessor_id == self.assessor_id
            and slot.finished_at is None
            for slot in read_slots(self._store.cursor(), self._rules.collection_id)
        )
