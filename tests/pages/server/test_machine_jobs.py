"""Jobs in the background of a server: one address, one at a time, none after its end."""

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import BadInput, NotAllowed, StoreInUse
from core.prompting.endpoint import ADDRESS_VARIABLE, KEY_VARIABLE, ApiKey, read_endpoint
from core.prompting.job import Job
from core.prompting.plan import JobPlan, plan_job, plan_rest
from core.prompting.template import read_template
from core.store.machines.jobs import list_jobs
from core.store.machines.requests import count_job
from core.store.store import Store
from pages.server.machine_jobs import FAILED, MachineJobs
from pages.server.running import server, stop
from tests.browser.running import wait_until
from tests.core.prompting.chat_server import Asked, ChatServer, Told, judge
from tests.core.prompting.collection import fill_store
from tests.short import few, long

SECRET = "sk-very-secret-key"


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with closing(ChatServer(lambda _: judge(1))) as opened:
        yield opened


@pytest.fixture
def cats(store: Store) -> str:
    return fill_store(store)


class Watched(MachineJobs):
    """Jobs that remember what they reported and what they complained of."""

    def __init__(self, store: Store, url: str) -> None:
        self.reports: list[tuple[str, int]] = []
        self.errors: list[Exception] = []
        super().__init__(
            store,
            read_endpoint(url),
            ApiKey(SECRET),
            lambda *told: self.reports.append(told),
            self.errors.append,
        )

    def wait(self) -> None:
        wait_until(lambda: self.under_way is None)


@pytest.fixture
def jobs(store: Store, chat: ChatServer) -> Iterator[Watched]:
    made = Watched(store, chat.url)
    yield made
    made.end()


def plan(store: Store, collection_id: str, url: str, machine: str = "llm") -> JobPlan:
    job = Job(machine, "judge-1", read_endpoint(url), read_template("levels"))
    return plan_job(store, collection_id, job)


def test_a_job_runs_and_is_reported(store: Store, chat: ChatServer, cats: str, jobs: Watched):
    job_id = jobs.begin(plan(store, cats, chat.url), "p-1")
    jobs.wait()
    assert count_job(store, job_id).levels == 10
    assert jobs.reports == [(cats, 10)]
    assert (jobs.find_reason(job_id), jobs.errors) == ("", [])


@pytest.mark.parametrize(
    "url",
    few(
        [
            "http://elsewhere.example/v1",
            "https://127.0.0.1/v1",
            "http://127.0.0.1:9/v1",
            "http://localhost/v1",
        ]
    ),
)
def test_no_other_address_is_asked(
    store: Store, chat: ChatServer, cats: str, jobs: Watched, url: str
):
    with pytest.raises(NotAllowed, match=r"may only ask http://127\.0\.0\.1"):
        jobs.begin(plan(store, cats, url), "p-1")
    assert (list_jobs(store, cats), jobs.under_way, chat.asked) == ([], None, [])


@long
def test_a_job_of_another_address_does_not_go_on(
    store: Store, chat: ChatServer, cats: str, jobs: Watched
):
    job_id = jobs.begin(plan(store, cats, chat.url), "p-1")
    jobs.wait()
    with store.database.write() as cursor:
        cursor.execute("UPDATE machine_jobs SET endpoint = 'http://elsewhere.example/v1'")
    with pytest.raises(NotAllowed, match="elsewhere"):
        jobs.begin(plan_rest(store, job_id), "p-1")


@long
def test_another_path_or_port_is_another_address(store: Store, chat: ChatServer, cats: str):
    jobs = Watched(store, f"{chat.url}/other")
    with pytest.raises(NotAllowed):
        jobs.begin(plan(store, cats, chat.url), "p-1")


