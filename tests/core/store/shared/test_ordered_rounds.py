"""Three servers whose assessors ask at once: each document is chosen once, and exactly k judge."""

import random
import threading
import uuid
from collections import Counter
from contextlib import closing

from core.assessment.handing_out.queue import finish_assignment, hold_more, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.command.check import check_place
from core.place import Address
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.events.labels import LabelEvent
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.rounds.orders import read_choices
from core.store.rounds.rounds import read_slots
from core.store.store import Store
from tests.core.store.shared.test_following import compare_with_database
from tests.short import long

JUDGES, TOPICS, DOCUMENTS, BUDGET, BATCH = 2, 3, 8, 20, 3


def open_ordered(address: Address, people: int) -> tuple[str, list[str]]:
    """Make a collection with a round that MaxMean chooses in; returns it and its assessors."""
    with closing(Store(address)) as store:
        collection_id = create_collection(store, "Ordered")
        names = [f"t{topic}-{n}" for topic in range(TOPICS) for n in range(DOCUMENTS)]
        runs = [
            f"t{topic} Q0 t{topic}-{n} {rank} {20 - rank} {name}"
            for name, order in (("a", range(DOCUMENTS)), ("b", range(DOCUMENTS - 1, -1, -1)))
            for topic in range(TOPICS)
            for rank, n in enumerate(order, start=1)
        ]
        for kind, lines in (
            ("topics", [f"t{topic}\tquery" for topic in range(TOPICS)]),
            ("documents", ["id\ttitle\ttext", *(f"{name}\tT\tsaid" for name in names)]),
            ("runs", runs),
        ):
            source = Source(f"{kind}.tsv", ("\n".join(lines) + "\n").encode())
            write_import(store, collection_id, read_import(kind, source))
        ids = [add_person(store, f"Taker {n}", "assessor") for n in range(people)]
        for one in ids:
            add_member(store, collection_id, one, one)
        plan = Plan(
            judges=JUDGES, flow="page only", order="max-mean", budget=BUDGET, batch_size=BATCH
        )
        open_round(store, collection_id, plan)
        return collection_id, ids


@long
def test_servers_that_choose_at_once_choose_each_document_once(open_server, address: Address):
    collection_id, people = open_ordered(address, people=5)
    servers = [open_server() for _ in range(3)]
    errors: list[Exception] = []

    def work(number: int, person: str) -> None:
        rng = random.Random(number)
        try:
            while True:
                store = rng.choice(servers)
                if rng.random() < 0.3:
                    hold_more(store, collection_id, person, 3)
                taken = take_assignment(store, collection_id, person)
                if taken is None:
                    return
                for step in lay_out(store, taken).steps:
                    key = step.key(person)
                    event = LabelEvent(str(uuid.uuid4()), None, key, "level", rng.randrange(3))
                    rng.choice(servers).labels.append(collection_id, [event])
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
    choices = read_choices(servers[1], collection_id)
    assert choices["place"].tolist() == list(range(1, BUDGET + 1))
    assert not choices.duplicated(["topic_id", "document_id"]).any()
    slots = read_slots(servers[1].cursor(), collection_id)
    assert set(Counter((one.topic_id, one.batch) for one in slots).values()) == {JUDGES}
    judged = servers[2].database.run(
        "SELECT topic_id, document_id, count(*), count(DISTINCT assessor_id) FROM labels "
        "GROUP BY ALL"
    )
    assert len(judged) == BUDGET
    assert {row[2:] for row in judged} == {(JUDGES, JUDGES)}
    assert [one.proof for one in check_place(address, by_use=False) if one.faults] == []
