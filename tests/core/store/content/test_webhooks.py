"""Webhooks in the store: who is told, what of it is recorded, and what copies know of it."""

from contextlib import closing
from pathlib import Path

import pytest

from core.assessment.handing_out.queue import finish_assignment, take_assignment
from core.assessment.rounds.rounds import Plan, open_round
from core.collection.files.source import Source
from core.collection.formats import read_import
from core.errors import BadInput, NotFound
from core.store.audit.audit import AuditFilter, read_audit
from core.store.backup.backup import restore_backup, save_backup
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.content.webhook_deliveries import (
    DUE,
    EVENTS,
    MOST_TRIES,
    PAUSES,
    ROUND,
    TOPIC,
    begin_attempt,
    end_attempt,
    insert_finished,
    list_deliveries,
    list_due,
    queue_finished,
    queue_test,
    send_again,
)
from core.store.content.webhooks import (
    MOST_WEBHOOKS,
    find_webhook,
    list_webhooks,
    make_secret,
    make_webhook,
    remove_webhook,
)
from core.store.people.erasure import erase_person
from core.store.people.members import add_member
from core.store.people.people import add_person
from core.store.store import Store, utc_now
from tests.short import long

pytestmark = pytest.mark.contract

ADDRESS = "https://hooks.example.org/T0/secret-part"


@pytest.fixture
def cats(store: Store) -> str:
    collection_id = create_collection(store, "Cats")
    for kind, text in {
        "topics": "t1\tjaguar\nt2\tpuma\n",
        "documents": "id\ttext\nd1\tA cat.\nd2\tA car.\n",
        "runs": "".join(f"t{t} Q0 d{d} {d} {3 - d} s\n" for t in (1, 2) for d in (1, 2)),
    }.items():
        write_import(store, collection_id, read_import(kind, Source(f"{kind}.tsv", text.encode())))
    return collection_id


@pytest.fixture
def anna(store: Store, cats: str) -> str:
    person = add_person(store, "Anna", "assessor")
    add_member(store, cats, person, "Anna")
    return person


def finish_one(store: Store, collection_id: str, person: str) -> None:
    given = take_assignment(store, collection_id, person)
    assert given is not None
    finish_assignment(store, given)


def events_of(store: Store, collection_id: str) -> list[str]:
    return sorted(one.event for one in list_deliveries(store, collection_id))


def test_the_record_of_changes_names_the_machine_and_no_secret(store: Store, cats: str):
    olga = add_person(store, "Olga", "organiser")
    made = make_webhook(store, cats, ADDRESS, [ROUND], by=olga)
    queue_test(store, cats, made.webhook_id, olga)
    remove_webhook(store, cats, made.webhook_id, olga)
    history = read_audit(store, AuditFilter(kind="collections", text="webhook"), 9)
    assert sorted(history["what"]) == ["make", "remove", "test"]
    assert set(history["person"]) == {"Olga"}
    told = " ".join(history["change"])
    assert 'machine: none → "hooks.example.org"' in told
    assert "secret-part" not in told
    kept = " ".join(map(str, store.cursor().execute("FROM webhooks").fetchall()))
    assert make_secret(store, made.webhook_id).removeprefix("whsec_") not in kept


def test_each_is_told_of_its_own_events_once(store: Store, cats: str, anna: str):
    open_round(store, cats, Plan(judges=1, flow="page only"))
    make_webhook(store, cats, ADDRESS, [ROUND])
    make_webhook(store, cats, ADDRESS, [TOPIC])
    assert queue_finished(store, cats) == 0
    finish_one(store, cats, anna)
    assert queue_finished(store, cats) == 1
    finish_one(store, cats, anna)
    assert queue_finished(store, cats) == 2
    assert queue_finished(store, cats) == 0
    assert events_of(store, cats) == [ROUND, TOPIC, TOPIC]


@long
def test_what_is_finished_again_is_told_again(store: Store, cats: str, anna: str):
    """A place that is added to a topic opens it once more."""
    opened = open_round(store, cats, Plan(judges=1, flow="page only"))
    make_webhook(store, cats, ADDRESS, [ROUND])
    finish_one(store, cats, anna)
    finish_one(store, cats, anna)
    assert queue_finished(store, cats) == 1
    with store.database.write() as cursor:
        cursor.execute(
            "INSERT INTO slots SELECT round_id, topic_id, batch, 2, NULL, false, NULL, NULL "
            "FROM slots WHERE topic_id = 't1' AND round_id = ?",
            [opened],
        )
    assert queue_finished(store, cats) == 0
    with store.database.write() as cursor:
        cursor.execute("UPDATE slots SET finished_at = ? WHERE slot = 2", [utc_now()])
    assert queue_finished(store, cats) == 1
    assert [one.places for one in list_deliveries(store, cats)] == [3, 2]


