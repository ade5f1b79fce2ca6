"""The threads of a run: each asks about one item after the other, and writes down what happens."""

import threading
from collections import deque
from collections.abc import Callable

import numpy as np

from core.collection.labels.label_options import INVALID_ANSWER
from core.errors import StoreUnreachable
from core.prompting.answers import ParsedAnswer, read_answer
from core.prompting.budget import Budget
from core.prompting.client import AGAIN, STOP, WITHOUT_SCHEMA, Client, Reply, RequestFailed
from core.prompting.pace import Pacing, RateLimiter
from core.prompting.plan import JobPlan, make_questioner
from core.prompting.question import list_choices, make_schema, read_materials
from core.prompting.selection import Item
from core.store.events.labels import Key, LabelEvent
from core.store.machines import requests
from core.store.machines.jobs import JobItem
from core.store.machines.machine_answer import MachineAnswer
from core.store.machines.requests import (
    LOST,
    OpenItem,
    ReplyRecord,
    begin_request,
    count_job,
    end_request,
    knows_structured,
    list_open,
)
from core.store.store import Store

LONGEST_WAIT = 600.0
"""Seconds of a pause that a server may ask for; where it wants more, the job stops."""

MOST_IN_A_ROW = 10
"""Items that are given up one after the other before the job stops: the next would be, too."""


