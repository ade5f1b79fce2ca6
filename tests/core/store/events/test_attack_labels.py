"""Hostile and broken label events: none is acknowledged that is not stored, none blocks others."""

import threading
import uuid
from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.events.labels import Key, LabelEvent
from core.store.store import Store


def event(document: str, assessor: str = "a", event_id: str = "", comment: str = "") -> LabelEvent:
    key = Key("t", document, "page", "", assessor, 0)
    return LabelEvent(event_id or str(uuid.uuid4()), None, key, "level", 1, 0, comment)


def stored(store: Store) -> int:
    ((count,),) = store.cursor().execute("SELECT count(*) FROM labels").fetchall()
    return int(count)


def test_one_event_id_for_two_labels_is_refused_whole(store: Store):
    shared = str(uuid.uuid4())
    with pytest.raises(BadInput, match="another label"):
        store.labels.append("c", [event("d1", event_id=shared), event("d2", event_id=shared)])
    assert stored(store) == 0
    assert store.labels.current("c", "a") == {}


def test_one_event_id_of_two_assessors_at_once_gives_the_label_to_one_only(store: Store):
    shared, kept, refused = str(uuid.uuid4()), [], []

    def send(assessor: str) -> None:
        try:
            kept.append(store.labels.append("c", [event("d", assessor, shared)]))
        except BadInput:
            refused.append(assessor)

    with store.labels.bulk("c"):  # both wait here, and so are written as one group
        threads = [threading.Thread(target=send, args=(name,)) for name in "ab"]
        for thread in threads:
            thread.start()
        while len(store.labels._queue) < 2:
            pass
    for thread in threads:
        thread.join()
    assert (len(kept), len(refused), stored(store)) == (1, 1, 1)


def test_an_event_that_cannot_be_written_does_not_take_others_with_it(store: Store):
    saved, failed = [], []

    def send(number: int) -> None:
        unfit = "\ud800" if number == 3 else ""
        try:
            saved.extend(store.labels.append("c", [event(f"d{number}", comment=unfit)]))
        except Exception as error:
            failed.append(error)

    with store.labels.bulk("c"):
        threads = [threading.Thread(target=send, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        while len(store.labels._queue) < 8:
            pass
    for thread in threads:
        thread.join()
    assert (len(saved), len(failed), stored(store)) == (7, 1, 7)
    assert sorted(one.sequence for one in saved) == list(range(1, 8))
    assert len(store.labels.current("c", "a")) == 7


@pytest.mark.file_only
def test_an_empty_key_file_is_never_signed_with(tmp_path: Path):
    (tmp_path / "store.duckdb.key").write_text("")
    store = Store(tmp_path / "store.duckdb")
    secret = store.secret
    store.close()
    assert len(secret) > 40
    assert (tmp_path / "store.duckdb.key").stat().st_mode & 0o077 == 0
    again = Store(tmp_path / "store.duckdb")
    assert again.secret == secret
    again.close()
    assert {file.name for file in tmp_path.iterdir()} == {"store.duckdb", "store.duckdb.key"}
