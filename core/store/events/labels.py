"""Label events: appended, never changed, safe on disk before they are acknowledged."""

import threading
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from core.errors import BadInput
from core.language.translate import t
from core.store.backing import Change, StoreDatabase
from core.store.events.answered import Paradata
from core.store.events.contributors import ATTACHMENTS, Contributor, gather
from core.store.events.marked import Marked
from core.store.file.database import Rows
from core.store.machines.machine_answer import MachineAnswer

PRACTICE = -1
"""The occasion of practice items; no analysis counts it, nor what is below: later attempts."""

ANSWERS = ("level", "cannot judge")
"""The states of a label that answer what was asked."""

AspectLevels = tuple[tuple[str, int | None], ...]
"""Levels by the name of their aspect; None where an assessor left it out."""

_REMEMBERED_ASSESSORS = 512
_TAKEN = "this event id belongs to another label"


class Key(NamedTuple):
    """What a label is about and whose it is; revisions share a key, repeats do not."""

    topic_id: str
    document_id: str
    facet: str
    engine: str
    assessor_id: str
    occasion: int


@dataclass(frozen=True)
class LabelEvent:
    """One judgement as its assessor made it.

    ``event_id`` is made by whoever made the judgement, so sending it twice does no harm.
    ``supersedes`` names the event that it replaces; None for the first of its key. ``time`` (UTC)
    is when it was made, where that is not when it arrives: only in a simulated past. ``aspects``
    are the levels of what else was judged with it, by name; None where one was left out.
    ``reasons`` say why, of a preference between two things.
    ``marked`` are the passages that decided, if any were marked. ``answer`` is what a machine said
    of which the label was read. ``paradata`` say how it came about.
    """

    event_id: str
    supersedes: str | None
    key: Key
    state: str
    level: int | None
    dwell_ms: int = 0
    comment: str = ""
    client_time: str = ""
    source: str = "judged"
    time: datetime | None = None
    aspects: AspectLevels = ()
    reasons: tuple[str, ...] = ()
    marked: Marked | None = None
    answer: MachineAnswer | None = None
    paradata: Paradata | None = None


@dataclass(frozen=True, slots=True)
class CurrentLabel:
    """The current label of a key, with the levels of its aspects."""

    event_id: str
    state: str
    level: int | None
    comment: str
    aspects: AspectLevels = ()


@dataclass(frozen=True)
class Receipt:
    """What became of an event that is now on disk.

    ``stale``: it does not supersede the label that stood when it arrived, so it is kept as
    history only; ``current`` is the label that holds.
    """

    event_id: str
    sequence: int
    stale: bool
    current: CurrentLabel


@dataclass
class _Waiting:
    collection_id: str
    events: list[LabelEvent]
    receipts: list[Receipt] | None = None
    error: BaseException | None = None
    done: threading.Event = field(default_factory=threading.Event)


_COLUMNS = (
    "sequence", "event_id", "supersedes", "collection_id", "time", "client_time", "topic_id",
    "document_id", "facet", "engine", "assessor_id", "occasion", "state", "level", "dwell_ms",
    "comment", "source", "stale",
)  # fmt: skip
_STANDING_WITH = tuple(one for one in ATTACHMENTS if one.name in CurrentLabel.__annotations__)
"""Those that a current label has, too: as the rows they are stored as, sorted."""

_STANDING = """
    SELECT topic_id, document_id, facet, engine, assessor_id, occasion, label.event_id::VARCHAR,
        label.state, label.level, label.comment
    FROM current_labels WHERE collection_id = ? AND assessor_id = ?"""