class Runner:
    """What the threads of a run share.

    Attributes
    ----------
    stop : threading.Event
        Set when nothing more is to be sent.
    pacing : Pacing
        How many at once, and how many a minute.
    done : int
        Items that got a label, or were given up, in this run.
    why : str
        Why the run ended before the job did; empty where nobody knows yet.
    error : BaseException or None
        What ended it.
    """

    def __init__(
        self,
        store: Store,
        plan: JobPlan,
        client: Client,
        pacing: Pacing,
        stop: threading.Event,
        is_held: Callable[[], bool],
    ) -> None:
        self.stop, self.pacing, self._is_held = stop, pacing, is_held
        self.done, self.why = 0, ""
        self.error: BaseException | None = None
        self._store, self._plan, self._client = store, plan, client
        self._questioner = make_questioner(store, plan)
        self._levels = [one.level for one in self._questioner.scale]
        self._schema = make_schema(list_choices(self._questioner.scale))
        self._knows_schema = knows_structured(store, plan.job_id)
        self._open = deque(list_open(store, plan.job_id))
        before = count_job(store, plan.job_id)
        self._budget = Budget(plan.job.limits, before.requests, before.spent)
        self._pace = RateLimiter(pacing.per_minute)
        self._in_a_row = 0
        self._lock = threading.Lock()

    def work(self, rng: np.random.Generator) -> None:
        """Ask about one item after the other, until none is left or everything stops."""
        try:
            while not self.stop.is_set() and (one := self._take()) is not None:
                self._ask_about(one, rng)
        except BaseException as error:
            self.error = self.error or error
            self.stop.set()

    def _take(self) -> OpenItem | None:
        with self._lock:
            return self._open.popleft() if self._open else None

    def _ask_about(self, one: OpenItem, rng: np.random.Generator) -> None:
        """Ask about an item until it has a label or is given up, or everything stops."""
        item = one.item
        place = Item(item.topic_id, item.document_id, item.facet, item.engine)
        ((_, material),) = read_materials(self._store, self._plan.collection_id, [place])
        attempt, failed = one.attempts, one.failed
        limits = self._plan.job.limits
        while self._pace.wait(self.stop):
            messages = self._questioner.ask(material.cut(self._plan.job.longest))
            schema = self._schema if self._knows_schema else None
            body = self._client.write(messages, self._plan.job.parameters, schema)
            reserved = self._plan.job.most_cost(body)
            if reason := self._budget.reserve(reserved, self.stop):
                self._halt(reason)
                return
            attempt += 1
            if not self._is_held():
                raise StoreUnreachable(LOST)
            request_id = begin_request(
                self._store,
                self._plan.job_id,
                item.place,
                attempt,
                reserved,
                most_requests=limits.requests,
                most_spent=limits.money,
            )
            try:
                reply = self._client.send(body, has_schema=schema is not None)
            except RequestFailed as fault:
                failed += fault.follows == AGAIN
                if self._note_fault(fault, request_id, reserved, failed):
                    return
                if fault.follows == AGAIN:
                    self._rest(fault, failed, rng)
            else:
                self._keep_answer(item, reply, request_id, reserved)
                return

    def _keep_answer(self, item: JobItem, reply: Reply, request_id: str, reserved: float) -> None:
        """Store the label that an answer is, and then that the request was answered."""
        cost, answer = self._price(reply), self._read(reply)
        raw = MachineAnswer(
            reply.text or reply.refusal,
            answer.reason,
            cost,
            reply.input_tokens,
            reply.output_tokens,
        )
        assessor_id = self._plan.job.machine
        key = Key(item.topic_id, item.document_id, item.facet, item.engine, assessor_id, 0)
        event = LabelEvent(item.event_id, None, key, answer.state, answer.level, answer=raw)
        self._store.labels.append(self._plan.collection_id, [event])
        counted = reserved if cost is None else cost
        tokens = reply.input_tokens, reply.output_tokens
        record = ReplyRecord(requests.ANSWERED, "", 200, counted, *tokens)
        end_request(self._store, self._plan.job_id, request_id, record)
        self._budget.settle(reserved, counted)
        with self._lock:
            self.done += 1
            self._in_a_row = 0

    def _read(self, reply: Reply) -> ParsedAnswer:
        if reply.refusal:
            return ParsedAnswer(INVALID_ANSWER, None, "the model refused")
        if reply.cut:
            return ParsedAnswer(INVALID_ANSWER, None, "the answer was cut off at its most tokens")
        return read_answer(reply.text, self._levels)

    def _price(self, reply: Reply) -> float | None:
        """Return what a reply cost; None where the server or the job does not say."""
        prices = self._plan.job.prices
        if prices is None or reply.input_tokens is None or reply.output_tokens is None:
            return None
        return prices.cost(reply.input_tokens, reply.output_tokens)

    def _note_fault(
        self, fault: RequestFailed, request_id: str, reserved: float, failed: int
    ) -> bool:
        """Store that a request failed; tells whether the item is done, or everything stops."""
        outcome = self._decide(fault, failed)
        cost = reserved if fault.is_billed else 0.0
        record = ReplyRecord(outcome, fault.reason, fault.status, cost)
        end_request(self._store, self._plan.job_id, request_id, record)
        self._budget.settle(reserved, cost)
        if outcome == requests.UNSTRUCTURED:
            self._knows_schema = False
        elif outcome == requests.STOPPED:
            self._halt(fault.reason)
        elif outcome == requests.GIVEN_UP:
            self._count_given_up(fault)
        return outcome in (requests.GIVEN_UP, requests.STOPPED)

    def _decide(self, fault: RequestFailed, failed: int) -> str:
        if fault.follows == WITHOUT_SCHEMA:
            return requests.UNSTRUCTURED
        if fault.follows == STOP or (fault.wait or 0.0) > LONGEST_WAIT:
            return requests.STOPPED
        is_last = fault.follows != AGAIN or failed >= self._plan.job.tries
        return requests.GIVEN_UP if is_last else requests.AGAIN

    def _count_given_up(self, fault: RequestFailed) -> None:
        with self._lock:
            self.done += 1
            self._in_a_row += 1
            in_a_row = self._in_a_row
        if in_a_row >= MOST_IN_A_ROW:
            self._halt(f"{in_a_row} items in a row were given up, the last as {fault.reason}")

    def _rest(self, fault: RequestFailed, failed: int, rng: np.random.Generator) -> None:
        """Wait before an item is asked again: all of them, where the server wants a pause."""
        if fault.wait is not None:
            self._pace.hold(fault.wait)
        else:
            self.stop.wait(self.pacing.pause_after(failed, float(rng.uniform())))

    def _halt(self, reason: str) -> None:
        with self._lock:
            self.why = self.why or reason
        self.stop.set()
