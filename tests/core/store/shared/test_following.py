"""Every server reads what any server committed, in the order of commits, whoever was slow."""

import threading
import uuid
from collections.abc import Callable
from contextlib import closing

import pytest

from core.place import Address
from core.store.content.collections import create_collection, list_collections
from core.store.events.frames import read_labels
from core.store.events.labels import Key, LabelEvent
from core.store.shared import log
from core.store.shared.connections import SCHEMA, Connections
from core.store.shared.log import lock_head, read_log
from core.store.store import Store
from tests.browser.running import wait_until
from tests.engines import compare_with_fresh
from tests.patience import PATIENCE
from tests.short import long


def label(number: int, assessor: str = "anna", supersedes: str | None = None) -> LabelEvent:
    key = Key("t1", f"d{number}", "page", "", assessor, 0)
    return LabelEvent(str(uuid.uuid4()), supersedes, key, "level", 1)


def compare_with_database(store: Store, address: Address) -> None:
    """Assert that a server's copy is what a new one would copy."""
    store.refresh()
    compare_with_fresh(store.cursor(), address)


def test_what_one_server_writes_the_other_reads(open_server, address: Address):
    one, other = open_server(), open_server()
    collection_id = create_collection(one, "Study")
    other.refresh()
    assert [found.name for found in list_collections(other)] == ["Study"]
    assert other.state(collection_id)[1] == 1  # its live pages are woken
    receipts = [one.labels.append(collection_id, [label(n)])[0] for n in range(3)]
    assert [receipt.sequence for receipt in receipts] == [1, 2, 3]
    (receipt,) = other.labels.append(collection_id, [label(3)])
    assert receipt.sequence == 4
    one.refresh()
    for store in (one, other):
        assert store.labels.sequence(collection_id) == 4
        assert len(read_labels(store, collection_id)) == 4
        compare_with_database(store, address)


def test_an_event_sent_to_two_servers_is_stored_once(open_server):
    one, other = open_server(), open_server()
    collection_id = create_collection(one, "Study")
    event = label(1)
    assert one.labels.append(collection_id, [event]) == other.labels.append(collection_id, [event])
    ((count,),) = one.database.run("SELECT count(*) FROM labels")
    assert count == 1


@long
def test_a_label_that_another_server_has_replaced_is_stale(open_server):
    one, other = open_server(), open_server()
    collection_id = create_collection(one, "Study")
    first = label(1)
    one.labels.append(collection_id, [first])
    other.refresh()
    assert other.labels.current(collection_id, "anna")[first.key].event_id == first.event_id
    revised = label(1, supersedes=first.event_id)
    one.labels.append(collection_id, [revised])
    (receipt,) = other.labels.append(collection_id, [label(1, supersedes=first.event_id)])
    assert (receipt.stale, receipt.current.event_id) == (True, revised.event_id)


@long
def test_a_slow_transaction_is_not_skipped(open_server, address: Address):
    """It had its work done first and commits last: its position is its place among commits."""
    one, other = open_server(), open_server()
    collection_id = create_collection(one, "Study")
    begun, go_on = threading.Event(), threading.Event()

    def write_slowly() -> None:
        with one.change(collection_id, "edit", "slow") as cursor:
            cursor.execute("INSERT INTO settings VALUES ('slow', 'yes')")
            begun.set()
            go_on.wait(30)

    slow = threading.Thread(target=write_slowly)
    slow.start()
    begun.wait(30)
    for n in range(5):  # nobody who appends waits for it
        other.labels.append(collection_id, [label(n)])
    seen = other.database.run("SELECT * FROM settings")
    go_on.set()
    slow.join()
    other.refresh()
    assert seen == []
    assert other.database.run("SELECT * FROM settings") == [("slow", "yes")]
    for store in (one, other):
        compare_with_database(store, address)


