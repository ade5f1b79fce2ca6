"""``dissent judge``: have a language model judge a part of a collection, once that is confirmed."""

import signal
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from core.command.printing.judge_tables import (
    Told,
    add_example,
    describe_plan,
    print_jobs,
    print_outcome,
)
from core.command.printing.output import print_json, print_notes, show_progress
from core.command.stores import open_collection
from core.errors import BadInput
from core.prompting.budget import Limits, Prices
from core.prompting.choices import PARAMETERS
from core.prompting.client import Client
from core.prompting.endpoint import read_endpoint, read_key
from core.prompting.job import Job
from core.prompting.pace import Pacing
from core.prompting.plan import JobPlan, begin_job, estimate_job, make_example, plan_job, plan_rest
from core.prompting.run import Outcome, run_job
from core.prompting.selection import Selection
from core.prompting.template import read_template
from core.store.machines.jobs import get_job
from core.store.store import Store


def run(arguments: Namespace) -> int:
    """Plan a job, have it confirmed, and run it."""
    with open_collection(arguments) as (store, collection_id):
        if arguments.list:
            print_jobs(store, collection_id, arguments.format)
            return 0
        plan = _plan(store, collection_id, arguments)
        pacing = Pacing(arguments.concurrency, arguments.per_minute)
        estimate = estimate_job(store, plan)
        told = describe_plan(plan, estimate, pacing)
        if arguments.example and plan.items:
            told = add_example(told, make_example(store, plan))
        if arguments.dry_run:
            _print_dry(told, arguments.format)
            return 0
        print(told.text, file=sys.stderr)
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
    return plan_job(store, collection_id, _read_job(arguments))


def _read_job(arguments: Namespace) -> Job:
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
            arguments.facet,
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


def _print_dry(told: Told, form: str) -> None:
    if form == "json":
        print_json(told.facts)
    else:
        print(f"{told.text}\nNothing was sent: this was a dry run.")
