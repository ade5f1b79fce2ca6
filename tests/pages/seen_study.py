"""A small collection that two people have judged to the end, and who differ on one page."""

import uuid
from dataclasses import dataclass

from core.assessment.handing_out.blinding import engine_code
from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.intake.judging import Grant, Intake
from core.assessment.rounds.rounds import Plan, open_round
from core.store.events.afterwards import Seeing, allow_seeing
from core.store.events.labels import Key
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store

REMARK = "what the other one said"
NAMES = ("Anna", "Wilhelmina")
ON_D1 = {"Anna": 0, "Wilhelmina": 3}
"""The level that each gave to the page of d1 for t1; elsewhere they agree, with the imported ones.

Two imported assessors gave it 2 and 3.
"""


@dataclass(frozen=True)
class Pair:
    """Who judged, and where."""

    store: Store
    collection_id: str
    anna: str
    other: str

    def key(self, document: str = "d1", topic: str = "t1") -> Key:
        """Return the key of Anna's label of a page."""
        return Key(topic, document, "page", "", self.anna, 0)

    def revise(self, level: int, document: str = "d1") -> None:
        """Store another level of Anna's."""
        key = self.key(document)
        stands = self.store.labels.current(self.collection_id, self.anna)[key]
        event = make_event(self.store, key, level) | {"supersedes": stands.event_id}
        (ack,) = Intake(self.store).accept(Grant(self.collection_id, self.anna), [event])
        assert ack["status"] == "saved", ack


def make_event(store: Store, key: Key, level: int) -> dict[str, object]:
    """Return a judgement as the screen sends it."""
    return {
        "event_id": str(uuid.uuid4()), "topic": key.topic_id, "document": key.document_id,
        "facet": key.facet, "engine": engine_code(store.secret, key),
        "occasion": key.occasion, "state": "level", "level": level,
    }  # fmt: skip


def judge_in_pairs(store: Store, collection_id: str, seeing: Seeing | None = None) -> Pair:
    """Let two people judge all pages of the small collection, and allow seeing others."""
    people = [add_person(store, name, "assessor") for name in NAMES]
    for person_id, name in zip(people, NAMES, strict=True):
        add_member(store, collection_id, person_id, name)
    plan = Plan(judges=2, flow="page only", assessors=tuple(people))
    open_round(store, collection_id, plan)
    intake = Intake(store)
    for person_id, name in zip(people, NAMES, strict=True):
        while given := next_assignment(store, collection_id, person_id):
            assignment, content = given
            grant = Grant(
                collection_id, person_id, assignment.rules.round_id, assignment.topic_id,
                assignment.batch,
            )  # fmt: skip
            for step in content.steps:
                place = step.topic_id, step.document_id
                level = {("t1", "d1"): ON_D1[name], ("t1", "d2"): 0}.get(place, 1)
                event = make_event(store, step.key(person_id), level)
                if name != "Anna":
                    event["comment"] = REMARK
                (ack,) = intake.accept(grant, [event])
                assert ack["status"] == "saved", ack
    allow_seeing(store, collection_id, seeing or Seeing(True))
    return Pair(store, collection_id, *people)
