"""Taking in label events: only what was handed out, only on the scale, nothing twice."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from core.assessment.handing_out.blinding import engine_code, occasion_code
from core.assessment.handing_out.queue import Assignment
from core.assessment.handing_out.side_by_side import swap_sides
from core.assessment.handing_out.steps import lay_out
from core.assessment.intake.attachments import read_attachments, tell_standing
from core.assessment.intake.event_fields import (
    LONGEST_DWELL,
    read_identifier,
    read_text,
    read_whole,
)
from core.assessment.showing import reveal_levels
from core.collection.records import preference_scale
from core.errors import BadInput, NotAllowed
from core.language.translate import t
from core.store.content.collections import get_collection
from core.store.content.practice import find_practice_answer
from core.store.content.scales import get_scales
from core.store.events.judged import count_events, list_current_keys
from core.store.events.labels import ANSWERS, PRACTICE, Key, LabelEvent, Receipt
from core.store.people.members import is_member
from core.store.people.qualifying import MOST_ATTEMPTS, occasion_of
from core.store.rounds.lessons import is_lesson, lesson_of
from core.store.rounds.rounds import SIDE_BY_SIDE, get_round
from core.store.store import Store

STATES = ("level", "cannot judge", "later", "unjudged")
MOST_EVENTS = 50
LONGEST_COMMENT = 4000
REVEALED = "The labels of your class are shown now, so that nobody judges any more."
_REMEMBERED_GRANTS = 1_024
"""Each takes some 340 bytes for every item; that of somebody who was away is read again."""

_SIDES = {
    facet: {one.level for one in preference_scale()}
    for facets in SIDE_BY_SIDE.values()
    for facet in facets
}


@dataclass(frozen=True)
class Grant:
    """The right of one assessor to judge one batch, or (no round) to revise what they judged."""

    collection_id: str
    assessor_id: str
    round_id: str = ""
    topic_id: str = ""
    batch: int = 0


def grant_of(assignment: Assignment) -> Grant:
    """Return the right to judge that an assignment gives."""
    return Grant(
        assignment.rules.collection_id,
        assignment.assessor_id,
        assignment.rules.round_id,
        assignment.topic_id,
        assignment.batch,
    )


class ItemCode(NamedTuple):
    """What an assessor's browser calls the thing it judges."""

    topic: str
    document: str
    facet: str
    engine_code: str
    occasion_code: str


