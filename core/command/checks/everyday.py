"""Everything that people do with a store on some day or other, once, by the functions of the app.

It is done in a copy: a collection of its own is made there, judged and decided on.
"""

import secrets
import uuid
from collections.abc import Generator
from dataclasses import replace
from typing import Any

import pandas as pd

from core.assessment.adjudication import adjudicate
from core.assessment.class_mode import end_lesson, join_lesson, start_lesson
from core.assessment.handing_out.assignment_content import Step
from core.assessment.handing_out.blinding import engine_code
from core.assessment.handing_out.moving import give_slot
from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.intake.judging import Grant, Intake, grant_of
from core.assessment.rounds.growth import add_judges
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, open_round, set_deadline
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import DissentError
from core.store.audit.audit import AuditFilter, read_audit
from core.store.content.collections import close_collection, create_collection
from core.store.content.gold import GoldItem, mark_gold, unmark_gold
from core.store.content.imports import write_import
from core.store.content.practice import PracticeItem, add_practice_item, remove_practice_item
from core.store.content.saved_rules import delete_rule, list_rules, save_rule
from core.store.content.scales import get_scales, replace_scale
from core.store.events.frames import read_labels, read_runs
from core.store.events.labels import Key
from core.store.people.accounts import list_emails, set_email
from core.store.people.members import add_member, add_viewer, drop_member, viewed_by
from core.store.people.passwords import find_by_password, set_password
from core.store.people.people import (
    accept_invitation,
    add_person,
    begin_session,
    end_session,
    find_session,
    invite,
)
from core.store.people.sessions import disable_person, enable_person
from core.store.rounds.lessons import lesson_code
from core.store.rounds.rounds import read_slots
from core.store.rounds.withdrawn_runs import reinstate_run, withdraw_run
from core.store.store import Store, utc_now

Doing = Generator[str, None, None]
"""Says what is done next, again and again."""

_FILES = {
    "topics": "t1\tfirst\n",
    "documents": "id\ttitle\ttext\nd1\tOne\tFirst text\nd2\tTwo\tSecond text\n",
    "results": "topic\tengine\tdocument\trank\tsnippet\nt1\te1\td1\t1\ts1\nt1\te1\td2\t2\ts2\n",
    "runs": "t1 Q0 d1 1 2.0 s1\nt1 Q0 d2 2 1.0 s1\n",
    "qrels": "t1 0 d1 1\n",
    "labels": "assessor\ttopic\tdocument\tlevel\nearlier\tt1\td1\t1\n",
}
_ITEM = ("t1", "d1", "page", "")


def use_store(store: Store) -> Doing:
    """Do everything once; where something cannot be done, or not as it should be, it raises."""
    name = f"check-{secrets.token_hex(8)}"
    yield "adding people"
    olga, anna, vera = (
        add_person(store, f"{name} {role}", role) for role in ("organiser", "assessor", "viewer")
    )
    yield from _sign_in(store, anna, f"{name} assessor")
    yield "making a collection"
    collection_id = create_collection(store, name, by=olga)
    scales = get_scales(store, collection_id)
    for kind, text in _FILES.items():
        yield f"importing {kind}"
        options: dict[str, Any] = {"scales": scales} if kind == "labels" else {}
        imported = read_import(kind, Source(f"{kind}.txt", text.encode()), **options)
        write_import(store, collection_id, imported, by=olga)
    yield from _open_rounds(store, collection_id, olga, anna)
    yield from _judge(store, collection_id, anna)
    yield from _decide(store, collection_id, olga, anna)
    yield from _teach(store, olga)
    yield "letting somebody look on"
    add_viewer(store, collection_id, vera, olga)
    _expect(collection_id in viewed_by(store, vera), "a viewer sees nothing")
    yield "reading labels, runs and the audit"
    read_runs(store, collection_id)
    _expect(not read_labels(store, collection_id).empty, "there are no labels")
    _expect(not read_audit(store, AuditFilter(), 10).empty, "the audit is empty")
    yield "closing a collection, and letting people go"
    drop_member(store, collection_id, anna, by=olga)
    close_collection(store, collection_id, closed=True, by=olga)
    disable_person(store, anna, olga)
    enable_person(store, anna, olga)


def _sign_in(store: Store, person_id: str, name: str) -> Doing:
    password = secrets.token_urlsafe(16)
    yield "inviting somebody, who signs in by the link"
    session = accept_invitation(store, invite(store, person_id))
    _expect(find_session(store, session), "a new session is not found")
    yield "setting a password and signing in by it"
    set_password(store, person_id, password)
    _expect(find_by_password(store, name, password), "a new password does not hold")
    session = begin_session(store, person_id, "password")
    yield "signing out"
    end_session(store, session)
    _expect(find_session(store, session) is None, "a session that was ended goes on")
    yield "setting an e-mail address"
    set_email(store, person_id, f"{person_id}@example.org")
    _expect(person_id in list_emails(store), "an e-mail address is not found")