def test_positions_are_in_the_order_of_commits_with_many_writers(address: Address):
    """Whoever sees a position sees all before it, however long a transaction takes to commit."""
    with closing(Connections(address)) as connections:
        with connections.use() as link:
            ((start,),) = link.execute(f"SELECT position FROM {SCHEMA}.head").fetchall()
        gaps: list[list[int]] = []
        ended = threading.Event()

        def write(slowness: float) -> None:
            for _ in range(15):
                with connections.use(timeout=60) as link:
                    link.execute("SELECT pg_sleep(%s)", [slowness])
                    position = lock_head(link)
                    link.execute("SELECT pg_sleep(%s)", [slowness / 4])
                    link.execute(
                        f"INSERT INTO {SCHEMA}.log VALUES (%s, 0, 'settings', 'insert', ''::bytea)",
                        [position],
                    )

        def watch() -> None:
            with connections.use(timeout=60) as link:
                while not ended.is_set():
                    rows = link.execute(
                        f"SELECT position FROM {SCHEMA}.log ORDER BY position"
                    ).fetchall()
                    seen = [position for (position,) in rows]
                    if seen != list(range(start + 1, start + 1 + len(seen))):
                        gaps.append(seen)
                    link.rollback()

        writers = [threading.Thread(target=write, args=(slow,)) for slow in (0.0, 0.01, 0.02)]
        watcher = threading.Thread(target=watch)
        watcher.start()
        for one in writers:
            one.start()
        for one in writers:
            one.join()
        ended.set()
        watcher.join()
        with connections.use() as link:
            ((end,),) = link.execute(f"SELECT position FROM {SCHEMA}.head").fetchall()
    assert gaps == []
    assert end == start + 45


def test_numbers_of_a_sequence_would_skip_what_is_slow(address: Address):
    """Only then does the test above prove anything: numbered when asked, a slow one is missed."""
    with closing(Connections(address)) as connections, connections.use() as first:
        first.execute("CREATE TABLE dissent.numbered (number BIGSERIAL)")
        first.commit()
        first.execute("INSERT INTO dissent.numbered DEFAULT VALUES")
        with connections.use() as second:
            second.execute("INSERT INTO dissent.numbered DEFAULT VALUES")
        with connections.use() as reader:
            rows = reader.execute("SELECT number FROM dissent.numbered").fetchall()
    assert rows == [(2,)]


@long
def test_what_was_cut_from_the_log_is_copied_anew(open_server, address: Address):
    one, late = open_server(), open_server()
    collection_id = create_collection(one, "Study")
    told: list[object] = []
    late.database.listen(told.append)
    with late.database.copy.lock:  # it follows nothing meanwhile
        for n in range(3):
            one.labels.append(collection_id, [label(n)])
        with closing(Connections(address)) as connections, connections.use() as link:
            link.execute(f"DELETE FROM {SCHEMA}.log")
        one.labels.append(collection_id, [label(3)])
    wait_until(lambda: None in told)
    assert len(read_labels(late, collection_id)) == 4
    assert late.labels.append(collection_id, [label(4)])[0].sequence == 5
    compare_with_database(late, address)


def test_a_server_says_how_far_behind_it_is(open_server):
    store = open_server()
    wait_until(lambda: store.behind() < 1)
    store.refresh()
    assert 0 <= store.behind() < 5


@long
def test_a_portion_of_the_log_may_end_within_a_transaction(
    open_server, address: Address, monkeypatch: pytest.MonkeyPatch
):
    """An import makes many entries at one position: all of them are followed, or none."""
    monkeypatch.setattr(log, "_AT_ONCE", 50)
    one, other = open_server(), open_server()
    with one.database.write() as cursor:
        cursor.execute("INSERT INTO settings SELECT 'n' || range, '' FROM range(5000)")
    with closing(Connections(address)) as connections, connections.use() as link:
        portions = list(read_log(link, 0))
    assert len(portions) > 1
    other.refresh()
    assert other.database.run("SELECT count(*) FROM settings") == [(5000,)]


@long
def test_copies_are_made_anew_while_people_judge_and_pages_read(open_server, address: Address):
    """Nobody waits for somebody who waits for them, and nothing is skipped."""
    one, other = open_server(), open_server()
    collection_id = create_collection(one, "Study")
    ended, errors = threading.Event(), []
    given = 0

    def repeat(act: Callable[[], object]) -> threading.Thread:
        def work() -> None:
            try:
                while not ended.wait(0.01):
                    act()
            except Exception as error:
                errors.append(error)

        thread = threading.Thread(target=work)
        thread.start()
        return thread

    def anew() -> None:
        with other.database.copy.lock:
            other.database.copy.copy_anew()
        ended.wait(0.05)

    def read() -> None:
        until = other.labels.sequence(collection_id)
        assert len(other.current_labels.get(collection_id, until)) >= until
        other.labels.current(collection_id, "anna")

    threads = [repeat(anew), repeat(read), repeat(read)]
    for number in range(60):
        for store in (one, other):
            store.labels.append(collection_id, [label(given)])
            given += 1
        if number % 20 == 0:
            other.forget()
    ended.set()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert errors == []
    other.refresh()
    assert other.labels.sequence(collection_id) == given
    compare_with_database(other, address)
