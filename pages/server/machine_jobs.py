"""Jobs of machines that the server runs: one at a time, in a thread of its own."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.errors import DissentError, NotAllowed, StoreInUse
from core.prompting.client import Client
from core.prompting.endpoint import ADDRESS_VARIABLE, ApiKey, Endpoint
from core.prompting.plan import JobPlan, begin_job
from core.prompting.run import run_job
from core.store.store import Store

FAILED = "it failed; the server's log says at what"

_GRACE = 3.0
"""Seconds for answers that are under way as the server ends, and then for its threads."""


@dataclass(frozen=True)
class UnderWay:
    """The job that runs now, and how many of its items are done."""

    job_id: str
    collection_id: str
    machine: str
    done: int
    items: int
    is_stopping: bool = False


class MachineJobs:
    """Asks the one server that the operator named; nobody who uses the pages can name another.

    Parameters
    ----------
    store : Store
        In which is judged.
    endpoint : Endpoint
        The operator's.
    key : ApiKey
        Sent to that server, and told to nobody else.
    report : callable
        Called with the collection, and the items that a job has done as it ends.
    complain : callable
        Called with the error where a job fails.
    """

    def __init__(
        self,
        store: Store,
        endpoint: Endpoint,
        key: ApiKey,
        report: Callable[[str, int], None],
        complain: Callable[[Exception], None],
    ) -> None:
        self.endpoint = endpoint
        self._store, self._key = store, key
        self._report, self._complain = report, complain
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._client: Client | None = None
        self._stop = threading.Event()
        self._under_way: UnderWay | None = None
        self._is_ended = False
        self._reasons: dict[str, str] = {}

    @property
    def under_way(self) -> UnderWay | None:
        """The job that runs now; None where none does."""
        return self._under_way

    def find_reason(self, job_id: str) -> str:
        """Return why a job ended before all was judged; empty where this server cannot know."""
        return self._reasons.get(job_id, "")

    def begin(self, plan: JobPlan, by: str) -> str:
        """Run a plan in the background: a new job, or the rest of one; return the job's id.

        Exactly the plan's items are asked about. A new job is in the store before this returns.

        Raises
        ------
        NotAllowed
            The plan leads to another server than the operator's.
        StoreInUse
            Another job runs, or the server is ending.
        BadInput
            As `begin_job` has it; nothing was sent.
        """
        if plan.job.endpoint != self.endpoint:
            raise NotAllowed(
                f"This job asks {plan.job.endpoint}, and this server may only ask "
                f"{self.endpoint}, as {ADDRESS_VARIABLE} says. Go on with it from a terminal: "
                "dissent judge --resume."
            )
        with self._lock:
            if self._under_way is not None or self._is_ended:
                raise StoreInUse(
                    "A job is under way, and one runs at a time. Wait until it has ended, or stop "
                    "it."
                )
            begun = plan if plan.job_id else begin_job(self._store, plan, by)
            self._start(begun)
        return begun.job_id

    def stop(self) -> None:
        """Send nothing more; what is under way is waited for, in the background."""
        with self._lock:
            if self._under_way is not None:
                self._stop.set()
                self._under_way = replace(self._under_way, is_stopping=True)

    def end(self) -> None:
        """Stop for good, before the store is closed; what is still under way is broken off."""
        with self._lock:
            self._is_ended = True
            self._stop.set()
        if self._thread is not None and self._client is not None:
            self._thread.join(_GRACE)
            self._client.cancel()
            self._thread.join(_GRACE)

    def _start(self, plan: JobPlan) -> None:
        self._stop = threading.Event()
        self._client = Client(self.endpoint, plan.job.model, self._key)
        self._under_way = UnderWay(
            plan.job_id, plan.collection_id, plan.job.machine, 0, len(plan.items)
        )
        self._reasons.pop(plan.job_id, None)
        self._thread = threading.Thread(
            target=self._run, args=[plan, self._client, self._stop], name="machine job", daemon=True
        )
        self._thread.start()

    def _run(self, plan: JobPlan, client: Client, stop: threading.Event) -> None:
        reason = ""
        try:
            rng = np.random.default_rng()  # it spreads pauses, and no result depends on it
            outcome = run_job(
                self._store, plan, client, rng=rng, progress=self._note_progress, stop=stop
            )
            reason = outcome.stopped
            self._report(plan.collection_id, outcome.tally.done)
        except DissentError as error:
            reason = str(error)
        except Exception as error:
            reason = FAILED
            self._complain(error)
        finally:
            with self._lock:
                self._reasons[plan.job_id] = reason
                self._under_way = None

    def _note_progress(self, done: int, items: int) -> None:
        with self._lock:
            if self._under_way is not None:
                self._under_way = replace(self._under_way, done=done, items=items)