class Intake:
    """Checks label events against what was handed out and appends them to the log."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._allowed: OrderedDict[Grant, tuple[int, dict[ItemCode, Key]]] = OrderedDict()
        self._remembering = threading.Lock()
        self._seats = Seats(store)

    def accept(self, grant: Grant, events: Sequence[Any]) -> list[dict[str, Any]]:
        """Store events and return one acknowledgement for each, in order.

        Parameters
        ----------
        grant : Grant
            Whose judgements these are; never taken from the events themselves.
        events : sequence
            As the judging component sends them.

        Returns
        -------
        list of dict
            event_id, status ("saved", "stale" or "refused"), sequence, reason, current.
            Saved and stale events are on disk.

        Raises
        ------
        NotAllowed
            The collection is closed, or the assessor no longer judges in it, or is a student who
            has judged as often as one may; nothing is stored.
        BadInput
            There are too many events.
        """
        self.check_open(grant)
        self._seats.check(grant.collection_id, grant.assessor_id)
        if len(events) > MOST_EVENTS:
            raise BadInput(t("at most {n} judgements can be sent at once", n=MOST_EVENTS))
        fit: list[LabelEvent] = []
        answers: list[dict[str, Any] | None] = []
        for raw in events:
            try:
                fit.append(self._check(grant, raw))
                answers.append(None)
            except BadInput as error:
                answers.append(refuse_event(raw, str(error)))
        receipts = iter(self._store.labels.append(grant.collection_id, fit) if fit else [])
        self._seats.note(grant.collection_id, grant.assessor_id, len(fit))
        asked = iter(fit)
        return [
            answer or self._acknowledge(grant, next(asked), next(receipts)) for answer in answers
        ]

    def check_open(self, grant: Grant) -> None:
        """Raise NotAllowed where the assessor cannot judge, or ask anything, now."""
        if reason := self._store.keep(_why_barred, grant.collection_id, grant.assessor_id):
            raise NotAllowed(t(reason))

    def find_item(self, grant: Grant, raw: Mapping[str, Any]) -> Key:
        """Return what an event is about; raises BadInput for what was not handed out."""
        key = self._handed_out(grant).get(_item(raw, grant, self._store.secret))
        if key is None:
            raise BadInput(t("this item was not handed out to you"))
        return key

    def tell(self, grant: Grant) -> list[dict[str, Any]]:
        """Return what a machine said of a batch that is judged, as the judging component has it.

        Each has what names its item, as in an event, and called and level. Raises NotAllowed as
        ``accept`` does.
        """
        self.check_open(grant)
        if not grant.round_id:
            return []
        rules = get_round(self._store, grant.round_id)
        assignment = Assignment(rules, grant.topic_id, grant.batch, 0, grant.assessor_id)
        return [
            {
                "topic": one.key.topic_id,
                "document": one.key.document_id,
                "facet": one.key.facet,
                "engine": engine_code(self._store.secret, one.key),
                "occasion": occasion_code(self._store.secret, one.key),
                "called": one.called,
                "level": one.level,
            }
            for one in reveal_levels(self._store, assignment)
        ]

    def _acknowledge(self, grant: Grant, event: LabelEvent, receipt: Receipt) -> dict[str, Any]:
        """Return the answer to a stored event; after practice, with what would have been right."""
        answer: dict[str, Any] = {
            "event_id": receipt.event_id,
            "sequence": receipt.sequence,
            "current": tell_standing(self._store, receipt.current, event.event_id),
            "status": "stale" if receipt.stale else "saved",
            "reason": None,
        }
        if event.key.occasion <= PRACTICE and receipt.current.state in ANSWERS:
            answer["practice"] = find_practice_answer(self._store, grant.collection_id, event.key)
        return answer

    def _check(self, grant: Grant, raw: Any) -> LabelEvent:
        if not isinstance(raw, Mapping):
            raise BadInput(t("a judgement is an object with named fields"))
        key = self.find_item(grant, raw)
        state = read_text(raw, "state")
        if state not in STATES:
            raise BadInput(
                t("the state is one of: {items}", items=", ".join(STATES)), field="state"
            )
        level = raw.get("level")
        if state == "level":
            level = read_whole(raw, "level", -1000, 1000)
            levels = self._store.keep(_read_levels, grant.collection_id)
            if level not in levels.get(key.facet, ()):
                raise BadInput(t("{n} is not on the scale", n=level), field="level")
        comment = read_text(raw, "comment")
        if len(comment) > LONGEST_COMMENT:
            raise BadInput(
                t("a comment has at most {n} characters", n=LONGEST_COMMENT), field="comment"
            )
        before = raw.get("supersedes")
        return LabelEvent(
            read_identifier(raw.get("event_id"), "event_id"),
            read_identifier(before, "supersedes") if before else None,
            key,
            state,
            level if state == "level" else None,
            read_whole(raw, "dwell_ms", 0, LONGEST_DWELL),
            comment,
            read_text(raw, "client_time")[:40],
            **read_attachments(self._store, grant.collection_id, key, raw),
        )

    def _handed_out(self, grant: Grant) -> dict[ItemCode, Key]:
        if not grant.round_id:
            own = list_current_keys(self._store, grant.collection_id, grant.assessor_id)
            return self._by_item(own)
        changes = self._store.state(grant.collection_id)[1]
        with self._remembering:
            seen, allowed = self._allowed.get(grant, (-1, {}))
        if seen != changes:
            # What was handed out once stays allowed: its judgement may still be on its way.
            allowed = allowed | self._by_item(_granted_keys(self._store, grant))
        with self._remembering:
            self._allowed[grant] = changes, allowed
            self._allowed.move_to_end(grant)
            if len(self._allowed) > _REMEMBERED_GRANTS:
                self._allowed.popitem(last=False)
        return allowed

    def _by_item(self, keys: Iterable[Key]) -> dict[ItemCode, Key]:
        return {
            ItemCode(
                key.topic_id,
                key.document_id,
                key.facet,
                engine_code(self._store.secret, key),
                occasion_code(self._store.secret, key),
            ): key
            for key in keys
        }


def _read_levels(store: Store, collection_id: str) -> dict[str, set[int]]:
    """Return the levels of each facet."""
    scales = get_scales(store, collection_id)
    return {facet: {one.level for one in scale} for facet, scale in scales.items()} | _SIDES


def _why_barred(store: Store, collection_id: str, assessor_id: str) -> str:
    if get_collection(store, collection_id).closed_at:
        return "This collection is closed."
    if not is_member(store, collection_id, assessor_id):
        return "You no longer judge in this collection."
    lesson = lesson_of(store, collection_id)
    if lesson is not None and lesson.revealed_at is not None:
        return REVEALED
    return ""


def _granted_keys(store: Store, grant: Grant) -> list[Key]:
    rules = get_round(store, grant.round_id)
    content = lay_out(store, Assignment(rules, grant.topic_id, grant.batch, 0, grant.assessor_id))
    steps = [*content.steps, *(one.step for one in content.practice)]
    if rules.pair_facets:
        # Which side is which depends on the place somebody held when it was handed out.
        steps += [swap_sides(step) for step in content.steps]
    return [step.key(grant.assessor_id) for step in steps]


def refuse_event(raw: Any, reason: str) -> dict[str, Any]:
    """Return the answer to an event that was not taken."""
    event_id = raw.get("event_id") if isinstance(raw, Mapping) else None
    return {
        "event_id": event_id if isinstance(event_id, str) else None,
        "status": "refused",
        "sequence": None,
        "reason": reason,
        "current": None,
    }


def _item(raw: Mapping[str, Any], grant: Grant, secret: str) -> ItemCode:
    """Return what an event is about; an occasion may also be given by its number."""
    place = (read_text(raw, "topic"), read_text(raw, "document"), read_text(raw, "facet"))
    occasion = raw.get("occasion")
    if not isinstance(occasion, str):
        number = read_whole(raw, "occasion", occasion_of(MOST_ATTEMPTS), 99)
        occasion = occasion_code(secret, Key(*place, "", grant.assessor_id, number))
    return ItemCode(*place, read_text(raw, "engine"), occasion)


MOST_OF_SEAT = 500
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
        if (self._counts[person] or 0) >= MOST_OF_SEAT:
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
