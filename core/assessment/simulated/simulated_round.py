"""Simulated assessors at work in a round: they hold places and get batches as people do.

Every judgement is appended to the log of labels and counts once it is acknowledged.
"""

import heapq
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

import numpy as np

from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.next_assignment import left_to_judge, next_assignment
from core.assessment.handing_out.queue import Assignment, finish_assignment
from core.assessment.rounds.rounds import seeded
from core.assessment.simulated.simulated_assessors import Intended, Simulated, judge
from core.store.events.labels import CurrentLabel, Key, LabelEvent
from core.store.rounds.rounds import Round, get_round, read_slots
from core.store.store import Store

_BREAK = 20 * 60
"""The median seconds between two batches of an assessor."""

_AT_ONCE = 50


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
        self._store, self.collection_id = store, rules.collection_id
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
            if desk.has_work(None):
                event = desk.judge_next(None)
                self._busy_for[place] += event.dwell_ms / 1000
                self._store.labels.append(self.collection_id, [event])
                desk.finish_batch(None)
                return True
        return False

    def judge_past(self, since: datetime, until: datetime) -> int:
        """Judge as if from one time to another, at the pace of each, with breaks between batches.

        Returns
        -------
        int
            How many judgements were acknowledged.
        """
        waiting: list[LabelEvent] = []
        turns = [(since + self._rest(), place) for place in range(len(self._desks))]
        heapq.heapify(turns)
        acknowledged = 0
        while turns and turns[0][0] < until:
            time, place = heapq.heappop(turns)
            desk = self._desks[place]
            if not desk.has_work(time):
                continue
            event = desk.judge_next(time)
            waiting.append(event)
            if desk.is_through or len(waiting) == _AT_ONCE:
                acknowledged += len(self._store.labels.append(self.collection_id, waiting))
                waiting = []
            rest = self._rest() if desk.finish_batch(time) else timedelta()
            heapq.heappush(turns, (time + timedelta(milliseconds=event.dwell_ms) + rest, place))
        return acknowledged + len(self._store.labels.append(self.collection_id, waiting))

    def _rest(self) -> timedelta:
        return timedelta(seconds=float(_BREAK * self._rng.lognormal(0, 0.3)))


class _Desk:
    """What one simulated assessor has at hand."""

    def __init__(self, store: Store, rules: Round, one: Simulated, intended: Intended) -> None:
        self._store, self._rules, self._one, self._intended = store, rules, one, intended
        self._held: Assignment | None = None
        self._left: list[Step] = []
        self._seen = -1

    @property
    def assessor_id(self) -> str:
        """Whose desk it is."""
        return self._one.assessor_id

    @property
    def is_through(self) -> bool:
        """Whether the batch at hand is judged to the end."""
        return not self._left

    def has_work(self, now: datetime | None) -> bool:
        """Tell whether there is something to judge; asks again once the collection has changed.

        A place may have gone to somebody else meanwhile, or the round been closed; not so in a
        past in which nobody else was there.
        """
        if self._left and (now or self._changes() == self._seen):
            return True
        self._held, self._left = None, []
        if self._holds_places():
            self._take(now)
        return bool(self._left)

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

    def finish_batch(self, now: datetime | None) -> bool:
        """Give a batch back that is judged to the end; returns whether it was."""
        if self._held is None or self._left:
            return False
        finish_assignment(self._store, self._held, now)
        self._held = None
        return True

    def _take(self, now: datetime | None) -> None:
        found = next_assignment(self._store, self._rules.collection_id, self.assessor_id, now)
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
