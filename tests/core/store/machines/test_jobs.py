import uuid
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest

from core.errors import NotFound, StoreInUse
from core.store.audit.audit import AuditFilter, read_audit
from core.store.backup.backup import restore_backup, write_backup
from core.store.check.check_machines import MACHINE_JOBS
from core.store.events.labels import Key, LabelEvent
from core.store.machines.jobs import JobItem, JobRecord, get_job, insert_job, list_jobs
from core.store.machines.machine_answer import MachineAnswer
from core.store.machines.machines import Machine, describe_machine
from core.store.machines.requests import (
    AGAIN,
    ANSWERED,
    GIVEN_UP,
    UNSTRUCTURED,
    GivenUp,
    OpenItem,
    ReplyRecord,
    Tally,
    begin_request,
    count_job,
    end_request,
    hold_job,
    knows_structured,
    list_given_up,
    list_open,
)
from core.store.merge.merge import merge_stores
from core.store.store import Store, utc_now
from tests.short import long

ITEMS = tuple(
    JobItem(place, str(uuid.UUID(int=place)), "t1", f"d{place}", "page", "") for place in range(4)
)


@pytest.fixture
def job(store: Store, collection: str) -> JobRecord:
    """A job of four items; the machine is known."""
    describe_machine(store, collection, "llm", Machine("llm"))
    asked = ("https://example.org/v1", "a model", "00", "{}", "{}")
    begun = JobRecord("j-1", collection, "llm", "olga", utc_now(), *asked, 5, 10, 1.5, 2.0, 8.0)
    insert_job(store, begun, ITEMS)
    return begun


def answer(store: Store, job: JobRecord, item: JobItem, state: str = "level") -> None:
    key = Key(item.topic_id, item.document_id, "page", "", job.assessor_id, 0)
    level = 1 if state == "level" else None
    event = LabelEvent(item.event_id, None, key, state, level, answer=MachineAnswer("1"))
    store.labels.append(job.collection_id, [event])


def ask(store: Store, job: JobRecord, place: int, attempt: int, *told: object) -> None:
    request_id = begin_request(store, job.job_id, place, attempt, 0.5)
    end_request(store, job.job_id, request_id, ReplyRecord(*told))


def test_a_job_is_stored_as_it_is(store: Store, job: JobRecord):
    assert get_job(store, "j-1") == job
    assert list_jobs(store, job.collection_id) == [job]
    assert list_jobs(store, "c-0") == []
    assert list_open(store, "j-1") == [OpenItem(item, 0, 0) for item in ITEMS]
    with pytest.raises(NotFound, match="no machine job j-2"):
        get_job(store, "j-2")


def test_items_are_open_until_they_have_a_label_or_are_given_up(store: Store, job: JobRecord):
    ask(store, job, 0, 1, UNSTRUCTURED, "the server answered 400")
    answer(store, job, ITEMS[0])
    ask(store, job, 0, 2, ANSWERED, "", 200, 0.25, 100, 20)
    ask(store, job, 1, 1, AGAIN, "the server answered 500", 500, 0.0)
    begin_request(store, "j-1", 1, 2, 0.5)
    ask(store, job, 2, 1, GIVEN_UP, "the server answered 413", 413, 0.0)
    assert list_open(store, "j-1") == [OpenItem(ITEMS[1], 2, 1), OpenItem(ITEMS[3], 0, 0)]
    assert list_given_up(store, "j-1") == [
        GivenUp("t1", "d2", "page", "", "the server answered 413")
    ]
    tally = count_job(store, "j-1")
    # What nobody knows the outcome of counts at the most that it can have cost.
    assert tally == Tally(4, 1, 0, 0, 1, 5, 0.75)
    assert (tally.done, tally.open) == (2, 2)
    assert not knows_structured(store, "j-1")
    for item, state in ((ITEMS[1], "cannot judge"), (ITEMS[3], "invalid answer")):
        answer(store, job, item, state)
    assert count_job(store, "j-1") == Tally(4, 1, 1, 1, 1, 5, 0.75)
    assert MACHINE_JOBS.check(store).holds


def test_nothing_is_sent_twice(store: Store, job: JobRecord):
    begin_request(store, "j-1", 0, 1, 0.0)
    with pytest.raises(StoreInUse, match="Another run of job j-1"):
        begin_request(store, "j-1", 0, 1, 0.0)
    assert count_job(store, "j-1").requests == 1


@pytest.mark.contract
def test_limits_count_what_the_store_holds_whoever_sent_it(store: Store, job: JobRecord):
    """Two runs that cannot know of each other send no more than one may."""
    begin_request(store, "j-1", 0, 1, 0.5, most_requests=2, most_spent=1.2)
    begin_request(store, "j-1", 1, 1, 0.5, most_requests=2, most_spent=1.2)
    for most in ({"most_requests": 2}, {"most_spent": 1.2}):
        with pytest.raises(StoreInUse, match="Another run of job j-1"):
            begin_request(store, "j-1", 2, 1, 0.5, **most)
    assert count_job(store, "j-1").requests == 2
    begin_request(store, "j-1", 2, 1, 0.2, most_requests=3, most_spent=1.2)


@pytest.mark.contract
def test_a_job_is_for_one_run_at_a_time(store: Store):
    with hold_job(store, "j-1") as is_held:
        assert is_held()
        with pytest.raises(StoreInUse, match="Another run of job j-1"), hold_job(store, "j-1"):
            pass
        with hold_job(store, "j-2") as is_other:
            assert is_other()
    with hold_job(store, "j-1") as is_held:
        assert is_held()


@long
def test_the_audit_says_who_began_a_job(store: Store, job: JobRecord):
    (told,) = read_audit(store, AuditFilter(kind="assignments"), 10).to_dict("records")
    assert (told["person_id"], told["what"], told["subject"], told["change"]) == (
        *("olga", "start", "machine job j-1", "4 items, a model"),
    )


@long
@pytest.mark.file_only
def test_jobs_of_two_sites_are_merged_and_restored(store: Store, job: JobRecord, tmp_path: Path):
    begin_request(store, "j-1", 0, 1, 0.5)
    store.close()
    first, second, both = (tmp_path / f"{name}.duckdb" for name in ("first", "second", "both"))
    for one in (first, second):
        copy(store.path, one)
    with closing(Store(first)) as here:
        answer(here, job, ITEMS[0])
    with closing(Store(second)) as there:
        ask(there, job, 1, 1, GIVEN_UP, "the server answered 413", 413, 0.0)
        insert_job(
            there,
            replace(job, job_id="j-2"),
            [replace(one, event_id=str(uuid.UUID(int=9 + one.place))) for one in ITEMS],
        )
    merge_stores(first, second, both)
    with closing(Store(both)) as merged:
        assert [one.job_id for one in list_jobs(merged, job.collection_id)] == ["j-1", "j-2"]
        assert count_job(merged, "j-1") == Tally(4, 1, 0, 0, 1, 2, 0.5)
        assert count_job(merged, "j-2").open == 4
        write_backup(merged, tmp_path / "backup.zip")
    restore_backup(tmp_path / "backup.zip", tmp_path / "restored.duckdb")
    with closing(Store(tmp_path / "restored.duckdb")) as restored:
        assert count_job(restored, "j-1") == Tally(4, 1, 0, 0, 1, 2, 0.5)
        assert MACHINE_JOBS.check(restored).holds
