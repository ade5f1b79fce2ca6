"""Tells webhooks what is finished, in a thread of its own: nobody who judges waits for it."""

import json
import threading
import time
from collections.abc import Callable, Sequence

from core.errors import BadInput
from core.settings import Network
from core.store.content.webhook_addresses import read_target
from core.store.content.webhook_deliveries import (
    Delivery,
    begin_attempt,
    describe_delivery,
    end_attempt,
    list_due,
    queue_finished,
)
from core.store.content.webhooks import Webhook, list_webhooks, sign
from core.store.store import Store
from core.version import __version__
from pages.server.webhook_post import NotDelivered, Post

EVERY = 3.0
"""Seconds between two looks at what is finished."""

_AFTER_FAILURE = 60.0
"""Seconds until the next look, where the store could not be read or written."""


class WebhookSchedule:
    """Looks for what is finished and sends what is due, until it is ended.

    Each message arrives at least once: a server that dies after sending and before noting it sends
    it again, by the same id.

    Parameters
    ----------
    store : Store
        What is looked at.
    networks : sequence of networks
        Those that are allowed besides public machines.
    report : callable
        Called with the collection, the number of the answer (0 without one) and the seconds.
    complain : callable
        Called with the error where the store fails; it is tried again.
    every : float
        Seconds between two looks.
    """

    def __init__(
        self,
        store: Store,
        networks: Sequence[Network],
        report: Callable[[str, int, float], None],
        complain: Callable[[Exception], None],
        every: float = EVERY,
    ) -> None:
        self._store, self._networks, self._every = store, networks, every
        self._report, self._complain = report, complain
        self._seen: dict[str, tuple[int, int]] = {}
        self._post = Post(networks)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="webhooks", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Send nothing more; what is on its way is broken off, and sent again another time."""
        self._ended.set()
        self._post.cancel()
        self._thread.join()

    def _run(self) -> None:
        wait = self._every
        while not self._ended.wait(wait):
            try:
                self._look()
                wait = self._every
            except Exception as error:
                self._complain(error)
                wait = _AFTER_FAILURE

    def _look(self) -> None:
        known = {one.webhook_id: one for one in list_webhooks(self._store)}
        if not known:
            return
        for collection_id in dict.fromkeys(one.collection_id for one in known.values()):
            # Asked first: what moves meanwhile is seen the next time.
            state = self._store.state(collection_id)
            if self._seen.get(collection_id) != state:
                queue_finished(self._store, collection_id)
                self._seen[collection_id] = state
        failing: set[str] = set()
        for one in list_due(self._store):
            # What a machine that does not answer still waits for must not hold up the others.
            if one.webhook_id in failing or one.webhook_id not in known:
                continue
            if self._ended.is_set():
                return
            if not self._attempt(known[one.webhook_id], one):
                failing.add(one.webhook_id)

    def _attempt(self, webhook: Webhook, one: Delivery) -> bool:
        """Send one message and note how it went; returns whether it arrived.

        What another server is sending counts as arrived.
        """
        if not begin_attempt(self._store, one):
            return True
        begun, status, reason = time.perf_counter(), 0, ""
        try:
            status = self._send(webhook, one)
            if not 200 <= status < 300:
                reason = f"it answered {status}"
        except (NotDelivered, BadInput) as error:
            reason = str(error)
        end_attempt(self._store, one, status or None, reason)
        self._report(webhook.collection_id, status, time.perf_counter() - begun)
        return not reason

    def _send(self, webhook: Webhook, one: Delivery) -> int:
        target = read_target(webhook.address, self._networks)
        told = describe_delivery(self._store, webhook.collection_id, one)
        body = json.dumps(told, ensure_ascii=False).encode("utf-8", "replace")
        now = int(time.time())
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"Dissent/{__version__}",
            "webhook-id": one.delivery_id,
            "webhook-timestamp": str(now),
            "webhook-signature": sign(self._store, webhook.webhook_id, one.delivery_id, now, body),
        }
        return self._post.send(target, headers, body)
