"""What a job of a machine would send, and how far the jobs of a collection are."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

import pandas as pd

from core.analysis.base.study import Study
from core.errors import BadInput, NotFound
from core.prompting.client import Client
from core.prompting.job import Job
from core.prompting.plan import (
    Estimate,
    JobPlan,
    estimate_job,
    list_fields,
    make_example,
    make_questioner,
    plan_job,
    plan_rest,
)
from core.prompting.question import list_choices, make_schema
from core.store.machines.jobs import get_job, list_jobs
from core.store.machines.machines import list_machines
from core.store.machines.requests import count_job, read_without_level


@dataclass(frozen=True)
class Preview:
    """What a plan would send, for somebody to read and confirm before anything is sent.

    Parameters
    ----------
    plan : JobPlan
    estimate : Estimate
    fields : list of str
        Which of topic, guidelines and document are sent, by name.
    example : mapping
        The request about the first item, as the server would get it; the code in the prompt is
        another in each request.
    state : int
        Counts what was changed in the collection besides labels: texts, guidelines, scales.
    """

    plan: JobPlan
    estimate: Estimate
    fields: list[str]
    example: Mapping[str, Any]
    state: int

    @property
    def digest(self) -> str:
        """What stands for all of this: another one where anything would be sent otherwise."""
        content = [self.state, asdict(self.plan)]
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def preview_job(study: Study, job: Job) -> Preview:
    """Return what a new job would send; nothing is stored.

    Raises
    ------
    BadInput
        Nothing is left to judge, or the collection is not ready for it.
    """
    state = study.store.state(study.collection_id)[1]
    return _preview(study, plan_job(study.store, study.collection_id, job), state)


def preview_rest(study: Study, job_id: str) -> Preview:
    """Return what is still to be sent of a job that was begun in this collection.

    Raises
    ------
    NotFound
        The collection has no such job.
    BadInput
        The job cannot go on, or nothing of it is left.
    """
    state = study.store.state(study.collection_id)[1]
    if get_job(study.store, job_id).collection_id != study.collection_id:
        raise NotFound(f"There is no machine job {job_id} in this collection.")
    plan = plan_rest(study.store, job_id)
    if not plan.items:
        raise BadInput(f"nothing of job {job_id} is left to judge")
    return _preview(study, plan, state)


def _preview(study: Study, plan: JobPlan, state: int) -> Preview:
    job, store = plan.job, study.store
    choices = list_choices(make_questioner(store, plan).scale)
    body = Client(job.endpoint, job.model).write(
        make_example(store, plan), job.parameters, make_schema(choices)
    )
    return Preview(plan, estimate_job(store, plan), list_fields(plan), json.loads(body), state)


def machine_jobs_of(study: Study) -> pd.DataFrame:
    """Return the jobs of the collection, the latest first.

    Returns
    -------
    DataFrame
        job_id, machine (its name), model, endpoint, part, facet, started_at (UTC); items, and of
        these levels, cannot_judge, invalid, given_up and open (still to be asked); requests and
        spent, both counted at the most that they can be.
    """
    names = {key: one.name for key, one in list_machines(study.store, study.collection_id).items()}
    rows = []
    for job in reversed(list_jobs(study.store, study.collection_id)):
        part, tally = json.loads(job.part), count_job(study.store, job.job_id)
        rows.append(
            {
                "job_id": job.job_id,
                "machine": names.get(job.assessor_id, job.assessor_id),
                "model": job.model,
                "endpoint": job.endpoint,
                "part": part["which"],
                "facet": part["facet"],
                "started_at": job.started_at,
                **asdict(tally),
                "open": tally.open,
            }
        )
    return pd.DataFrame(rows)


def without_level_of(study: Study, job_id: str) -> pd.DataFrame:
    """Return the items of a job that got no level, as `read_without_level` has them."""
    return read_without_level(study.store, job_id)
