"""What a job of a machine would send, and how far the jobs of a collection are."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from core.analysis.base.study import Study
from core.analysis.judging.machine_jobs import (
    Preview,
    machine_jobs_of,
    preview_job,
    preview_rest,
    without_level_of,
)
from core.errors import BadInput, NotFound
from core.prompting.budget import Limits
from core.prompting.client import Client
from core.prompting.endpoint import read_endpoint
from core.prompting.job import Job
from core.prompting.plan import begin_job
from core.prompting.run import run_job
from core.prompting.selection import Selection
from core.prompting.template import read_template
from core.store.content.collections import create_collection, describe_collection
from core.store.store import Store
from tests.core.prompting.chat_server import Asked, ChatServer, Told, fail, judge
from tests.core.prompting.collection import QUICK, fill_store
from tests.short import long


@pytest.fixture
def study(store: Store) -> Study:
    return Study(store, fill_store(store), is_masked=False)


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with closing(ChatServer(lambda _: judge(1))) as opened:
        yield opened


@pytest.fixture
def job(chat: ChatServer) -> Job:
    return Job("llm", "judge-1", read_endpoint(chat.url), read_template("levels"))


def run(study: Study, preview: Preview) -> str:
    store, plan = study.store, preview.plan
    begun = plan if plan.job_id else begin_job(store, plan, "p-1")
    client = Client(begun.job.endpoint, begun.job.model)
    run_job(store, begun, client, rng=np.random.default_rng(1), pacing=QUICK)
    return begun.job_id


@long
def test_the_example_is_the_request_that_is_sent_first(study: Study, job: Job, chat: ChatServer):
    preview = preview_job(study, replace(job, part=Selection(sample=1)))
    assert chat.asked == []
    run(study, preview)
    (asked,) = chat.asked
    sent = {key: part for key, part in asked.body.items() if key != "messages"}
    assert sent == {key: part for key, part in preview.example.items() if key != "messages"}
    shown = Asked(asked.item, 1, dict(preview.example), {})
    assert shown.block == asked.block
    assert preview.fields == ["query", "description", "narrative", "guidelines", "title", "page"]


@long
def test_the_digest_stands_while_nothing_would_be_sent_otherwise(study: Study, job: Job):
    first = preview_job(study, job)
    assert preview_job(study, replace(job)).digest == first.digest
    others = [
        replace(job, model="judge-2"),
        replace(job, machine="other"),
        replace(job, template=read_template("steps")),
        replace(job, part=Selection("pool")),
        replace(job, part=Selection(topics=("t1",))),
        replace(job, parameters={"temperature": 1, "max_tokens": 400}),
        replace(job, endpoint=read_endpoint("http://127.0.0.1:9/v1")),
        replace(job, limits=Limits(requests=3)),
        replace(job, longest=3),
    ]
    digests = {preview_job(study, one).digest for one in others} | {first.digest}
    assert len(digests) == len(others) + 1
    describe_collection(
        study.store, study.collection_id, name="Cats", description="", guidelines="Be harsh."
    )
    assert preview_job(study, job).digest not in digests


def test_jobs_are_counted_and_the_rest_can_be_seen(study: Study, job: Job, chat: ChatServer):
    answers = {"t1d0003": judge(7), "t1d0004": judge("cannot judge"), "t1d0005": fail(400)}

    def behave(asked: Asked) -> Told:
        return answers.get(asked.item, judge(2))

    assert machine_jobs_of(study).empty
    chat.behave = behave
    first = run(study, preview_job(study, job))
    again = replace(job, machine="poor", limits=Limits(requests=2))
    second = run(study, preview_job(study, again))
    found = machine_jobs_of(study)
    assert found["job_id"].tolist() == [second, first]
    counts = ["items", "levels", "cannot_judge", "invalid", "given_up", "open", "requests"]
    assert found.loc[1, counts].tolist() == [10, 7, 1, 1, 1, 0, 11]
    assert found.loc[0, ["machine", "items", "requests"]].tolist() == ["poor", 10, 2]
    lacking = without_level_of(study, first)
    assert lacking[["document_id", "state", "reason"]].to_numpy().tolist() == [
        ["t1d0003", "invalid answer", "'7' is no level of the scale"],
        ["t1d0004", "cannot judge", "It says so."],
        ["t1d0005", "given up", "the server answered 400: out of order"],
    ]
    rest = preview_rest(study, second)
    assert rest.plan.job_id == second
    assert len(rest.plan.items) == found.loc[0, "open"]
    with pytest.raises(BadInput, match="nothing of job"):
        preview_rest(study, first)


def test_a_job_of_another_collection_is_none_of_this_one(study: Study, job: Job):
    job_id = begin_job(study.store, preview_job(study, job).plan).job_id
    other = Study(study.store, create_collection(study.store, "Dogs"), is_masked=False)
    with pytest.raises(NotFound, match="in this collection"):
        preview_rest(other, job_id)
