"""Tells webhooks what is finished, in a thread of its own: nobody who judges waits for it.

A message goes to one machine: a name is looked up once, and the machine that was allowed asked.
Nothing of the environment has a say: no proxy, no credentials. Redirects are not followed, and
what is answered is thrown away.
"""

import http.client
import json
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from core.errors import BadInput, NotAllowed
from core.settings import Network
from core.store.content.webhook_addresses import WebhookAddress, read_target, require_allowed
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

PATIENCE = 10.0
"""Seconds for all of it."""

_LOOKING_UP = 5.0
_READ = 16_384


class NotDelivered(Exception):
    """A message did not arrive; the words say why, and quote nothing that was answered."""


class Post:
    """Sends messages, one after the other; ``cancel`` ends the one that is on its way."""

    def __init__(self, networks: Sequence[Network]) -> None:
        self._networks = networks
        self._open: http.client.HTTPConnection | None = None
        self._is_cancelled = False

    def send(self, target: WebhookAddress, headers: Mapping[str, str], body: bytes) -> int:
        """Send a message and return the number of the answer, whatever it is.

        Raises
        ------
        NotDelivered
            The machine may not be asked, cannot be reached, or did not answer in time.
        """
        until = time.monotonic() + PATIENCE
        machine = find_machine(target, self._networks)
        return self._exchange(target, machine, headers, body, until - time.monotonic())

    def cancel(self) -> None:
        """Send nothing more."""
        self._is_cancelled = True
        self._cut()

    def _exchange(
        self,
        target: WebhookAddress,
        machine: str,
        headers: Mapping[str, str],
        body: bytes,
        seconds: float,
    ) -> int:
        connection = _connect_to(target, machine, seconds)
        self._open = connection
        # A machine that sends a sign now and then would never be too late for a socket's timeout.
        is_late = threading.Event()
        alarm = threading.Timer(seconds, self._end_late, [is_late])
        alarm.daemon = True
        alarm.start()
        try:
            connection.connect()
            # What cuts it off may have come while there was nothing to be cut.
            if self._is_cancelled:
                raise NotDelivered("the server was stopped")
            if is_late.is_set():
                raise TimeoutError
            connection.request("POST", target.path, body, dict(headers))
            with connection.getresponse() as answer:
                status = answer.status
                with suppress(OSError, http.client.HTTPException):
                    answer.read(_READ)
                return status
        except ssl.SSLCertVerificationError as error:
            raise NotDelivered("its certificate is not valid") from error
        except TimeoutError as error:
            raise NotDelivered(f"it did not answer within {PATIENCE:g} seconds") from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            if is_late.is_set():
                raise NotDelivered(f"it did not answer within {PATIENCE:g} seconds") from error
            raise NotDelivered("it cannot be reached, or broke off") from error
        finally:
            alarm.cancel()
            self._open = None
            connection.close()

    def _end_late(self, is_late: threading.Event) -> None:
        is_late.set()
        self._cut()

    def _cut(self) -> None:
        """End the connection under whoever waits for it."""
        held = self._open.sock if self._open is not None else None
        if held is not None:
            with suppress(OSError):
                socket.socket.shutdown(held, socket.SHUT_RDWR)


def find_machine(target: WebhookAddress, networks: Sequence[Network]) -> str:
    """Return the number of the machine that is asked: of all that stand behind a name, the first.

    Raises
    ------
    NotDelivered
        The name is unknown, or one of them may not be asked.
    """
    machines = look_up(target.host, target.port)
    try:
        require_allowed(target, machines, networks)
    except NotAllowed as error:
        raise NotDelivered(str(error)) from error
    return machines[0]


def look_up(host: str, port: int) -> list[str]:
    """Return the numbers that a name stands for now; raises NotDelivered.

    On a thread of its own: the system takes as long as it likes.
    """
    found: queue.SimpleQueue[list[str]] = queue.SimpleQueue()

    def ask() -> None:
        try:
            addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.put(list(dict.fromkeys(str(one[4][0]) for one in addresses)))
        except (OSError, UnicodeError):
            found.put([])

    threading.Thread(target=ask, name="looking up", daemon=True).start()
    try:
        machines = found.get(timeout=_LOOKING_UP)
    except queue.Empty:
        machines = []
    if not machines:
        raise NotDelivered("the name of the machine is not known")
    return machines


class _Plain(http.client.HTTPConnection):
    """A connection to one machine, whatever its name stands for by now."""

    def __init__(self, target: WebhookAddress, machine: str, seconds: float) -> None:
        super().__init__(target.host, target.port, timeout=seconds)
        self._machine = machine

    def connect(self) -> None:
        """Connect to the machine."""
        self.sock = open_way(self._machine, self.port, self.timeout)


class _Secure(http.client.HTTPSConnection):
    """The same over TLS: the certificate has to be that of the name."""

    def __init__(self, target: WebhookAddress, machine: str, seconds: float) -> None:
        self._trusted = ssl.create_default_context()
        super().__init__(target.host, target.port, timeout=seconds, context=self._trusted)
        self._machine = machine

    def connect(self) -> None:
        """Connect to the machine, and have it prove its name."""
        self.sock = self._trusted.wrap_socket(
            open_way(self._machine, self.port, self.timeout),
            server_hostname=self.host,
            do_handshake_on_connect=False,  # by then it can be cut off
        )
        self.sock.do_handshake()


def _connect_to(target: WebhookAddress, machine: str, seconds: float) -> http.client.HTTPConnection:
    kind = _Secure if target.scheme == "https" else _Plain
    return kind(target, machine, max(seconds, 0.1))


def open_way(machine: str, port: int, seconds: float | None) -> socket.socket:
    """Return a way to a machine that is given by its number: no name is looked up again."""
    return socket.create_connection((machine, port), seconds)


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
        content = describe_delivery(self._store, webhook.collection_id, one)
        body = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
        now = int(time.time())
        headers = {
            "Content-Type": "application/json",
            "User-Agent": f"Dissent/{__version__}",
            "webhook-id": one.delivery_id,
            "webhook-timestamp": str(now),
            "webhook-signature": sign(self._store, webhook.webhook_id, one.delivery_id, now, body),
        }
        return self._post.send(target, headers, body)
