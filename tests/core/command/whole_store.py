"""A store with a bit of everything, made by the same functions as in use."""

import secrets
import uuid
from dataclasses import replace
from pathlib import Path

import pandas as pd

from core.assessment.adjudication import adjudicate
from core.assessment.afterwards import open_topic
from core.assessment.class_mode import join_lesson, start_lesson
from core.assessment.handing_out.blinding import engine_code
from core.assessment.handing_out.next_assignment import next_assignment
from core.assessment.intake.judging import Grant, Intake
from core.assessment.rounds.chosen_batches import choose_batch
from core.assessment.rounds.pair_rounds import open_pair_round
from core.assessment.rounds.rounds import Plan, close_round, open_round
from core.collection.aspects import Aspect
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import FACETS, numeric_scale
from core.prompting.selection import Selection
from core.store.content.aspects import add_aspect
from core.store.content.collections import create_collection, describe_collection, hide_pace
from core.store.content.declarations import Declaration, set_declaration
from core.store.content.gold import GoldItem, mark_gold
from core.store.content.imports import write_import
from core.store.content.practice import PracticeItem, add_practice_item
from core.store.content.saved_rules import save_rule
from core.store.content.scales import get_scales
from core.store.content.webhook_deliveries import queue_test
from core.store.content.webhooks import make_webhook
from core.store.events.afterwards import Seeing, allow_seeing, note_item_seen
from core.store.events.answered import Paradata
from core.store.events.labels import Key, LabelEvent
from core.store.events.marked import Marked, hash_text
from core.store.events.preference_reasons import set_reason_choices
from core.store.events.questions import (
    Question,
    announce,
    answer_question,
    append_question,
    note_read,
)
from core.store.machines.jobs import JobItem, JobRecord, insert_job
from core.store.machines.machine_answer import MachineAnswer
from core.store.machines.machines import Machine, describe_machine
from core.store.machines.requests import ReplyRecord, begin_request, end_request
from core.store.people.members import add_member
from core.store.people.people import add_person, begin_session
from core.store.people.qualifying import TestRules, set_test_rules
from core.store.rounds.lessons import lesson_code
from core.store.rounds.rounds import get_round
from core.store.rounds.showing import record_revealed
from core.store.store import Store, utc_now
from core.versions.rules import QrelsRule

FILES = {
    "topics": "t1\tfirst\nt2\tsecond\n",
    "documents": "id\ttitle\ttext\n" + "".join(f"d{n}\tTitle {n}\tText {n}\n" for n in range(1, 7)),
    "results": "topic\tengine\tdocument\trank\tsnippet\n"
    + "".join(f"t{t}\te{e}\td{n}\t{n}\ts{e}{n}\n" for t in (1, 2) for e in (1, 2) for n in (1, 2)),
    "clicks": "9\t0\tQ\tt1\t0\td1\td2\n9\t1\tC\td2\n8\t0\tQ\tSecond\t0\td3\n7\t5\tC\td1\n",
    "labels": "assessor\ttopic\tdocument\tlevel\nold\tt1\td1\t2\nold\tt9\td99\t1\n",
}


