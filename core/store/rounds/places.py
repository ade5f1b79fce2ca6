"""The places of open rounds, held in memory: who has which, and which one is handed out next.

A round may have a million places, and to go through their table takes the longer the more there
are. So a process that hands out keeps them as arrays, reads them once, and puts in what it and
other servers change.
"""

import threading
from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from core.store.backing import Change, StoreDatabase
from core.store.file.database import Cursor
from core.store.rounds.holders import Batch
from core.store.rounds.rounds import Slot
from core.store.store import Store

_OPEN_ROUNDS = "SELECT round_id FROM rounds WHERE collection_id = ? AND closed_at IS NULL"
_OPEN_PLACES = """
    SELECT slots.* FROM slots
    JOIN (FROM rounds WHERE collection_id = $1 AND closed_at IS NULL) AS still_open USING (round_id)
    LEFT JOIN (FROM topics WHERE collection_id = $1) AS known ON known.topic_id = slots.topic_id
    ORDER BY still_open.created_at, round_id, known.position, slots.topic_id, batch, slot"""

_READ_FROM = frozenset({"slots", "rounds", "topics"})
"""The tables that say which places open rounds have, and in which order."""

_FIRST = 1 << 15
"""Added to the rank of what comes before all else; no batch has been begun so often."""

_NOBODY = -1
_NEVER = np.datetime64("NaT", "us")

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class PlaceCounts:
    """Of the places of open rounds: how many there are, who holds some, what one person has."""

    places: int
    holders: frozenset[str]
    taken: int
    finished: int


