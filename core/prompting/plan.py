"""What a job will send, to whom and for how much, before anything is sent."""

import json
import secrets
import uuid
from dataclasses import dataclass, replace

import numpy as np

from core.errors import BadInput, NotFound
from core.prompting.job import Job, read_job
from core.prompting.question import Questioner, read_materials
from core.prompting.selection import Item, select_items
from core.prompting.template import TEXT, TITLE, TOPIC
from core.store.content.collections import get_collection
from core.store.content.scales import get_scales
from core.store.machines.jobs import JobItem, JobRecord, get_job, insert_job
from core.store.machines.machines import Machine, describe_machine, find_machine
from core.store.machines.requests import list_open
from core.store.store import Store, utc_now

CHARACTERS_A_TOKEN, TOKENS_AN_ANSWER, SECONDS_A_REQUEST = 4, 80, 3.0
"""Rules of thumb of the estimate: for English, for a short reason, for a model of middling size."""

_EVENTS = uuid.UUID("0b1b3d1e-8a3e-4c0c-9a53-3c1f6f0c7f52")
_FIELDS = (*TOPIC, "guidelines", TITLE, TEXT)


@dataclass(frozen=True)
class Estimate:
    """What a job is likely to take, by rules of thumb.

    Parameters
    ----------
    items : int
        Requests, if none has to be sent again.
    characters : int
        Of all prompts together.
    cut : int
        Texts that are longer than what is sent of one.
    money, most_money : float or None
        What the answers are likely to cost, and the most that one request for each item can cost;
        None without prices.
    """

    items: int
    characters: int
    cut: int
    money: float | None = None
    most_money: float | None = None

    @property
    def input_tokens(self) -> int:
        """Tokens that are sent: one for every four characters."""
        return -(-self.characters // CHARACTERS_A_TOKEN)

    @property
    def output_tokens(self) -> int:
        """Tokens that are answered: eighty an item."""
        return self.items * TOKENS_AN_ANSWER

    def seconds(self, concurrency: int, per_minute: float | None) -> float:
        """Return how long it takes: three seconds a request, at most so many in a minute."""
        apart = 60 / per_minute if per_minute else 0.0
        return self.items * max(SECONDS_A_REQUEST / concurrency, apart)


@dataclass(frozen=True)
class JobPlan:
    """A job with the items that are still to be asked. ``job_id`` is empty until it is begun."""

    job: Job
    collection_id: str
    items: tuple[Item, ...]
    job_id: str = ""


def plan_job(store: Store, collection_id: str, job: Job) -> JobPlan:
    """Return what a job would ask; nothing is stored and nothing is sent.

    Raises
    ------
    BadInput
        The collection is closed, its scale is missing, or nothing is left to judge.
    NotFound
        A topic is not in the collection.
    """
    _require_open(store, collection_id, job.part.facet)
    rng = np.random.default_rng(job.part.seed)
    items = select_items(store, collection_id, job.part, job.machine, rng)
    return JobPlan(job, collection_id, tuple(items))


def begin_job(store: Store, plan: JobPlan, by: str = "") -> JobPlan:
    """Store a job and describe its machine; return the plan with the job's id.

    Raises
    ------
    BadInput
        Somebody else has the machine's name, or it has labels that it gave when it was asked
        otherwise.
    """
    job, job_id = plan.job, f"j-{secrets.token_hex(6)}"
    machine = replace(job.description, judged_on=utc_now().date().isoformat())
    held = find_machine(store, plan.collection_id, job.machine)
    if held is not None:
        _refuse_unsent(held, machine)
        machine = replace(machine, name=held.name)
    describe_machine(store, plan.collection_id, job.machine, machine, by)
    record = JobRecord(
        job_id,
        plan.collection_id,
        job.machine,
        by,
        utc_now(),
        str(job.endpoint),
        job.model,
        job.template.sha256,
        json.dumps(dict(job.description.parameters), ensure_ascii=False),
        job.part.to_json(),
        job.tries,
        job.limits.requests,
        job.limits.money,
        job.prices.input if job.prices else None,
        job.prices.output if job.prices else None,
    )
    items = [
        JobItem(place, make_event_id(job_id, item), *item) for place, item in enumerate(plan.items)
    ]
    insert_job(store, record, items)
    return replace(plan, job_id=job_id)


def _refuse_unsent(held: Machine, asked: Machine) -> None:
    """Raise BadInput where a machine is described by a parameter that is not sent."""
    if unsent := sorted(held.parameters.keys() - asked.parameters.keys()):
        raise BadInput(
            f"the machine '{held.name}' is described with the parameter '{unsent[0]}', which "
            "this job does not send; send it, too, or give the machine another name",
            field="machine",
        )


def plan_rest(store: Store, job_id: str) -> JobPlan:
    """Return what of a job that was begun is still to be asked.

    Raises
    ------
    NotFound
        There is no such job, or its machine is no longer described.
    BadInput
        The collection is closed, or the machine is asked otherwise now.
    """
    record = get_job(store, job_id)
    machine = find_machine(store, record.collection_id, record.assessor_id)
    if machine is None:
        raise NotFound(f"The machine of job {job_id} is not described any more.")
    job = replace(read_job(record, machine), machine=record.assessor_id)
    _require_open(store, record.collection_id, job.part.facet)
    items = (one.item for one in list_open(store, job_id))
    left = tuple(Item(one.topic_id, one.document_id, one.facet, one.engine) for one in items)
    return JobPlan(job, record.collection_id, left, job_id)


def make_event_id(job_id: str, item: Item) -> str:
    """Return the id of the event that an item's label is, always the same for a job.

    Examples
    --------
    >>> item = Item("t1", "d1", "page", "")
    >>> make_event_id("j-1", item) == make_event_id("j-1", item)
    True
    """
    return str(uuid.uuid5(_EVENTS, json.dumps([job_id, *item])))


def make_questioner(store: Store, plan: JobPlan) -> Questioner:
    """Return what asks about the items of a plan."""
    scale = get_scales(store, plan.collection_id)[plan.job.part.facet]
    guidelines = get_collection(store, plan.collection_id).guidelines
    return Questioner(plan.job.template, guidelines, scale)


def make_example(store: Store, plan: JobPlan) -> list[dict[str, str]]:
    """Return the messages that ask about the first item of a plan."""
    ((_, material),) = read_materials(store, plan.collection_id, plan.items[:1])
    return make_questioner(store, plan).ask(material.cut(plan.job.longest))


def list_fields(plan: JobPlan) -> list[str]:
    """Return which of topic, guidelines and document are sent, by name."""
    sent = [one for one in _FIELDS if one in plan.job.template.places]
    return [plan.job.part.facet if one == TEXT else one for one in sent]


def estimate_job(store: Store, plan: JobPlan) -> Estimate:
    """Return what a plan is likely to take, from the texts that it would send."""
    questioner, job = make_questioner(store, plan), plan.job
    characters = cut = 0
    most = 0.0
    for _, material in read_materials(store, plan.collection_id, plan.items):
        messages = questioner.ask(material.cut(job.longest))
        characters += sum(len(one["content"]) for one in messages)
        cut += len(material.text) > job.longest
        most += job.most_cost(json.dumps(messages, ensure_ascii=False).encode())
    estimate = Estimate(len(plan.items), characters, cut)
    if job.prices is None:
        return estimate
    money = job.prices.cost(estimate.input_tokens, estimate.output_tokens)
    return replace(estimate, money=money, most_money=most)


def _require_open(store: Store, collection_id: str, facet: str) -> None:
    if get_collection(store, collection_id).closed_at:
        raise BadInput("this collection is closed: open it again before a machine judges in it")
    if facet not in get_scales(store, collection_id):
        raise BadInput(f"this collection has no scale for a {facet}", field="facet")