def _open_rounds(store: Store, collection_id: str, olga: str, anna: str) -> Doing:
    yield "changing a scale"
    replace_scale(store, collection_id, "snippet", get_scales(store, collection_id)["snippet"])
    yield "letting somebody judge"
    add_member(store, collection_id, anna, anna, by=olga)
    yield "adding and removing practice items"
    for document, level in (("d1", 1), ("d2", 0)):
        item = PracticeItem("t1", document, "page", "", level, "So that it is tried.")
        add_practice_item(store, collection_id, item, olga)
    remove_practice_item(store, collection_id, item, olga)
    yield "opening a round"
    round_id = open_round(store, collection_id, Plan(judges=1, assessors=(anna,)), by=olga)
    yield "setting a deadline, and asking for one more assessor"
    set_deadline(store, round_id, utc_now(), by=olga)
    add_judges(store, round_id, 2, by=olga)
    yield "freeing a slot, and giving it to somebody"
    (held,) = [one for one in read_slots(store.cursor(), collection_id) if one.assessor_id]
    give_slot(store, held, None, by=olga)
    give_slot(store, replace(held, assessor_id=None), anna, by=olga)
    yield "withdrawing a run, and letting it count again"
    withdraw_run(store, collection_id, "s1", by=olga)
    _expect("s1" not in set(read_runs(store, collection_id)["system"]), "a run still counts")
    reinstate_run(store, collection_id, "s1", by=olga)
    yield "opening a round of pairs"
    pairs = pd.DataFrame({"topic_id": "t1", "kind": "documents", "first": ["d1"], "second": "d2"})
    plan = Plan(name="Pairs", judges=1, flow="pages side by side", assessors=(anna,))
    open_pair_round(store, collection_id, plan, pairs, olga)


def _judge(store: Store, collection_id: str, anna: str) -> Doing:
    """Judge all that is handed out, each item twice: the second label replaces the first."""
    intake = Intake(store)
    yield "handing out what is to be judged"
    while given := next_assignment(store, collection_id, anna):
        assignment, sheet = given
        grant = grant_of(assignment)
        for step in (*sheet.steps, *(one.step for one in sheet.practice)):
            yield f"taking a {step.facet} label, taking it twice, and replacing it"
            first = _send(store, intake, grant, step)
            _expect(
                _send(store, intake, grant, step, first["event_id"]) == first,
                "the same label, sent again, is another",
            )
            _send(store, intake, grant, step, supersedes=first["event_id"])
        yield "finishing a batch, handing out the next"


def _send(
    store: Store, intake: Intake, grant: Grant, step: Step, event_id: str = "", **more: str
) -> dict[str, Any]:
    event = {
        "event_id": event_id or str(uuid.uuid4()),
        "topic": step.topic_id,
        "document": step.document_id,
        "facet": step.facet,
        "engine": engine_code(store.secret, step.key(grant.assessor_id)),
        "occasion": step.occasion,
        "state": "level",
        "level": 1,
        **more,
    }
    (answer,) = intake.accept(grant, [event])
    _expect(answer["status"] == "saved", f"a label was {answer['status']}: {answer['reason']}")
    return answer


def _decide(store: Store, collection_id: str, olga: str, anna: str) -> Doing:
    yield "marking gold"
    item = GoldItem(*_ITEM, 1)
    mark_gold(store, collection_id, item, olga)
    unmark_gold(store, collection_id, item, olga)
    mark_gold(store, collection_id, item, olga)
    yield "deciding where people disagree"
    adjudicate(store, collection_id, Key(*_ITEM, olga, 0), 1, "So that it is tried.")
    current = store.labels.current(collection_id, anna)
    _expect(Key(*_ITEM, anna, 0) in current, "a label that was taken does not stand")
    yield "saving and deleting a rule of a qrels version"
    for name in ("kept", "deleted"):
        save_rule(store, collection_id, name, "{}", olga)
    delete_rule(store, collection_id, "deleted", olga)
    _expect(list(list_rules(store, collection_id)) == ["kept"], "a rule is not as it was saved")


def _teach(store: Store, olga: str) -> Doing:
    yield "starting a class, and joining it"
    lesson = start_lesson(store, "t01", by=olga)
    session = join_lesson(store, lesson_code(store, lesson))
    student = find_session(store, session)
    if student is None:
        raise DissentError("who joined a class is not signed in")
    given = next_assignment(store, lesson.collection_id, student.person_id)
    _expect(given, "who joined a class has nothing to judge")
    end_lesson(store, lesson, olga)


def _expect(what: object, otherwise: str) -> None:
    if not what:
        raise DissentError(otherwise)