@long
def test_a_place_that_is_taken_away_finishes_a_topic(store: Store, cats: str, anna: str):
    """What was finished earlier was not the topic: its webhook has not been told of it."""
    open_round(store, cats, Plan(judges=2, flow="page only"))
    finish_one(store, cats, anna)
    make_webhook(store, cats, ADDRESS, [TOPIC])
    assert queue_finished(store, cats) == 0
    with store.database.write() as cursor:
        cursor.execute("DELETE FROM slots WHERE finished_at IS NULL AND topic_id = 't1'")
        cursor.execute("DELETE FROM slots WHERE finished_at IS NULL AND topic_id = 't2'")
    assert queue_finished(store, cats) == 1


@long
def test_pauses_grow_until_it_is_given_up(store: Store, cats: str):
    made = make_webhook(store, cats, ADDRESS)
    queue_test(store, cats, made.webhook_id)
    waited = []
    for _ in range(MOST_TRIES):
        (one,) = list_due(store)
        begin_attempt(store, one)
        assert list_due(store) == [], "it waits, also where the server dies now"
        end_attempt(store, one, 500, "it answered 500")
        (one,) = list_deliveries(store, cats)
        if one.next_at is not None and one.tried_at is not None:
            waited.append((one.next_at - one.tried_at).total_seconds())
        with store.database.write() as cursor:
            cursor.execute("UPDATE webhook_deliveries SET next_at = tried_at WHERE state = 'due'")
    assert waited == list(PAUSES) == sorted(PAUSES)
    assert (one.state, one.attempts) == ("given up", MOST_TRIES)
    assert list_due(store) == []
    send_again(store, cats, one.delivery_id)
    assert [(each.state, each.attempts) for each in list_due(store)] == [(DUE, 0)]


@long
def test_what_cannot_be_had_is_refused(store: Store, cats: str):
    for address, events in (
        ("http://example.org/", EVENTS),
        ("https://10.0.0.1/", EVENTS),
        (ADDRESS, []),
        (ADDRESS, ["label.given"]),
    ):
        with pytest.raises(BadInput):
            make_webhook(store, cats, address, events)
    made = [make_webhook(store, cats, ADDRESS) for _ in range(MOST_WEBHOOKS)]
    with pytest.raises(BadInput, match="at most"):
        make_webhook(store, cats, ADDRESS)
    remove_webhook(store, cats, made[0].webhook_id)
    make_webhook(store, cats, ADDRESS)
    for act in (find_webhook, remove_webhook):
        with pytest.raises(NotFound):
            act(store, cats, made[0].webhook_id)
    with pytest.raises(NotFound):
        make_webhook(store, "nowhere", ADDRESS)


@long
def test_what_was_finished_before_cannot_be_sent(store: Store, cats: str, anna: str):
    open_round(store, cats, Plan(judges=1, flow="page only"))
    finish_one(store, cats, anna)
    made = make_webhook(store, cats, ADDRESS)
    ((earlier,),) = store.cursor().execute("SELECT delivery_id FROM webhook_deliveries").fetchall()
    with pytest.raises(NotFound):
        send_again(store, cats, earlier)
    sent = queue_test(store, cats, made.webhook_id)
    with pytest.raises(NotFound):
        send_again(store, create_collection(store, "Other"), sent)
    with store.database.write() as cursor:
        assert insert_finished(cursor, cats, DUE) == 0


@long
def test_a_restored_copy_tells_nobody(store: Store, cats: str, tmp_path: Path):
    made = make_webhook(store, cats, ADDRESS)
    queue_test(store, cats, made.webhook_id)
    save_backup(store, tmp_path / "kept.zip")
    restore_backup(tmp_path / "kept.zip", tmp_path / "new.duckdb")
    with closing(Store(tmp_path / "new.duckdb")) as copy:
        assert list_webhooks(copy) == []
        assert list_due(copy) == []
        assert copy.cursor().execute("FROM webhook_deliveries").fetchall() == []


@long
def test_an_erased_person_is_in_no_address(store: Store, cats: str, anna: str):
    add_person(store, "Olga", "organiser")
    make_webhook(store, cats, "https://example.org/of/Anna/hook")
    erase_person(store, anna)
    (kept,) = list_webhooks(store, cats)
    assert kept.address == f"https://example.org/of/{anna}/hook"
