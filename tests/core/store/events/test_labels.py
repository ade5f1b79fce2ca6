"""The event log: nothing lost, nothing twice, nothing overwritten."""

import threading
import uuid
from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent
from core.store.store import Store
from tests.short import long

pytestmark = pytest.mark.contract

KEY = Key("t1", "d1", "page", "", "anna", 0)


def event(level: int | None = 1, supersedes: str | None = None, **other: object) -> LabelEvent:
    fields = {"event_id": str(uuid.uuid4()), "key": KEY, "state": "level", **other}
    if fields["state"] != "level":
        level = None
    return LabelEvent(supersedes=supersedes, level=level, **fields)


def events_on_disk(store: Store) -> list[tuple]:
    return (
        store.cursor()
        .execute("SELECT event_id::VARCHAR, level, stale FROM labels ORDER BY sequence")
        .fetchall()
    )


def test_an_acknowledged_event_survives_reopening(tmp_path: Path):
    store = Store(tmp_path / "s.duckdb")
    first = event(2)
    (receipt,) = store.labels.append("c", [first])
    store.close()
    again = Store(tmp_path / "s.duckdb")
    assert events_on_disk(again) == [(first.event_id, 2, False)]
    assert again.labels.sequence("c") == receipt.sequence == 1
    again.close()


def test_sending_twice_stores_once_and_answers_alike(store: Store):
    first, second = event(1), event(2, key=KEY._replace(document_id="d2"))
    once = store.labels.append("c", [first])
    twice = store.labels.append("c", [first, second, second])
    assert twice[0] == once[0]
    assert twice[1] == twice[2]
    assert len(events_on_disk(store)) == 2


def test_a_revision_takes_the_place_and_the_old_event_stays(store: Store):
    first = event(0)
    second = event(3, supersedes=first.event_id)
    store.labels.append("c", [first, second])
    labels = read_labels(store, "c")
    assert labels["given_level"].tolist() == [3]
    assert len(events_on_disk(store)) == 2


@long
def test_cannot_judge_does_not_bring_an_old_level_back(store: Store):
    first = event(3)
    store.labels.append("c", [first])
    store.labels.append("c", [event(supersedes=first.event_id, state="cannot judge")])
    labels = read_labels(store, "c")
    assert labels["state"].tolist() == ["cannot judge"]
    assert labels["given_level"].isna().all()


@long
def test_a_late_stale_event_is_kept_as_history_and_said_to_be_stale(store: Store):
    first = event(0)
    store.labels.append("c", [first])
    store.labels.append("c", [event(1, supersedes=first.event_id)])
    (receipt,) = store.labels.append("c", [event(2, supersedes=first.event_id)])
    assert receipt.stale
    assert receipt.current.level == 1
    assert read_labels(store, "c")["given_level"].tolist() == [1]
    assert [stale for _, _, stale in events_on_disk(store)] == [False, False, True]


@long
def test_stale_survives_reopening(tmp_path: Path):
    store = Store(tmp_path / "s.duckdb")
    store.labels.append("c", [event(0)])
    store.close()
    again = Store(tmp_path / "s.duckdb")
    (receipt,) = again.labels.append("c", [event(2)])
    assert receipt.stale
    again.close()


def test_an_id_of_somebody_elses_event_is_refused_alone(store: Store):
    first = event(0)
    store.labels.append("c", [first])
    thief = event(3, event_id=first.event_id, key=KEY._replace(assessor_id="bob"))
    with pytest.raises(BadInput, match="another label"):
        store.labels.append("c", [thief])
    assert len(events_on_disk(store)) == 1
    (receipt,) = store.labels.append("c", [event(2, supersedes=first.event_id)])
    assert not receipt.stale


@long
def test_a_broken_event_does_not_take_its_neighbours_down(store: Store):
    barrier, results = threading.Barrier(12), {}

    def send(number: int) -> None:
        good = event(1, key=KEY._replace(assessor_id=f"a{number}"))
        bad = event(1, event_id="not a uuid")
        barrier.wait()
        try:
            results[number] = store.labels.append("c", [bad if number % 4 == 0 else good])
        except Exception as error:
            results[number] = error

    threads = [threading.Thread(target=send, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    failed = {n for n, result in results.items() if isinstance(result, Exception)}
    assert failed == {0, 4, 8}
    assert len(events_on_disk(store)) == 9


def test_many_writers_at_once_lose_and_repeat_nothing(store: Store, long_form: bool):
    times, sent = 40 if long_form else 10, list[str]()

    def work(name: str) -> None:
        previous = None
        for number in range(times):
            one = event(number % 4, supersedes=previous, key=KEY._replace(assessor_id=name))
            store.labels.append("c", [one])
            sent.append(one.event_id)
            previous = one.event_id

    threads = [threading.Thread(target=work, args=(f"a{n}",)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = [event_id for event_id, _, _ in events_on_disk(store)]
    assert sorted(stored) == sorted(sent)
    assert store.labels.sequence("c") == 8 * times
    assert not any(stale for _, _, stale in events_on_disk(store))
    assert len(read_labels(store, "c")) == 8


def test_labels_at_an_old_sequence_are_what_they_were(store: Store):
    first = event(0)
    store.labels.append("c", [first])
    store.labels.append("c", [event(3, supersedes=first.event_id)])
    assert read_labels(store, "c", until=1)["given_level"].tolist() == [0]
    assert read_labels(store, "c", until=2)["given_level"].tolist() == [3]


@long
def test_each_part_of_the_key_tells_labels_apart(store: Store):
    changes = {"topic_id": "t2", "document_id": "d2", "facet": "snippet", "engine": "e",
               "assessor_id": "bob", "occasion": 1}  # fmt: skip
    keys = [KEY, *(KEY._replace(**{field: value}) for field, value in changes.items())]
    receipts = store.labels.append("c", [event(1, key=key) for key in keys])
    assert not any(receipt.stale for receipt in receipts)
    assert len(read_labels(store, "c")) == 7


@long
def test_setting_an_item_aside_does_not_claim_a_place_among_the_first(store: Store):
    later = event(state="later")
    store.labels.append("c", [later])
    store.labels.append("c", [event(1, key=KEY._replace(assessor_id="bob"))])
    store.labels.append("c", [event(2, supersedes=later.event_id)])
    labels = read_labels(store, "c")
    assert labels["assessor_id"].tolist() == ["bob", "anna"]
    assert labels["sequence"].tolist() == [2, 3]
