"""Three servers hand out the same round at once: every place goes to one person, once."""

import random
import threading
import uuid
from collections import Counter
from contextlib import closing

from core.assessment.handing_out.queue import finish_assignment, hold_more, take_assignment
from core.assessment.handing_out.steps import lay_out
from core.command.check import check_place
from core.place import Address
from core.store.events.labels import LabelEvent
from core.store.rounds.places import held_places
from core.store.rounds.rounds import read_slots
from core.store.store import Store
from tests.core.store.rounds.test_places import compare
from tests.core.store.shared.test_following import compare_with_database
from tests.faults.leases import share_work
from tests.short import long

JUDGES, TOPICS = 3, 8


def test_every_place_is_taken_once_under_any_interleaving(
    open_server, address: Address, long_form: bool
):
    topics = TOPICS if long_form else 3
    shared = share_work(address, people=6 if long_form else 4, topics=topics, judges=JUDGES)
    collection_id, people = shared.collection_id, list(shared.people)
    servers = [open_server() for _ in range(3)]
    held: list[tuple[str, int, str]] = []
    errors: list[Exception] = []

    def work(number: int, person: str) -> None:
        rng = random.Random(number)
        try:
            for _ in range(3 * topics):
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
    assert len(slots) == JUDGES * topics
    taken = [(slot.topic_id, slot.assessor_id) for slot in slots if slot.assessor_id]
    assert len(taken) == len(set(taken)), "somebody has two places at one topic"
    finished = {(slot.topic_id, slot.assessor_id) for slot in slots if slot.finished_at}
    assert len(finished) == JUDGES * topics
    assert {(topic, person) for topic, _, person in held} == finished
    with closing(Store(address)) as fresh:
        assert read_slots(fresh.cursor(), collection_id) == slots
    assert [one.proof for one in check_place(address, by_use=False) if one.faults] == []


@long
def test_a_server_holds_the_places_that_others_hand_out(open_server, address: Address):
    shared = share_work(address, people=4, topics=TOPICS, judges=JUDGES)
    collection_id = shared.collection_id
    servers = [open_server() for _ in range(2)]
    held = [held_places(store).look_at(collection_id) for store in servers]
    for turn, person in enumerate([*shared.people] * 3):
        taken = take_assignment(servers[turn % 2], collection_id, person)
        if turn % 3:
            finish_assignment(servers[turn % 2 - 1], taken)
        for store in servers:
            store.refresh()
        assert [compare(store, collection_id) for store in servers] == held, "read again"