class LabelLog:
    """The append-only log of label events; one writer at a time, many may wait together.

    Threads that arrive while another writes are written with the next group, in one
    transaction and one flush to disk.

    Parameters
    ----------
    database : StoreDatabase
        Where the events are kept.
    note : callable
        Told the latest sequence when it is on disk, before anything of it is acknowledged.
    contributors : Contributor
        Who adds rows to events beside what is attached to them.
    """

    def __init__(
        self, database: StoreDatabase, note: Callable[[int], None], *contributors: Contributor
    ) -> None:
        self._database, self._note = database, note
        self._contributors = (*ATTACHMENTS, *contributors)
        self._lock = threading.RLock()
        self._queue_lock = threading.Lock()
        self._queue: list[_Waiting] = []
        self._is_led = False
        self._standing: OrderedDict[tuple[str, str], dict[Key, CurrentLabel]] = OrderedDict()
        self._sequences: defaultdict[str, int] = defaultdict(int)
        self._last = 0
        self._heard: deque[Sequence[Change] | None] = deque()
        database.listen(self._hear)
        self._remember()
        self._recall()

    def sequence(self, collection_id: str) -> int:
        """Return the sequence of the collection's latest event; 0 when it has none."""
        return self._sequences[collection_id]

    def append(self, collection_id: str, events: list[LabelEvent]) -> list[Receipt]:
        """Write events to disk and return their receipts, in the order given.

        When this returns, the events survive the death of the process. An event that is
        already stored is not stored again; its receipt is that of the first time.
        """
        waiting = _Waiting(collection_id, events)
        with self._queue_lock:
            self._queue.append(waiting)
            leads, self._is_led = not self._is_led, True
        if leads or self._await(waiting):
            self._lead()
        if waiting.error is not None:
            raise waiting.error
        return waiting.receipts or []

    def _await(self, waiting: _Waiting) -> bool:
        """Wait until a member of another group is written; tells whether it is to lead its own.

        All members are woken at once: one that had to wake the next would wait for its turn first.
        """
        waiting.done.wait()
        return waiting.receipts is None and waiting.error is None

    def _lead(self) -> None:
        """Write everything that waits as one group, and let the next who came since lead on."""
        group: list[_Waiting] = []
        try:
            with self._lock:
                with self._queue_lock:
                    group, self._queue = self._queue, []
                self._write(group)
        finally:
            with self._queue_lock:
                following = self._queue[0] if self._queue else None
                self._is_led = following is not None
            for waiting in filter(None, (*group, following)):
                waiting.done.set()

    def current(self, collection_id: str, assessor_id: str) -> dict[Key, CurrentLabel]:
        """Return the current labels of one assessor."""
        with self._lock:
            self._take_notice()
            return dict(self._labels_of(collection_id, assessor_id))

    @contextmanager
    def bulk(self, collection_id: str) -> Iterator[int]:
        """Hold the log while an import numbers and commits events of its own.

        Yields the last sequence in use; at the end the log takes notice of what was added.
        """
        with self._lock, self._database.sole():
            self._take_notice()
            yield self._last
            for known in [key for key in self._standing if key[0] == collection_id]:
                del self._standing[known]
            ((self._last,),) = self._database.run("SELECT coalesce(max(sequence), 0) FROM labels")
            self._sequences[collection_id] = self._last
            self._note(self._last)

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Let no event in while comments are erased, and remember none of them afterwards."""
        with self._lock, self._database.sole():
            yield
            self._standing.clear()
            self._remember()

    @contextmanager
    def seal(self) -> Iterator[int]:
        """Let no event in while it is written down that somebody sees what others said.

        Yields the last sequence in use: what that person says in that topic later is marked.
        """
        with self._lock, self._database.sole():
            self._take_notice()
            yield self._last

    @contextmanager
    def hold(self) -> Iterator[None]:
        """Let no other thread's event in; what stands can be asked for meanwhile."""
        with self._lock:
            yield

    def _remember(self) -> None:
        for one in self._contributors:
            one.recall()

    def _write(self, group: list[_Waiting]) -> None:
        """Write a group in one transaction; if that fails, each member on its own."""
        try:
            self._commit(group)
        except Exception:
            self._standing.clear()
            self._write_one_by_one(group)

    def _write_one_by_one(self, group: list[_Waiting]) -> None:
        """Some events may be stored already, or unfit: look each member up and write it alone."""
        for waiting in group:
            try:
                self._commit([waiting], careful=True)
            except Exception as error:
                self._standing.clear()
                waiting.error = error

    def _recall(self) -> None:
        """Read the last sequence in use, and that of each collection."""
        rows = self._database.run("SELECT collection_id, max(sequence) FROM labels GROUP BY ALL")
        self._sequences.update(rows)
        self._last = max(self._sequences.values(), default=0)

    def _commit(self, group: list[_Waiting], *, careful: bool = False) -> None:
        """Write a group; ``careful`` where some of it may be stored already."""
        _check_identity(group)
        with self._database.append() as new:
            self._take_notice()
            known: dict[str, Receipt] = {}
            if careful:
                self._recall()  # what failed last may yet be written, and have taken its number
                self._remember()
                known = {name: one for waiting in group for name, one in self._already(waiting)}
            sequence, made = self._arrange(group, known, new)
        if new:
            self._note(sequence)
        self._last = sequence
        for waiting, receipts in zip(group, made, strict=True):
            waiting.receipts = receipts
            for receipt in receipts:
                self._advance(waiting.collection_id, receipt.sequence)

    def _arrange(
        self, group: list[_Waiting], known: dict[str, Receipt], new: list[Rows]
    ) -> tuple[int, list[list[Receipt]]]:
        """Number what is not known yet, and add its rows to what is new.

        Returns
        -------
        sequence : int
            The last in use then.
        receipts : list of list of Receipt
            Those of each member of the group.
        """
        sequence, rows, made = self._last, [], []
        added: list[tuple[Contributor, list[tuple[Any, ...]]]]
        added = [(one, []) for one in self._contributors]
        for waiting in group:
            receipts = []
            for event in waiting.events:
                if event.event_id not in known:
                    sequence += 1
                    known[event.event_id] = self._place(waiting.collection_id, event, sequence)
                    rows.append(_row(waiting.collection_id, event, known[event.event_id]))
                    ids = event.event_id, waiting.collection_id
                    for one, brought in added:
                        brought += [(*ids, *row) for row in one.rows_of(ids[1], event)]
                receipts.append(known[event.event_id])
            made.append(receipts)
        if rows:
            new.append(Rows("labels", _COLUMNS, rows))
        new += [gather(one, brought) for one, brought in added if brought]
        return sequence, made

    def _advance(self, collection_id: str, sequence: int) -> None:
        with self._queue_lock:
            self._sequences[collection_id] = max(self._sequences[collection_id], sequence)

    def _hear(self, changes: Sequence[Change] | None) -> None:
        """Take down what other servers have changed; events can be read from now on."""
        for one in changes or ():
            if one.rows.table == "labels" and one.kind == "insert":
                latest = dict(sorted(one.rows.pick("collection_id", "sequence")))
                for collection_id, sequence in latest.items():
                    self._advance(collection_id, sequence)
        self._heard.append(changes)
        if changes is None:
            self._recall()

    def _take_notice(self) -> None:
        """Forget what other servers have changed since; only who holds the lock does."""
        while self._heard:
            changes = self._heard.popleft()
            if changes is None:
                self._standing.clear()
                self._remember()
            for one in changes or ():
                table = one.rows.table
                if table == "labels" and one.kind == "insert":
                    self._last = max(self._last, *(row[0] for row in one.rows.pick("sequence")))
                    for place in set(one.rows.pick("collection_id", "assessor_id")):
                        self._standing.pop(place, None)
                elif table in ("labels", *(kept.table for kept in _STANDING_WITH)):
                    self._standing.clear()
                for contributor in self._contributors:
                    contributor.hear(one)

    def _place(self, collection_id: str, event: LabelEvent, sequence: int) -> Receipt:
        """Decide whether an event becomes the current label of its key."""
        current = self._labels_of(collection_id, event.key.assessor_id)
        before = current.get(event.key)
        stale = event.supersedes != (before.event_id if before else None)
        if stale and before is not None:
            return Receipt(event.event_id, sequence, True, before)
        brought: dict[str, Any] = {
            one.name: tuple(sorted(one.rows_of(collection_id, event))) for one in _STANDING_WITH
        }
        now = CurrentLabel(event.event_id, event.state, event.level, event.comment, **brought)
        current[event.key] = now
        return Receipt(event.event_id, sequence, False, now)

    def _labels_of(self, collection_id: str, assessor_id: str) -> dict[Key, CurrentLabel]:
        place = (collection_id, assessor_id)
        if place not in self._standing:
            rows = self._database.run(_STANDING, [collection_id, assessor_id])
            brought = {one.name: one.read_back(self._database, *place) for one in _STANDING_WITH}
            self._standing[place] = labels = {}
            for *key, event_id, state, level, comment in rows:
                kept: dict[str, Any] = {name: of.get(event_id, ()) for name, of in brought.items()}
                labels[Key(*key)] = CurrentLabel(event_id, state, level, comment, **kept)
            if len(self._standing) > _REMEMBERED_ASSESSORS:
                self._standing.popitem(last=False)
        self._standing.move_to_end(place)
        return self._standing[place]

    def _already(self, waiting: _Waiting) -> Iterator[tuple[str, Receipt]]:
        """Yield the ids and receipts of those events that an earlier send has stored."""
        marks = ", ".join("?" * len(waiting.events))
        rows = self._database.run(
            "SELECT event_id::VARCHAR, sequence, stale, collection_id, topic_id, document_id, "
            f"facet, engine, assessor_id, occasion FROM labels WHERE event_id IN ({marks})",
            [event.event_id for event in waiting.events],
        )
        keys = {event.event_id: event.key for event in waiting.events}
        for event_id, sequence, stale, collection_id, *key in rows:
            if (collection_id, Key(*key)) != (waiting.collection_id, keys[event_id]):
                raise BadInput(t(_TAKEN), field="event_id")
            current = self._labels_of(collection_id, keys[event_id].assessor_id)
            yield event_id, Receipt(event_id, sequence, stale, current[keys[event_id]])


def _check_identity(group: list[_Waiting]) -> None:
    """Raise BadInput when one event id stands for two labels: only one would be stored."""
    places: dict[str, tuple[str, Key]] = {}
    for waiting in group:
        for event in waiting.events:
            place = waiting.collection_id, event.key
            if places.setdefault(event.event_id, place) != place:
                raise BadInput(t(_TAKEN), field="event_id")


def _row(collection_id: str, event: LabelEvent, receipt: Receipt) -> tuple[Any, ...]:
    time = event.time or datetime.now(UTC).replace(tzinfo=None)
    sent = (event.event_id, event.supersedes, collection_id, time, event.client_time)
    given = (event.state, event.level, event.dwell_ms, event.comment, event.source)
    return (receipt.sequence, *sent, *event.key, *given, receipt.stale)