def test_one_job_runs_at_a_time(store: Store, chat: ChatServer, cats: str, jobs: Watched):
    held = threading.Event()

    def behave(_: Asked) -> Told:
        held.wait(20)
        return judge(1)

    chat.behave = behave
    jobs.begin(plan(store, cats, chat.url), "p-1")
    with pytest.raises(StoreInUse, match="one runs at a time"):
        jobs.begin(plan(store, cats, chat.url, "other"), "p-1")
    held.set()
    jobs.wait()
    assert [one.assessor_id for one in list_jobs(store, cats)] == ["llm"]
    jobs.begin(plan(store, cats, chat.url, "other"), "p-1")
    jobs.wait()


@long
def test_what_is_under_way_is_waited_for_when_it_is_stopped(
    store: Store, chat: ChatServer, cats: str, jobs: Watched
):
    held = threading.Event()

    def behave(_: Asked) -> Told:
        held.wait(20)
        return judge(1)

    chat.behave = behave
    job_id = jobs.begin(plan(store, cats, chat.url), "p-1")
    wait_until(lambda: len(chat.asked) == 4)
    jobs.stop()
    assert jobs.under_way is not None
    assert jobs.under_way.is_stopping
    held.set()
    jobs.wait()
    assert count_job(store, job_id).levels == 4
    assert jobs.find_reason(job_id) == "it was stopped"


def test_the_end_breaks_off_what_does_not_answer(
    store: Store, chat: ChatServer, cats: str, jobs: Watched, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("pages.server.machine_jobs._GRACE", 0.5)
    held = threading.Event()

    def behave(_: Asked) -> Told:
        held.wait(60)
        return judge(1)

    chat.behave = behave
    job_id = jobs.begin(plan(store, cats, chat.url), "p-1")
    wait_until(lambda: len(chat.asked) == 4)
    jobs.end()
    jobs.wait()
    held.set()
    tally = count_job(store, job_id)
    assert (tally.done, tally.open, tally.requests) == (0, 10, 4)
    with pytest.raises(StoreInUse):
        jobs.begin(plan_rest(store, job_id), "p-1")
    again = Watched(store, chat.url)
    again.begin(plan_rest(store, job_id), "p-1")
    again.wait()
    assert count_job(store, job_id).levels == 10
    again.end()


def test_a_failure_ends_the_job_and_is_complained_of(
    store: Store, chat: ChatServer, cats: str, jobs: Watched
):
    made = plan(store, cats, chat.url)
    with store.database.write() as cursor:
        cursor.execute("ALTER TABLE machine_requests RENAME TO gone")
    job_id = jobs.begin(made, "p-1")
    jobs.wait()
    assert jobs.find_reason(job_id) == FAILED
    assert len(jobs.errors) == 1
    assert SECRET not in repr(jobs.errors)


def test_the_server_asks_what_its_operator_named(
    store: Store, chat: ChatServer, monkeypatch: pytest.MonkeyPatch
):
    assert server().machine_jobs is None
    stop()
    monkeypatch.setenv(ADDRESS_VARIABLE, chat.url)
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    jobs = server().machine_jobs
    assert jobs is not None
    assert str(jobs.endpoint) == chat.url
    assert SECRET not in repr(vars(jobs))


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        (ADDRESS_VARIABLE, f"https://{SECRET}@api.example.org/v1"),
        pytest.param(KEY_VARIABLE, "two words", marks=long),
    ],
)
def test_settings_that_cannot_be_used_are_refused_before_the_store_is_opened(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
):
    stop()
    monkeypatch.setenv(ADDRESS_VARIABLE, "https://api.example.org/v1")
    monkeypatch.setenv(variable, value)
    with pytest.raises(BadInput, match=variable) as refusal:
        server()
    assert SECRET not in str(refusal.value)
    monkeypatch.delenv(ADDRESS_VARIABLE)
    assert server().machine_jobs is None


@long
def test_the_demo_asks_nobody(live_demo: str, chat: ChatServer, monkeypatch: pytest.MonkeyPatch):
    stop()
    monkeypatch.setenv(ADDRESS_VARIABLE, chat.url)
    assert server().demo
    assert server().machine_jobs is None
