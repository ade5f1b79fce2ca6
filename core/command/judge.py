"""``dissent judge``: have a language model judge a part of a collection, once that is confirmed."""

import json
import signal
import sys
import threading
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from core.collection.records import FACETS, PAGE
from core.command.arguments import add_collection, add_format, add_seed, parse_count
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
from core.prompting.client import PATIENCE, Client
from core.prompting.endpoint import KEY_VARIABLE, read_endpoint, read_key
from core.prompting.job import LONGEST_TEXT, PARAMETERS, TRIES, Job
from core.prompting.pace import Pacing
from core.prompting.plan import Plan, begin_job, estimate_job, make_example, plan_job, plan_rest
from core.prompting.run import Outcome, run_job
from core.prompting.selection import PARTS, UNJUDGED, Part
from core.prompting.template import INCLUDED, LEVELS, read_template
from core.store.machines.jobs import get_job
from core.store.store import Store


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Have a language model judge a part of a collection, by any server that speaks the "
        "OpenAI-compatible chat protocol. Its labels are those of a machine assessor, which count "
        "neither for agreement nor for qrels versions unless a rule names it. What would be sent "
        "is printed first, and nothing is sent before it is confirmed. "
        f"The key for the server is read from the environment ({KEY_VARIABLE}). A job that ended "
        "early, also by a kill, goes on with --resume, and asks nothing twice but what was under "
        "way. Exit status 1 where items are left to be asked."
    )
    add_collection(parser)
    parser.add_argument("--list", action="store_true", help="list the jobs and ask nothing")
    parser.add_argument("--resume", metavar="JOB", help="go on with this job, as it was begun")
    _add_asked(parser)
    _add_part(parser)
    _add_limits(parser)
    parser.add_argument(
        "--dry-run", action="store_true", help="print the plan with an estimate, and stop"
    )
    parser.add_argument(
        "--example", action="store_true", help="print the first question, word for word, as well"
    )
    parser.add_argument(
        "--yes", action="store_true", help="confirm that what is printed is sent (for pipelines)"
    )
    add_format(parser)


def _add_asked(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("who is asked, and how")
    group.add_argument("--machine", metavar="NAME", help="the machine assessor's name")
    group.add_argument("--server", metavar="URL", help="as in https://api.example.org/v1")
    group.add_argument("--model", metavar="NAME", help="the model's name at the server")
    group.add_argument(
        "--prompt",
        default=LEVELS,
        metavar="FILE",
        help=f"the prompt: {' or '.join(INCLUDED)}, or a file of one's own (default {LEVELS})",
    )
    group.add_argument(
        "--parameter",
        action="append",
        default=[],
        type=_parse_parameter,
        metavar="NAME=VALUE",
        help="sent with each request, as JSON; NAME= sends none of this name (default: "
        + ", ".join(f"{name}={value}" for name, value in PARAMETERS.items())
        + ")",
    )
    group.add_argument(
        "--longest",
        type=parse_count(1),
        default=LONGEST_TEXT,
        metavar="N",
        help=f"characters of a text that are sent (default {LONGEST_TEXT:,})",
    )
    group.add_argument(
        "--key-variable",
        default=KEY_VARIABLE,
        metavar="NAME",
        help=f"the environment variable with the key (default {KEY_VARIABLE})",
    )


def _add_part(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("what is judged")
    group.add_argument(
        "--part",
        choices=PARTS,
        default=UNJUDGED,
        help="of the pool what no person gave a level (default); whatever persons gave one, for "
        "an audit; or the whole pool",
    )
    group.add_argument("--facet", choices=FACETS, default=PAGE, help="page (default) or snippet")
    group.add_argument(
        "--depth", type=parse_count(1), default=10, metavar="K", help="of the pool (default 10)"
    )
    group.add_argument("--topics", nargs="+", default=[], metavar="ID", help="only these")
    group.add_argument(
        "--sample", type=parse_count(1), metavar="N", help="as many items, drawn at random"
    )
    add_seed(parser)


def _add_limits(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("how fast, and for how much")
    group.add_argument(
        "--concurrency",
        type=parse_count(1),
        default=Pacing.concurrency,
        metavar="N",
        help=f"requests under way at once (default {Pacing.concurrency})",
    )
    group.add_argument("--per-minute", type=_parse_amount, metavar="N", help="requests, at most")
    group.add_argument(
        "--patience",
        type=_parse_amount,
        default=PATIENCE,
        metavar="SECONDS",
        help=f"for an answer (default {PATIENCE:g})",
    )
    group.add_argument(
        "--tries",
        type=parse_count(1),
        default=TRIES,
        metavar="N",
        help=f"before an item is given up (default {TRIES})",
    )
    group.add_argument(
        "--most-requests", type=parse_count(1), metavar="N", help="a budget: nothing is sent beyond"
    )
    group.add_argument(
        "--most-money", type=_parse_amount, metavar="M", help="a budget, by the prices given"
    )
    group.add_argument(
        "--input-price", type=_parse_amount, metavar="P", help="of a million tokens that are sent"
    )
    group.add_argument(
        "--output-price", type=_parse_amount, metavar="P", help="of a million that are answered"
    )


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


def _plan(store: Store, collection_id: str, arguments: Namespace) -> Plan:
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
        Part(
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


def _confirm(plan: Plan, arguments: Namespace) -> None:
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


def _run(store: Store, plan: Plan, pacing: Pacing, arguments: Namespace) -> Outcome:
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


def _parse_parameter(text: str) -> tuple[str, Any]:
    name, mark, value = text.partition("=")
    if not name or not mark:
        raise ArgumentTypeError(f"'{text}' is not written name=value")
    try:
        return name, json.loads(value) if value else None
    except ValueError:
        return name, value


def _parse_amount(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = -1.0
    if not 0 < amount < float("inf"):
        raise ArgumentTypeError(f"'{text}' is not a number above 0")
    return amount