class Places:
    """The places of the open rounds of a collection, by round, topic, batch and place.

    Parameters
    ----------
    rounds : collection of str
        The ids of these rounds.
    rows : pyarrow.Table
        The fields of ``Slot``, in that order.
    """

    def __init__(self, rounds: Collection[str], rows: pa.Table) -> None:
        self._open, self._lock = frozenset(rounds), threading.RLock()
        round_ids, topics, people = (
            rows[name].combine_chunks().dictionary_encode()
            for name in ("round_id", "topic_id", "assessor_id")
        )
        number = rows["batch"].to_numpy().astype(np.int64)
        of_round, of_topic = (one.indices.to_numpy() for one in (round_ids, topics))
        begins_topic = _find_starts(of_round, of_topic)
        begins_batch = begins_topic | _find_starts(number)
        self._topics: list[tuple[str, str]] = [
            (round_ids.dictionary[of_round[row]].as_py(), topics.dictionary[of_topic[row]].as_py())
            for row in np.flatnonzero(begins_topic).tolist()
        ]
        self._topic = {name: place for place, name in enumerate(self._topics)}
        # Of each batch: its topic, its number, and how many have begun it.
        self._topic_of = (np.cumsum(begins_topic) - 1)[begins_batch]
        self._number = number[begins_batch]
        # Of each place: its batch, and what a slot has.
        self._batch_of = np.cumsum(begins_batch) - 1
        self._slot = rows["slot"].to_numpy().astype(np.int64)
        self._reserved = rows["reserved"].to_numpy().astype(np.bool_)
        self._leased = rows["leased_until"].to_numpy().astype("datetime64[us]")
        self._finished = rows["finished_at"].to_numpy().astype("datetime64[us]")
        self._people: list[str] = people.dictionary.to_pylist()
        self._person = {name: place for place, name in enumerate(self._people)}
        self._holder = people.indices.fill_null(_NOBODY).to_numpy().astype(np.int64)
        is_held = self._holder != _NOBODY
        self._taken: list[int] = np.bincount(
            self._holder[is_held], minlength=len(self._people)
        ).tolist()
        self._is_leased = ~np.isnat(self._leased) & np.isnat(self._finished)
        # How many have begun a batch, and one more; 0 where no place is free: the next is that
        # of the first batch whose rank is the highest.
        free, begun = (
            np.bincount(self._batch_of[which], minlength=len(self._number))
            for which in (~is_held & np.isnat(self._finished), is_held)
        )
        self._rank = np.where(free > 0, begun + 1, 0).astype(np.uint16)

    def put(self, slot: Slot) -> bool:
        """Take over what a place is now, if it is one of these, or a new one.

        False where it is the first of its topic: then they are to be read again.
        """
        with self._lock:
            topic = self._topic.get((slot.round_id, slot.topic_id))
            if topic is None:
                return slot.round_id not in self._open
            batch = self._find_batch(topic, slot.batch)
            place = self._find_place(batch, slot.slot)
            holder = self._name(slot.assessor_id)
            for before, change in ((int(self._holder[place]), -1), (holder, 1)):
                if before != _NOBODY:
                    self._taken[before] += change
            self._holder[place], self._reserved[place] = holder, slot.reserved
            self._leased[place] = slot.leased_until or _NEVER
            self._finished[place] = slot.finished_at or _NEVER
            self._is_leased[place] = slot.leased_until is not None and slot.finished_at is None
            self._rank[batch] = self._rank_batch(batch)
            return True

    def list_held(self, assessor_id: str) -> list[Slot]:
        """Return what somebody holds and has not finished."""
        with self._lock:
            return self._list(
                row for row in self._find_held(assessor_id) if np.isnat(self._finished[row])
            )

    def list_lapsing(self, now: datetime) -> list[Slot]:
        """Return the unfinished places of the open queue whose lease has ended."""
        with self._lock:
            rows = np.flatnonzero(self._is_leased)
            is_over = (self._leased[rows] < np.datetime64(now, "us")) & ~self._reserved[rows]
            return self._list(rows[is_over])

    def list_leased_after(self, moment: datetime) -> list[Slot]:
        """Return the unfinished places whose lease ends after a moment."""
        with self._lock:
            rows = np.flatnonzero(self._is_leased)
            return self._list(rows[self._leased[rows] > np.datetime64(moment, "us")])

    def count_leased(self) -> int:
        """Return how many unfinished places have a lease."""
        return int(np.count_nonzero(self._is_leased))

    def find_free(
        self,
        assessor_id: str,
        lapsed: Iterable[Slot] = (),
        without: Collection[str] = (),
        barred: Iterable[Batch] = (),
        begun: Iterable[Batch] = (),
    ) -> Slot | None:
        """Return the place that somebody takes next: at the batch that most have begun.

        Of equals the first by round, topic, batch and place. What they had begun themselves comes
        before all others.

        Parameters
        ----------
        assessor_id : str
            Who has no place at a batch yet.
        lapsed : iterable of Slot
            Places in others' hands that may be given away.
        without : collection of str
            Rounds of which nothing is to be given.
        barred : iterable of (round, topic, batch)
            Batches that they may not take besides; see ``read_barred``.
        begun : iterable of (round, topic, batch)
            Batches in which they have judged something.
        """
        with self._lock:
            given = {self._place_of(one): one for one in lapsed}
            rank = self._rank_for(assessor_id, given, barred)
            own = [self._find_batch(self._topic[one[:2]], one[2]) for one in begun]
            rank[own] += np.where(rank[own] > 0, _FIRST, 0).astype(np.uint16)
            if without:
                closed = [name[0] in without for name in self._topics]
                rank[np.array(closed, dtype=np.bool_)[self._topic_of]] = 0
            batch = int(rank.argmax()) if rank.size else 0
            if not rank.size or not rank[batch]:
                return None
            place = next(row for row in self._rows_of(batch) if row in given or self._is_free(row))
            return given.get(place) or self._get(place)

    def count_free(
        self, assessor_id: str, lapsed: Iterable[Slot] = (), barred: Iterable[Batch] = ()
    ) -> int:
        """Return at how many batches somebody could take a place."""
        with self._lock:
            given = {self._place_of(one): one for one in lapsed}
            return int(np.count_nonzero(self._rank_for(assessor_id, given, barred)))

    def has_others_batch(self, round_id: str, assessor_id: str) -> bool:
        """Tell whether a round has a batch with an open place at which somebody holds none."""
        with self._lock:
            free = np.flatnonzero(self._rank_for(assessor_id, (), ()))
            return any(self._topics[one][0] == round_id for one in np.unique(self._topic_of[free]))

    def count(self, assessor_id: str) -> PlaceCounts:
        """Return how many places there are, and who holds some."""
        with self._lock:
            held = {name for name, taken in zip(self._people, self._taken, strict=True) if taken}
            theirs = self._find_held(assessor_id)
            finished = np.count_nonzero(~np.isnat(self._finished[theirs]))
            return PlaceCounts(len(self._slot), frozenset(held), len(theirs), int(finished))

    def _rank_for(
        self, assessor_id: str, lapsed: Iterable[int], barred: Iterable[Batch]
    ) -> NDArray[np.uint16]:
        """Return the rank of each batch, which is 0 where somebody may take no place."""
        rank = self._rank.copy()
        for place in lapsed:
            batch = self._batch_of[place]
            rank[batch] = self._count_begun(int(batch)) + 1
        rank[self._batch_of[self._find_held(assessor_id)]] = 0
        for round_id, topic_id, number in barred:
            topic = self._topic.get((round_id, topic_id))
            if topic is not None:
                rank[self._find_batch(topic, number)] = 0
        return rank

    def _find_held(self, assessor_id: str) -> Integers:
        person = self._person.get(assessor_id)
        if person is None or not self._taken[person]:
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero(self._holder == person)

    def _name(self, assessor_id: str | None) -> int:
        if assessor_id is None:
            return _NOBODY
        if assessor_id not in self._person:
            self._person[assessor_id] = len(self._people)
            self._people.append(assessor_id)
            self._taken.append(0)
        return self._person[assessor_id]

    def _find_batch(self, topic: int, number: int) -> int:
        """Return which batch it is; one that is not there yet is added."""
        start, end = np.searchsorted(self._topic_of, (topic, topic + 1))
        batch = int(start + np.searchsorted(self._number[start:end], number))
        if batch == end or self._number[batch] != number:
            self._topic_of = np.insert(self._topic_of, batch, topic)
            self._number = np.insert(self._number, batch, number)
            self._rank = np.insert(self._rank, batch, 0)
            self._batch_of[self._batch_of >= batch] += 1
        return batch

    def _find_place(self, batch: int, slot: int) -> int:
        """Return which place it is; one that is not there yet is added, open."""
        rows = self._rows_of(batch)
        place = int(rows.start + np.searchsorted(self._slot[rows.start : rows.stop], slot))
        if place == rows.stop or self._slot[place] != slot:
            self._batch_of = np.insert(self._batch_of, place, batch)
            self._slot = np.insert(self._slot, place, slot)
            self._holder = np.insert(self._holder, place, _NOBODY)
            self._reserved = np.insert(self._reserved, place, False)
            self._leased = np.insert(self._leased, place, _NEVER)
            self._finished = np.insert(self._finished, place, _NEVER)
            self._is_leased = np.insert(self._is_leased, place, False)
        return place

    def _place_of(self, slot: Slot) -> int:
        topic = self._topic[slot.round_id, slot.topic_id]
        return self._find_place(self._find_batch(topic, slot.batch), slot.slot)

    def _rows_of(self, batch: int) -> range:
        start, end = np.searchsorted(self._batch_of, (batch, batch + 1))
        return range(int(start), int(end))

    def _is_free(self, place: int) -> bool:
        return self._holder[place] == _NOBODY and bool(np.isnat(self._finished[place]))

    def _count_begun(self, batch: int) -> int:
        return sum(self._holder[row] != _NOBODY for row in self._rows_of(batch))

    def _rank_batch(self, batch: int) -> int:
        is_free = any(self._is_free(row) for row in self._rows_of(batch))
        return self._count_begun(batch) + 1 if is_free else 0

    def _list(self, places: Iterable[Any]) -> list[Slot]:
        return [self._get(int(place)) for place in places]

    def _get(self, place: int) -> Slot:
        batch, holder = self._batch_of[place], self._holder[place]
        round_id, topic_id = self._topics[int(self._topic_of[batch])]
        return Slot(
            round_id,
            topic_id,
            int(self._number[batch]),
            int(self._slot[place]),
            None if holder == _NOBODY else self._people[holder],
            bool(self._reserved[place]),
            self._leased[place].item(),
            self._finished[place].item(),
        )