def build_study(path: Path) -> tuple[str, str]:
    """Make a store with judged, revised, stale, imported and adjudicated labels.

    Returns the ids of the collection and of the assessor who has finished everything.
    """
    store = Store(path)
    assert store.secret
    olga = add_person(store, "Olga", "organiser")
    begin_session(store, olga)
    collection_id = create_collection(store, "Study", by=olga)
    chosen = {"labels": {"scales": get_scales(store, collection_id)}, "clicks": {"lenient": True}}
    for kind, text in FILES.items():
        options = chosen.get(kind, {})
        imported = read_import(kind, Source(f"{kind}.tsv", text.encode()), **options)
        write_import(store, collection_id, imported, by=olga)
    people = [add_person(store, name, "assessor", olga) for name in ("Anna", "Bob")]
    for person_id, name in zip(people, ("Anna", "Bob"), strict=True):
        add_member(store, collection_id, person_id, name, group="experts", by=olga)
    hide_pace(store, collection_id, hidden=True, by=olga)
    practice = PracticeItem("t1", "d1", "page", "", 2, "It says so.")
    add_practice_item(store, collection_id, practice, olga)
    set_test_rules(store, collection_id, TestRules(0.5, within=1, attempts=2), olga)
    open_round(store, collection_id, Plan(judges=2, repeat_share=0.5), by=olga)
    pairs = pd.DataFrame({"topic_id": "t1", "kind": "documents", "first": "d1", "second": ["d2"]})
    plan = Plan(name="Pairs", judges=1, flow="pages side by side")
    open_pair_round(store, collection_id, plan, pairs, olga)
    set_reason_choices(store, collection_id, ["more relevant", "fresher"], olga)
    judge_all(store, collection_id, people[0])
    key = Key("t1", "d1", "page", "", people[0], 0)
    first = store.labels.current(collection_id, people[0])[key]
    marked = Marked(hash_text("Text 1"), ((0, 4), (5, 6)))
    for event in (_event(key, 3, first.event_id), _event(key, 0, first.event_id)):
        known = Paradata(2_300, "mouse", 1, 333, 950, 1000)
        store.labels.append(collection_id, [replace(event, marked=marked, paradata=known)])
    mark_gold(store, collection_id, GoldItem("t1", "d1", "page", "", 2), olga)
    adjudicate(store, collection_id, key._replace(assessor_id=olga), 1, "Both are right.")
    _talk(store, collection_id, key, olga)
    _judge_aspects(store, collection_id, key, olga)
    _see_others(store, collection_id, key, olga)
    _let_machine_judge(store, collection_id, olga)
    _show_machine(store, collection_id, key)
    hook = make_webhook(store, collection_id, "https://example.org/hook", by=olga)
    queue_test(store, collection_id, hook.webhook_id, olga)
    rule = QrelsRule("mine", combine="median")
    set_declaration(store, collection_id, Declaration(measure="AP", topics=("t1",)))
    save_rule(store, collection_id, rule.name, rule.to_json(), olga)
    _choose_some(store, collection_id, olga)
    join_lesson(store, lesson_code(store, start_lesson(store, "t01", by=olga)))
    store.close()
    return collection_id, people[0]


def _choose_some(store: Store, collection_id: str, organiser: str) -> None:
    """Have an order choose two documents of a round, which is closed then."""
    plan = Plan(name="Ordered", judges=3, flow="page only", order="depth-first", batch_size=2)
    round_id = open_round(store, collection_id, plan, organiser)
    with store.database.write() as cursor:
        assert choose_batch(store, cursor, get_round(store, round_id), utc_now())
    close_round(store, round_id, closed=True, by=organiser)


def _talk(store: Store, collection_id: str, key: Key, organiser: str) -> None:
    """Ask, answer, announce, and change the guidelines twice."""
    texts = {"name": "Study", "description": "", "by": organiser}
    for guidelines in ("Judge for the user.", "Judge for the user, not for yourself."):
        describe_collection(store, collection_id, guidelines=guidelines, **texts)
    asked = [Question(str(uuid.uuid4()), key, text) for text in ("Is it old?", "Is it new?")]
    for question in asked:
        append_question(store, collection_id, question)
    first = asked[0].question_id
    said = answer_question(store, collection_id, first, "It is.", to_all=False, by=organiser)
    announce(store, collection_id, "Thank you all.", organiser)
    note_read(store, collection_id, key.assessor_id, [said])


def _judge_aspects(store: Store, collection_id: str, key: Key, organiser: str) -> None:
    """Judge an item once more, with an aspect, and another that is left out."""
    for aspect in (
        Aspect("trust", ("page",), "How far would you trust it?", numeric_scale(range(3))),
        Aspect("age", FACETS, "Is it new?", numeric_scale(range(2)), may_be_left_out=True),
    ):
        add_aspect(store, collection_id, aspect, organiser)
    before = store.labels.current(collection_id, key.assessor_id)[key]
    said = (("trust", 2), ("age", None))
    event = LabelEvent(str(uuid.uuid4()), before.event_id, key, "level", 2, aspects=said)
    store.labels.append(collection_id, [event])


