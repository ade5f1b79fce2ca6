"""``dissent judge``: have a language model judge a part of a collection, once that is confirmed."""

import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

import numpy as np

from core.analysis.base.declared import shown_facets
from core.analysis.base.study import Study
from core.command.printing.output import print_json, print_notes, show_progress
from core.command.printing.tables import Cell, format_table
from core.command.stores import open_collection
from core.errors import BadInput
from core.prompting.budget import Limits, Prices
from core.prompting.choices import PARAMETERS
from core.prompting.client import Client
from core.prompting.endpoint import read_endpoint, read_key
from core.prompting.job import Job
from core.prompting.pace import Pacing
from core.prompting.plan import (
    CHARACTERS_A_TOKEN,
    SECONDS_A_REQUEST,
    TOKENS_AN_ANSWER,
    Estimate,
    JobPlan,
    begin_job,
    estimate_job,
    list_fields,
    make_example,
    plan_job,
    plan_rest,
)
from core.prompting.run import Outcome, run_job
from core.prompting.selection import Selection
from core.prompting.template import read_template
from core.store.machines.jobs import JobRecord, get_job, list_jobs
from core.store.machines.requests import Tally, count_job, list_given_up
from core.store.store import Store


@dataclass(frozen=True)
class PlanText:
    """What is said of a plan: for people, and for programs."""

    text: str
    facts: dict[str, Any]


def run(arguments: Namespace) -> int:
    """Plan a job, have it confirmed, and run it."""
    with open_collection(arguments) as (store, collection_id):
        if arguments.list:
            print_jobs(store, collection_id, arguments.format)
            return 0
        plan = _plan(store, collection_id, arguments)
        pacing = Pacing(arguments.concurrency, arguments.per_minute)
        estimate = estimate_job(store, plan)
        description = describe_plan(plan, estimate, pacing)
        if arguments.example and plan.items:
            description = add_example(description, make_example(store, plan))
        if arguments.dry_run:
            _print_dry(description, arguments.format)
            return 0
        print(description.text, file=sys.stderr)
        if plan.items:
            _confirm(plan, arguments)
        outcome = _run(store, plan, pacing, arguments)
        print_outcome(store, outcome, arguments.format)
    return 1 if outcome.tally.open else 0


def _plan(store: Store, collection_id: str, arguments: Namespace) -> JobPlan:
    if arguments.resume:
        if get_job(store, arguments.resume).collection_id != collection_id:
            raise BadInput(f"job {arguments.resume} is one of another collection")
        return plan_rest(store, arguments.resume)
    for name in ("machine", "server", "model"):
        if not getattr(arguments, name):
            arguments.parser.error(f"--{name} is needed (or --resume JOB, or --list)")
    facet = arguments.facet or shown_facets(Study(store, collection_id, is_masked=True))[0]
    return plan_job(store, collection_id, _read_job(arguments, facet))


def _read_job(arguments: Namespace, facet: str) -> Job:
    prices = None
    given = (arguments.input_price, arguments.output_price)
    if None not in given:
        prices = Prices(*given)
    elif given != (None, None):
        raise BadInput("--input-price and --output-price go together")
    parameters = {**PARAMETERS, **dict(arguments.parameter)}
    return Job(
        arguments.machine,
        arguments.model,
        read_endpoint(arguments.server),
        read_template(arguments.prompt),
        Selection(
            arguments.part,
            facet,
            arguments.depth,
            tuple(arguments.topics),
            arguments.sample,
            arguments.seed,
        ),
        {name: value for name, value in parameters.items() if value is not None},
        arguments.longest,
        arguments.tries,
        Limits(arguments.most_requests, arguments.most_money),
        prices,
    )


def _confirm(plan: JobPlan, arguments: Namespace) -> None:
    """Raise BadInput unless somebody says that this is to be sent."""
    if arguments.yes:
        return
    if not sys.stdin.isatty():
        raise BadInput(
            "nothing was sent: without a terminal nobody can confirm what is sent. Read what is "
            "printed above, and confirm it with --yes"
        )
    print(f"Send this to {plan.job.endpoint.host}? [yes/no] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().casefold() not in ("y", "yes"):
        raise BadInput("nothing was sent: it was not confirmed")


def _run(store: Store, plan: JobPlan, pacing: Pacing, arguments: Namespace) -> Outcome:
    client = Client(
        plan.job.endpoint, plan.job.model, read_key(arguments.key_variable), arguments.patience
    )
    begun = plan if plan.job_id else begin_job(store, plan)
    print_notes([f"this is job {begun.job_id}; Ctrl-C stops it, --resume {begun.job_id} goes on"])
    rng = np.random.default_rng()  # it spreads pauses, and no result depends on it
    with _stopped_by_signals() as stop:
        return run_job(
            store, begun, client, rng=rng, pacing=pacing, progress=_show_progress, stop=stop
        )


def _show_progress(done: int, items: int) -> None:
    show_progress(done / items, f"{done:,} of {items:,} items")


@contextmanager
def _stopped_by_signals() -> Iterator[threading.Event]:
    """Yield what is set by the first Ctrl-C or the first request to end; the second one ends."""
    stop = threading.Event()
    known = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}

    def set_stop(number: int, _: Any) -> None:
        stop.set()
        signal.signal(number, known[signal.Signals(number)])
        print_notes(["stopping: what was sent is waited for"])

    for one in known:
        signal.signal(one, set_stop)
    try:
        yield stop
    finally:
        for one, handler in known.items():
            signal.signal(one, handler)


def _print_dry(plan: PlanText, form: str) -> None:
    if form == "json":
        print_json(plan.facts)
    else:
        print(f"{plan.text}\nNothing was sent: this was a dry run.")


