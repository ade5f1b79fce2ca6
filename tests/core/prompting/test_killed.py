"""The process is killed in the middle, the job goes on: nothing is lost, and nothing asked twice
but what was under way."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from core.settings import ROOT
from core.store.check.check_machines import MACHINE_JOBS
from core.store.machines.jobs import list_jobs
from core.store.machines.requests import count_job
from core.store.store import Store
from tests.core.prompting.chat_server import Asked, ChatServer, Told, fail, judge
from tests.core.prompting.collection import NAME, fill_store
from tests.core.prompting.conftest import Serve
from tests.short import long

AT_ONCE = 10
PATIENCE = 200.0
FAULTS = (
    fail(429),
    fail(429, Retry_After="0"),
    fail(500),
    Told(200, judge(1).body[:40]),
    Told(200, judge(1).body, breaks_after=0),
    Told(200, judge(1).body, breaks_after=30),
)
WRONG = (judge(7), judge("3.5"), judge("three"))


def number_of(item: str) -> int:
    return int(item[1 : item.index("d")]) * 10_000 + int(item[-4:])


def behave(asked: Asked) -> Told:
    """Fail for one item in ten when it is first asked; answer some others with no level."""
    number = number_of(asked.item)
    if number % 10 == 0 and asked.count == 1:
        return FAULTS[number // 10 % len(FAULTS)]
    told = WRONG[number % 3] if number % 25 == 7 else judge(number % 4)
    return replace(told, stall=0.01)


def begin(store: Path, *words: str) -> "subprocess.Popen[bytes]":
    command = (sys.executable, "-m", "core.command.main", "judge", "--store", str(store))
    common = ("--collection", NAME, "--concurrency", str(AT_ONCE), "--yes")
    return subprocess.Popen(
        (*command, *common, *words),
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def kill_at(process: "subprocess.Popen[bytes]", server: ChatServer, requests: int) -> None:
    """Kill -9 as soon as the server has been asked so often."""
    until = time.monotonic() + PATIENCE
    while server.counts.total() < requests and time.monotonic() < until:
        threading.Event().wait(0.005)
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGKILL)
    process.communicate()


@long
@pytest.mark.file_only
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("documents", "topics", "kills"),
    [(20, 2, (15,)), pytest.param(250, 4, (300, 650), marks=long)],
)
def test_a_job_that_is_killed_goes_on(
    documents: int,
    topics: int,
    kills: tuple[int, ...],
    serve: Serve,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
):
    path = tmp_path / "store.duckdb"
    with closing(Store(path)) as store:
        collection_id = fill_store(store, documents, topics)
    server = serve(behave)
    words = ["--machine", "llm", "--server", server.url, "--model", "m", "--part", "pool"]
    words += ["--depth", "1000"]
    for requests in kills:
        kill_at(begin(path, *words), server, requests)
        with closing(Store(path)) as store:
            (job,) = list_jobs(store, collection_id)
            assert count_job(store, job.job_id).requests <= server.counts.total() + AT_ONCE
        words = ["--resume", job.job_id]
    last = begin(path, *words)
    _, said = last.communicate(timeout=PATIENCE)
    assert last.returncode == 0, said
    with closing(Store(path)) as store:
        counts = check_job(store, collection_id, server, len(kills), documents * topics)
    record_property("counts", counts)


def check_job(
    store: Store, collection_id: str, server: ChatServer, kills: int, expected: int
) -> str:
    (job,) = list_jobs(store, collection_id)
    tally = count_job(store, job.job_id)
    assert (tally.items, tally.open, tally.given_up) == (expected, 0, 0)
    cursor = store.cursor()
    events = cursor.execute("SELECT document_id FROM labels WHERE assessor_id = 'llm'").fetchall()
    assert Counter(one for (one,) in events) == Counter(server.counts.keys()), "each has one label"
    lost = Counter(
        one
        for (one,) in cursor.execute(
            "SELECT document_id FROM machine_items JOIN machine_requests USING (job_id, place) "
            "ANTI JOIN machine_replies USING (request_id)"
        ).fetchall()
    )
    assert lost.total() <= kills * AT_ONCE, "only what was under way at a kill has no outcome"
    faults = sum(number_of(item) % 10 == 0 for item in server.counts)
    for item, count in server.counts.items():
        assert count <= 1 + (number_of(item) % 10 == 0) + lost[item]
    again = server.counts.total() - expected - faults
    assert again <= lost.total()
    assert server.counts.total() <= tally.requests, "each request was on disk before it was sent"
    assert MACHINE_JOBS.check(store).holds
    held = store.labels.current(collection_id, "llm")
    for key, label in held.items():
        number = number_of(key.document_id)
        given = ("invalid answer", None) if number % 25 == 7 else ("level", number % 4)
        assert (label.state, label.level) == given
    return f"{expected:,} items, {faults} faults, {kills} kills, {again} asked again"


@long
@pytest.mark.file_only
def test_ctrl_c_waits_for_what_was_sent_and_loses_nothing(serve: Serve, tmp_path: Path):
    path = tmp_path / "store.duckdb"
    with closing(Store(path)) as store:
        collection_id = fill_store(store, 20, 2)
    server = serve(lambda _: replace(judge(1), stall=0.05))
    words = ("--machine", "llm", "--server", server.url, "--model", "m", "--part", "pool")
    process = begin(path, *words, "--depth", "1000")
    until = time.monotonic() + PATIENCE
    while server.counts.total() < 8 and time.monotonic() < until:
        threading.Event().wait(0.005)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert b"items are left: it was stopped. Go on with --resume j-" in said
    with closing(Store(path)) as store:
        (job,) = list_jobs(store, collection_id)
        tally = count_job(store, job.job_id)
        assert tally.levels == tally.requests == server.counts.total() < 40