def _see_others(store: Store, collection_id: str, key: Key, organiser: str) -> None:
    """Let somebody see afterwards what others said of an item, and change their label."""
    allow_seeing(store, collection_id, Seeing(True, comments=True), organiser)
    open_topic(store, collection_id, key.assessor_id, key.topic_id)
    note_item_seen(store, collection_id, key)
    stands = store.labels.current(collection_id, key.assessor_id)[key]
    store.labels.append(collection_id, [_event(key, 2, stands.event_id)])


def _let_machine_judge(store: Store, collection_id: str, organiser: str) -> None:
    """Have a machine judge two items; of one of its answers no level can be read."""
    machine = Machine("llm", "a model", "1.0", "How good is it?", {"temperature": 0}, "2026-01-31")
    describe_machine(store, collection_id, "llm", machine, organiser)
    answers = (("level", 2, "2"), ("invalid answer", None, "It depends."))
    for number, (state, level, said) in enumerate(answers, start=1):
        key = Key("t1", f"d{number}", "page", "", "llm", 0)
        answer = MachineAnswer(said, "It says so.", 0.5, 100, 2)
        event = LabelEvent(str(uuid.uuid4()), None, key, state, level, answer=answer)
        store.labels.append(collection_id, [event])
    _run_job(store, collection_id, organiser)


def _run_job(store: Store, collection_id: str, organiser: str) -> None:
    """Have a job ask about two items: the first is answered, the second is given up."""
    job_id = f"j-{secrets.token_hex(6)}"  # as in use: no two sites make the same
    now, asked = utc_now(), ("https://example.org/v1", "a model", "00", "{}", Selection().to_json())
    job = JobRecord(job_id, collection_id, "llm", organiser, now, *asked, 5, 10)
    items = [
        JobItem(place, str(uuid.uuid4()), "t2", f"d{place + 1}", "page", "") for place in (0, 1)
    ]
    insert_job(store, job, items)
    for item, outcome in zip(items, ("answered", "given up"), strict=True):
        request_id = begin_request(store, job_id, item.place, 1, 0.5)
        if outcome == "answered":
            key = Key("t2", item.document_id, "page", "", "llm", 0)
            answer = MachineAnswer("1", "", 0.5, 100, 2)
            event = LabelEvent(item.event_id, None, key, "level", 1, answer=answer)
            store.labels.append(collection_id, [event])
        end_request(store, job_id, request_id, ReplyRecord(outcome, "out of order", 500))


def _show_machine(store: Store, collection_id: str, key: Key) -> None:
    """Tell somebody the machine's level of an item, and let them change their label."""
    assert record_revealed(store, collection_id, key.assessor_id, "llm", [key])
    stands = store.labels.current(collection_id, key.assessor_id)[key]
    store.labels.append(collection_id, [_event(key, 1, stands.event_id)])


def judge_all(store: Store, collection_id: str, assessor_id: str) -> None:
    """Judge whatever is handed out to an assessor, to the end."""
    intake = Intake(store)
    while given := next_assignment(store, collection_id, assessor_id):
        assignment, sheet = given
        rules = assignment.rules
        grant = Grant(
            collection_id, assessor_id, rules.round_id, assignment.topic_id, assignment.batch
        )
        steps = [*sheet.steps, *(one.step for one in sheet.practice)]
        events = [
            {
                "event_id": str(uuid.uuid4()),
                "topic": step.topic_id,
                "document": step.document_id,
                "facet": step.facet,
                "engine": engine_code(store.secret, step.key(assessor_id)),
                "occasion": step.occasion,
                "state": "level",
                "level": 1,
                "reasons": ["fresher"],
                "supersedes": _standing(store, collection_id, step.key(assessor_id)),
            }
            for step in steps
        ]
        for event in events:
            (ack,) = intake.accept(grant, [event])
            assert ack["status"] in ("saved", "stale"), ack


def _standing(store: Store, collection_id: str, key: Key) -> str | None:
    known = store.labels.current(collection_id, key.assessor_id).get(key)
    return known.event_id if known else None


def _event(key: Key, level: int, supersedes: str) -> LabelEvent:
    return LabelEvent(str(uuid.uuid4()), supersedes, key, "level", level, comment="Second look.")