def describe_plan(plan: JobPlan, estimate: Estimate, pacing: Pacing) -> PlanText:
    """Return what leaves this machine for whom, and what that is likely to take."""
    job = plan.job
    seconds = estimate.seconds(pacing.concurrency, pacing.per_minute)
    facts: dict[str, Any] = {
        "job": plan.job_id or None,
        "server": str(job.endpoint),
        "host": job.endpoint.host,
        "encrypted": job.endpoint.is_secure,
        "model": job.model,
        "machine": job.machine,
        "prompt": job.template.name,
        "prompt_sha256": job.template.sha256,
        "items": len(plan.items),
        "topics": len({one.topic_id for one in plan.items}),
        "sent": list_fields(plan),
        "cut": estimate.cut,
        "input_tokens": estimate.input_tokens,
        "output_tokens": estimate.output_tokens,
        "money": estimate.money,
        "most_money": estimate.most_money,
        "seconds": seconds,
    }
    return PlanText("\n".join(_list_lines(plan, estimate, facts)), facts)


def _list_lines(plan: JobPlan, estimate: Estimate, facts: Mapping[str, Any]) -> list[str]:
    job = plan.job
    way = "" if job.endpoint.is_secure else ", NOT ENCRYPTED on its way"
    lines = [
        f"What leaves this machine: {facts['items']:,} items of {facts['topics']:,} topics",
        f"  to      {facts['host']} ({facts['server']}{way})",
        f"  model   {job.model}, whose labels are those of the machine '{job.machine}'",
        f"  with    {', '.join(facts['sent'])}, and the levels of the scale",
        f"  prompt  {job.template.name} (SHA-256 {job.template.sha256[:16]}…)",
    ]
    if estimate.cut:
        lines.append(f"  cut     {estimate.cut:,} texts, after {job.longest:,} characters")
    time = timedelta(seconds=round(facts["seconds"]))
    lines += [
        f"Estimate: {estimate.input_tokens:,} tokens sent, {estimate.output_tokens:,} answered, "
        f"{_tell_money(estimate)}about {time}",
        f"  by rule of thumb: {CHARACTERS_A_TOKEN} characters a token, {TOKENS_AN_ANSWER} tokens "
        f"an answer, {SECONDS_A_REQUEST:g} seconds a request; no request twice",
        f"Budget: {_tell_limits(plan)}",
    ]
    return lines


def _tell_money(estimate: Estimate) -> str:
    if estimate.money is None:
        return ""
    return f"costs {estimate.money:,.4g} (at the very most {estimate.most_money:,.4g}), "


def _tell_limits(plan: JobPlan) -> str:
    limits = plan.job.limits
    limits_named = [f"{limits.requests:,} requests"] if limits.requests is not None else []
    limits_named += [f"{limits.money:g} in money"] if limits.money is not None else []
    return ", ".join(limits_named) or "none"


def add_example(described: PlanText, messages: Sequence[Mapping[str, str]]) -> PlanText:
    """Return what is said of a plan with the first question, word for word."""
    shown = [f"--- {one['role']} ---\n{one['content']}" for one in messages]
    text = "\n".join([described.text, "The first question:", *shown, "---"])
    return PlanText(text, described.facts | {"example": [dict(one) for one in messages]})


def print_outcome(store: Store, outcome: Outcome, form: str) -> None:
    """Print how far a job is, and what to do where items are left."""
    given_up = list_given_up(store, outcome.job_id)
    if form == "json":
        items = [asdict(one) for one in given_up]
        fields = {"job": outcome.job_id, **_tell_tally(outcome.tally)}
        print_json(fields | {"stopped": outcome.stopped or None, "reasons": items})
    else:
        rows: list[list[Cell]] = [
            [count, name.replace("_", " ")] for name, count in _tell_tally(outcome.tally).items()
        ]
        print(format_table([f"job {outcome.job_id}", ""], rows))
        if given_up:
            rows = [[one.topic_id, one.document_id, one.engine, one.reason] for one in given_up]
            print("\n" + format_table(["topic", "document", "engine", "given up, as"], rows))
    if outcome.tally.open:
        print_notes(
            [
                f"{outcome.tally.open:,} items are left: {outcome.stopped}. "
                f"Go on with --resume {outcome.job_id}"
            ]
        )


def _tell_tally(tally: Tally) -> dict[str, int | float]:
    return {
        "items": tally.items,
        "levels": tally.levels,
        "cannot_judge": tally.cannot_judge,
        "invalid_answers": tally.invalid,
        "given_up": tally.given_up,
        "open": tally.open,
        "requests": tally.requests,
        "spent": tally.spent,
    }


def print_jobs(store: Store, collection_id: str, form: str) -> None:
    """Print the jobs of a collection, and how far each is."""
    jobs = [(one, count_job(store, one.job_id)) for one in list_jobs(store, collection_id)]
    if form == "json":
        print_json({"jobs": [_tell_job(one) | _tell_tally(tally) for one, tally in jobs]})
        return
    header = ["job", "machine", "model", "started", "items", "open", "requests", "spent"]
    rows: list[list[Cell]] = [
        [one.job_id, one.assessor_id, one.model, f"{one.started_at:%Y-%m-%d %H:%M}",
         tally.items, tally.open, tally.requests, tally.spent]
        for one, tally in jobs
    ]  # fmt: skip
    print(format_table(header, rows))


def _tell_job(one: JobRecord) -> dict[str, Any]:
    return {
        "job": one.job_id,
        "machine": one.assessor_id,
        "model": one.model,
        "server": one.endpoint,
        "started_at": one.started_at.isoformat(),
        "prompt_sha256": one.prompt_hash,
    }
