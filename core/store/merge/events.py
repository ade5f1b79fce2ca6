"""Label events of two stores as one log, and what refers to places in it."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import pyarrow as pa

from core.errors import BadInput
from core.store.check.check_labels import KEY
from core.store.events.after_seeing import AFTER_SEEING
from core.store.file.database import Cursor, fetch
from core.store.merge.desk import FIRST, SECOND


class LoggedEvent(NamedTuple):
    """One entry of a log: what it is told by, and when it was written."""

    name: Hashable
    time: datetime


class Event(NamedTuple):
    """What replaying takes of a label event: ``counts`` says whether it did where it was made."""

    event_id: str
    supersedes: str | None
    key: Hashable
    counts: bool


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


_KEY = tuple(KEY.split(", "))
_READ = (
    f"SELECT event_id::VARCHAR AS event_id, supersedes::VARCHAR AS supersedes, time, stale, state, "
    f"level, {KEY} FROM {{store}}_labels ORDER BY sequence"
)


@dataclass(frozen=True)
class LastJudgement:
    """What somebody said of an item last, in one of the stores."""

    event_id: str
    time: datetime
    state: str
    level: int | None


@dataclass(frozen=True)
class Conflict:
    """Two current labels of one key, one of each site; the later one is current now."""

    key: tuple[Any, ...]
    first: LastJudgement
    second: LastJudgement
    current: str

    @property
    def is_same(self) -> bool:
        """Whether both say the same."""
        return (self.first.state, self.first.level) == (self.second.state, self.second.level)


@dataclass(frozen=True)
class Joined:
    """The label events of both: how many each had, how many both had, and the conflicts."""

    first: int
    second: int
    shared: int
    merged: int
    conflicts: tuple[Conflict, ...]


def write_events(desk: Cursor) -> Joined:
    """Write the label events of both in one order, and whatever refers to places in it."""
    logs = [fetch(desk, _READ.format(store=store)) for store in (FIRST, SECOND)]
    entries = [[LoggedEvent(row["event_id"], row["time"]) for row in log] for log in logs]
    order = interleave(*entries)
    numbers = {one.name: number for number, one in enumerate(order, start=1)}
    rows = _join_rows(logs)
    replayed = replay([_event(rows[str(one.name)]) for one in order])
    _write_labels(desk, [str(one.name) for one in order], replayed.stale)
    apart = sorted(replayed.of_two_sites)
    desk.execute(
        "INSERT INTO labels_of_two_sites SELECT event_id, collection_id FROM labels "
        "WHERE event_id IN (SELECT unnest($1::VARCHAR[])::UUID) ORDER BY event_id",
        [apart],
    )
    moments = {
        store: MergedPositions(order, numbers, [one.name for one in log])
        for store, log in zip((FIRST, SECOND), entries, strict=True)
    }
    _write_seen(desk, moments)
    _write_guidelines(desk, moments)
    _write_kinds(desk, moments)
    shared = len(entries[0]) + len(entries[1]) - len(order)
    last = {
        _key(rows[str(one.name)]): str(one.name)
        for one in order
        if str(one.name) not in replayed.stale
    }
    conflicts = tuple(_find_conflicts(logs, last))
    return Joined(len(entries[0]), len(entries[1]), shared, len(order), conflicts)


def _join_rows(logs: Sequence[Sequence[Mapping[str, Any]]]) -> dict[str, Mapping[str, Any]]:
    """Return each event once; one that counts in a store counts."""
    rows: dict[str, Mapping[str, Any]] = {}
    for row in [*logs[0], *logs[1]]:
        known = rows.get(row["event_id"])
        if known is None or known["stale"]:
            rows[row["event_id"]] = row
    return rows


def _key(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(row[column] for column in _KEY)


def _event(row: Mapping[str, Any]) -> Event:
    return Event(row["event_id"], row["supersedes"], _key(row), not row["stale"])


def _write_labels(desk: Cursor, order: list[str], stale: frozenset[str]) -> None:
    if not order:
        return
    numbers = list(range(1, len(order) + 1))
    placed = pa.table({"id": order, "number": numbers, "late": [one in stale for one in order]})
    desk.register("placed", placed)
    desk.execute(
        f"""INSERT INTO labels SELECT told.* REPLACE (number AS sequence, late AS stale)
            FROM (FROM {FIRST}_labels UNION ALL
                FROM {SECOND}_labels ANTI JOIN {FIRST}_labels AS known USING (event_id)) AS told
            JOIN placed ON placed.id = told.event_id::VARCHAR ORDER BY number"""
    )
    desk.unregister("placed")


def _find_conflicts(
    logs: Sequence[Sequence[Mapping[str, Any]]], last: Mapping[Any, str]
) -> list[Conflict]:
    known = [{row["event_id"] for row in log} for log in logs]
    current = [{_key(row): row for row in log if not row["stale"]} for log in logs]
    found = []
    for key, one in current[0].items():
        other = current[1].get(key)
        if other and one["event_id"] not in known[1] and other["event_id"] not in known[0]:
            found.append(Conflict(key, _said(one), _said(other), last[key]))
    return sorted(found, key=lambda one: str(one.key))


def _said(row: Mapping[str, Any]) -> LastJudgement:
    return LastJudgement(row["event_id"], row["time"], row["state"], row["level"])


def _write_seen(desk: Cursor, moments: Mapping[str, MergedPositions]) -> None:
    """Write who saw what of others, from the first time on, and mark what they said later."""
    first: dict[tuple[str, str, str], tuple[int, datetime]] = {}
    for store, moment in moments.items():
        for row in fetch(desk, f"FROM {store}_topics_seen"):
            place = (row["collection_id"], row["assessor_id"], row["topic_id"])
            seen = moment.find(row["after_sequence"], row["seen_at"]), row["seen_at"]
            first[place] = min(first.get(place, seen), seen)
    for place, seen in first.items():
        desk.execute("INSERT INTO topics_seen VALUES (?, ?, ?, ?, ?)", [*place, *seen])
    desk.execute(
        f"""INSERT INTO labels_after_seeing SELECT event_id, collection_id FROM labels
            SEMI JOIN {AFTER_SEEING} AS seen USING (event_id)
            WHERE source <> 'imported' ORDER BY sequence"""
    )


_VERSION = ("collection_id", "text", "note", "written_by", "written_at")


def _write_guidelines(desk: Cursor, moments: Mapping[str, MergedPositions]) -> None:
    """Write the versions of guidelines of both, in the order in which they came to hold."""
    versions: dict[tuple[Any, ...], int] = {}
    for store, moment in moments.items():
        for row in fetch(desk, f"FROM {store}_guidelines_versions ORDER BY number"):
            version = tuple(row[column] for column in _VERSION)
            after = moment.find(row["after_sequence"], row["written_at"])
            versions[version] = min(versions.get(version, after), after)
    numbers: Counter[str] = Counter()
    for version in sorted(versions, key=lambda one: (versions[one], one[4], one[1])):
        collection_id, text, *others = version
        numbers[collection_id] += 1
        desk.execute(
            "INSERT INTO guidelines_versions VALUES (?, ?, ?, ?, ?, ?, ?)",
            [collection_id, numbers[collection_id], text, *others, versions[version]],
        )
        desk.execute(
            "UPDATE collections SET guidelines = ? WHERE collection_id = ?", [text, collection_id]
        )


def _write_kinds(desk: Cursor, moments: Mapping[str, MergedPositions]) -> None:
    """Have it said in the merged order from when on an assessor is of a kind."""
    for store in (SECOND, FIRST):
        for row in fetch(desk, f"FROM {store}_members WHERE kind_since > 0"):
            desk.execute(
                "UPDATE members SET kind_since = ? WHERE collection_id = ? AND assessor_id = ?",
                [moments[store].find(row["kind_since"]), row["collection_id"], row["assessor_id"]],
            )


def write_changes(desk: Cursor) -> None:
    """Write the record of changes of both; what both have is one entry."""
    logs = []
    for store in (FIRST, SECOND):
        seen: Counter[tuple[Any, ...]] = Counter()
        log = []
        for row in desk.execute(f"FROM {store}_changes").fetchall():
            seen[row] += 1
            log.append(LoggedEvent((row, seen[row]), row[0]))
        logs.append(log)
    entries = [list(entry.name[0]) for entry in interleave(*logs)]  # type: ignore[index]
    if entries:
        desk.executemany("INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?)", entries)


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