def _find_starts(*columns: Integers) -> NDArray[np.bool_]:
    """Return which rows differ from the one before in some column; the first does."""
    starts = np.ones(len(columns[0]), dtype=np.bool_)
    starts[1:] = np.any([one[1:] != one[:-1] for one in columns], axis=0)
    return starts


class HeldPlaces:
    """The places that a process holds, by collection; read anew where anything else was changed.

    Parameters
    ----------
    database : StoreDatabase
        Where they are.
    """

    def __init__(self, database: StoreDatabase) -> None:
        self._database = database
        self._lock = threading.RLock()
        self._held: dict[str, Places] = {}
        self._heard: deque[Sequence[Change] | None] = deque()
        self._changing = 0
        database.listen(self._heard.append)
        database.watch(self._note_written)

    def use(self, cursor: Cursor, collection_id: str) -> Places:
        """Return the places of a collection within a transaction that writes.

        What it changes of them is to be put in.
        """
        with self._lock:
            self._changing = threading.get_ident()
            self._follow()
            if collection_id not in self._held:
                rounds = cursor.execute(_OPEN_ROUNDS, [collection_id]).fetchall()
                rows = cursor.sql(_OPEN_PLACES, params=[collection_id]).to_arrow_table()
                self._held[collection_id] = Places([one for (one,) in rounds], rows)
            return self._held[collection_id]

    def look_at(self, collection_id: str) -> Places:
        """Return the places of a collection, only to be read: some may be changing."""
        with self._lock:
            self._follow()
            held = self._held.get(collection_id)
        if held is None:
            with self._database.write() as cursor:
                held = self.use(cursor, collection_id)
        return held

    def put(self, slots: Iterable[Slot]) -> None:
        """Take over what places are now, which the transaction of this thread has changed."""
        with self._lock:
            self._changing = threading.get_ident()
            self._follow()  # what others did comes before it
            self._put(slots)

    def _put(self, slots: Iterable[Slot]) -> None:
        for slot in slots:
            for collection_id in [name for name, one in self._held.items() if not one.put(slot)]:
                del self._held[collection_id]

    def _follow(self) -> None:
        """Put in what other servers have changed since."""
        while self._heard:
            for change in self._heard.popleft() or (None,):
                self._hear(change)

    def _hear(self, change: Change | None) -> None:
        if change is not None and change.rows.table not in _READ_FROM:
            return
        if change is None or not change.rows.columns:
            self._held.clear()
            return
        self._put(Slot(*row) for row in change.rows.pick(*Slot.__dataclass_fields__))

    def _note_written(self, tables: Collection[str] | None) -> None:
        """Forget what a transaction has changed that put nothing in, or that came to nothing."""
        is_ours = self._changing == threading.get_ident()
        if is_ours:
            self._changing = 0
        unknown = _READ_FROM - {"slots"} if is_ours else _READ_FROM
        if (tables is None and is_ours) or not unknown.isdisjoint(tables or ()):
            with self._lock:
                self._held.clear()


_HELD: "WeakKeyDictionary[Store, HeldPlaces]" = WeakKeyDictionary()
_BEGINNING = threading.Lock()


def held_places(store: Store) -> HeldPlaces:
    """Return the places that this process holds of a store."""
    with _BEGINNING:
        if store not in _HELD:
            _HELD[store] = HeldPlaces(store.database)
        return _HELD[store]
