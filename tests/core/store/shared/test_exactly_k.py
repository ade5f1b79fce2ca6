"""Three servers hand out the same round at once: every place goes to one person, once."""

import random
import threading
import uuid
from collections import Counter
from contextlib import closing

from core.assessment.queue import finish_assignment, hold_more, take_assignment
from core.assessment.rounds import Plan, open_round
from core.assessment.steps import lay_out
from core.collection.formats import read_import
from core.collection.source import Source
from core.command.check import check_place
from core.place import Address
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.labels import LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.rounds import read_slots
from core.store.store import Store
from tests.core.store.shared.test_following import compare_with_database

JUDGES, TOPICS, DOCUMENTS = 3, 8, 4


def make_study(store: Store, people: int) -> tuple[str, list[str]]:
    collection_id = create_collection(store, "Study")
    topics = "".join(f"t{n}\tquery {n}\n" for n in range(TOPICS))
    lines = [f"t{t}\tone\td{t}-{d}\t{d}\tsaid" for t in range(TOPICS) for d in range(1, DOCUMENTS)]
    results = "\n".join(["topic\tengine\tdocument\trank\tsnippet", *lines])
    names = {line.split("\t")[2] for line in lines}
    documents = "\n".join(["id\ttitle\ttext", *(f"{name}\tT\tsaid" for name in sorted(names))])
    for kind, text in (("topics", topics), ("documents", documents), ("results", results)):
        write_import(store, collection_id, read_import(kind, Source("f.tsv", text.encode())))
    ids = [add_person(store, f"Person {n}", "assessor") for n in range(people)]
    for one in ids:
        add_member(store, collection_id, one, one)
    open_round(store, collection_id, Plan(judges=JUDGES, flow="snippet only"))
    return collection_id, ids


def test_every_place_is_taken_once_under_any_interleaving(open_server, address: Address):
    servers = [open_server() for _ in range(3)]
    collection_id, people = make_study(servers[0], people=6)
    for one in servers:
        one.refresh()
    held: list[tuple[str, int, str]] = []
    errors: list[Exception] = []

    def work(number: int, person: str) -> None:
        rng = random.Random(number)
        try:
            for _ in range(3 * TOPICS):
                store = rng.choice(servers)
                if rng.random() < 0.2:
                    hold_more(store, collection_id, person, 2)
                taken = take_assignment(store, collection_id, person)
                if taken is None:
                    return
                steps = lay_out(store, taken).steps
                for step in steps:
                    event = LabelEvent(str(uuid.uuid4()), None, step.key(person), "level", 1)
                    rng.choice(servers).labels.append(collection_id, [event])
                held.append((taken.topic_id, taken.slot, person))
                finish_assignment(rng.choice(servers), taken)
        except Exception as error:
            errors.append(error)

    threads = [
        threading.Thread(target=work, args=(number, person)) for number, person in enumerate(people)
    ]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert errors == []
    for store in servers:
        compare_with_database(store, address)
    slots = read_slots(servers[1].cursor(), collection_id)
    by_topic = Counter(slot.topic_id for slot in slots)
    assert set(by_topic.values()) == {JUDGES}
    assert len(slots) == JUDGES * TOPICS
    taken = [(slot.topic_id, slot.assessor_id) for slot in slots if slot.assessor_id]
    assert len(taken) == len(set(taken)), "somebody has two places at one topic"
    finished = {(slot.topic_id, slot.assessor_id) for slot in slots if slot.finished_at}
    assert len(finished) == JUDGES * TOPICS
    assert {(topic, person) for topic, _, person in held} == finished
    with closing(Store(address)) as fresh:
        assert read_slots(fresh.cursor(), collection_id) == slots
    assert [one.proof for one in check_place(address, by_use=False) if one.faults] == []
