"""How often a student may judge: anybody who has the code of a class can take a seat in it."""

from core.errors import NotAllowed
from core.language.translate import t
from core.store.events.judged import count_events
from core.store.rounds.lessons import is_lesson
from core.store.store import Store

MOST = 500
"""Judgements of one seat, revisions included: each of ten pages fifty times over."""


class Seats:
    """Counts the judgements of students; assessors who were invited are not counted."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counts: dict[tuple[str, str], int | None] = {}

    def check(self, collection_id: str, assessor_id: str) -> None:
        """Raise NotAllowed when a student has judged as often as one may."""
        person = collection_id, assessor_id
        if person not in self._counts:
            self._counts[person] = self._read(*person)
        if (self._counts[person] or 0) >= MOST:
            raise NotAllowed(
                t("You have reached the limit of judgements in a class. All of them are kept.")
            )

    def note(self, collection_id: str, assessor_id: str, events: int) -> None:
        """Count what a student has sent."""
        person = collection_id, assessor_id
        held = self._counts.get(person)
        if held is not None:
            self._counts[person] = held + events

    def _read(self, collection_id: str, assessor_id: str) -> int | None:
        """Return how many judgements are stored of a student; None of anybody else."""
        if not is_lesson(self._store, collection_id):
            return None
        return count_events(self._store, collection_id, assessor_id)
