"""Running a job: several requests at once, each on disk before it is sent, no item asked twice."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.prompting.client import Client
from core.prompting.pace import Pacing
from core.prompting.plan import JobPlan
from core.prompting.runner import Runner
from core.store.machines.requests import Tally, count_job, hold_job
from core.store.store import Store

_LOOK = 0.2
"""Seconds between two reports of progress."""

Progress = Callable[[int, int], None]
"""Told how many items are done, of how many."""


def tell_nobody(done: int, items: int) -> None:
    """Take no notice of progress."""


@dataclass(frozen=True)
class Outcome:
    """How far a job is after a run, and why the run ended before the job did; else empty."""

    job_id: str
    tally: Tally
    stopped: str = ""


def run_job(
    store: Store,
    plan: JobPlan,
    client: Client,
    *,
    rng: np.random.Generator,
    pacing: Pacing | None = None,
    progress: Progress = tell_nobody,
    stop: threading.Event | None = None,
) -> Outcome:
    """Ask about every item of a job that has neither a label nor a reason for having none.

    An item gets one label at the most, also where the process is killed: running the job again
    asks only about what has none, and of these only those twice that were under way.

    Parameters
    ----------
    plan : JobPlan
        Of a job that was begun.
    client : Client
        Asks the job's server.
    rng : numpy.random.Generator
        Spreads the pauses before an item is asked again.
    progress : callable
        Called in this thread, now and then.
    stop : threading.Event, optional
        Set it to send nothing more; what is under way is waited for. It is set at the end.

    Raises
    ------
    StoreInUse
        Another run of this job is under way.
    StoreFull, StoreUnreachable
        Nothing can be stored any more, so that nothing is sent.
    """
    with hold_job(store, plan.job_id) as is_held:
        runner = Runner(store, plan, client, pacing or Pacing(), stop or threading.Event(), is_held)
        return _run(store, plan, runner, rng, progress)


def _run(
    store: Store, plan: JobPlan, runner: Runner, rng: np.random.Generator, progress: Progress
) -> Outcome:
    before, stop = count_job(store, plan.job_id), runner.stop
    threads = [
        threading.Thread(target=runner.work, args=[one], name="judging", daemon=True)
        for one in rng.spawn(runner.pacing.concurrency)
    ]
    try:
        for one in threads:
            one.start()
        for one in threads:
            while one.is_alive():
                one.join(_LOOK)
                progress(before.done + runner.done, before.items)
    finally:
        stop.set()
        for one in threads:
            one.join()
    if runner.error is not None:
        raise runner.error
    tally = count_job(store, plan.job_id)
    why = runner.why if tally.open else ""
    return Outcome(plan.job_id, tally, why or ("it was stopped" if tally.open else ""))
