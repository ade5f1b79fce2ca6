"""Two logs as one: what both have once, each in its own order, and by time between them."""

from bisect import bisect_right
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from core.errors import BadInput


class LoggedEvent(NamedTuple):
    """One entry of a log: what it is told by, and when it was written."""

    name: Hashable
    time: datetime


def interleave(first: Sequence[LoggedEvent], second: Sequence[LoggedEvent]) -> list[LoggedEvent]:
    """Return the entries of two logs, those of the same name once.

    Neither log's order changes. Where both go on with entries of their own, the one comes next
    that was written earlier; a time that is told of the past counts as that of the entry before.
    Which log is the first makes no difference.

    Raises
    ------
    BadInput
        Entries of both stand in different orders.
    """
    logs = [_advance(first), _advance(second)]
    shared = {one.name for one in first} & {one.name for one in second}
    joined: list[LoggedEvent] = []
    one, other = 0, 0
    while one < len(logs[0]) or other < len(logs[1]):
        heads = [
            log[at] if at < len(log) else None for log, at in zip(logs, (one, other), strict=True)
        ]
        if heads[0] and heads[1] and heads[0].name == heads[1].name:
            joined.append(min(heads[0], heads[1], key=_place))
            one, other = one + 1, other + 1
            continue
        own = [head for head in heads if head is not None and head.name not in shared]
        if not own:
            raise BadInput("what both stores have stands in different orders in them")
        chosen = min(own, key=_place)
        joined.append(chosen)
        if chosen is heads[0]:
            one += 1
        else:
            other += 1
    return _advance(joined)


def _place(entry: LoggedEvent) -> tuple[datetime, str]:
    return entry.time, str(entry.name)


def _advance(log: Sequence[LoggedEvent]) -> list[LoggedEvent]:
    """Return a log in which no time is before an earlier one."""
    latest, advanced = datetime.min, []
    for entry in log:
        latest = max(latest, entry.time)
        advanced.append(LoggedEvent(entry.name, latest))
    return advanced


@dataclass(frozen=True)
class MergedPositions:
    """Where a moment of one store lies among the events of both.

    Parameters
    ----------
    joined : sequence of LoggedEvent
        The events of both, in order; the first has the number 1.
    numbers : mapping
        The number of each by name.
    own : sequence
        The names of the store's own events, in its order: its own numbers are 1, 2, 3 …
    """

    joined: Sequence[LoggedEvent]
    numbers: Mapping[Hashable, int]
    own: Sequence[Hashable]

    def find(self, sequence: int, time: datetime | None = None) -> int:
        """Return the number of the last event before a moment.

        The store's own events up to ``sequence`` are before it and no others of its own; those of
        the other store, where they were written by ``time``.
        """
        at = min(sequence, len(self.own))
        least = self.numbers[self.own[at - 1]] if at else 0
        most = self.numbers[self.own[at]] - 1 if at < len(self.own) else len(self.joined)
        if time is None:
            return least
        by_then = bisect_right(self.joined, time, key=lambda entry: entry.time)
        return min(max(by_then, least), most)


class Event(NamedTuple):
    """What replaying takes of a label event: ``counts`` says whether it did where it was made."""

    event_id: str
    supersedes: str | None
    key: Hashable
    counts: bool


@dataclass(frozen=True)
class Replayed:
    """What became of the events: which are stale, and which count against the usual rule."""

    stale: frozenset[str]
    of_two_sites: frozenset[str]


def replay(events: Sequence[Event]) -> Replayed:
    """Replay the events of both stores in order.

    What counted where it was made goes on counting, though another label may have stood by then
    that it does not replace: nobody there could have known. So the latest is current.
    """
    standing: dict[Hashable, str] = {}
    stale, apart = set(), set()
    for event in events:
        now = standing.get(event.key)
        if now is None or event.supersedes == now:
            standing[event.key] = event.event_id
        elif event.counts:
            standing[event.key] = event.event_id
            apart.add(event.event_id)
        else:
            stale.add(event.event_id)
    return Replayed(frozenset(stale), frozenset(apart))
