"""One message to one machine: a name is looked up once, and the machine that was allowed asked.

Nothing of the environment has a say: no proxy, no credentials. Redirects are not followed, and what
is answered is thrown away.
"""

import http.client
import queue
import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from core.errors import NotAllowed
from core.settings import Network
from core.store.content.webhook_addresses import WebhookAddress, require_allowed

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
            told = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            found.put(list(dict.fromkeys(str(one[4][0]) for one in told)))
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
