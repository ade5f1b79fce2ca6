"""One request to a server that speaks the chat protocol, and its answer.

Redirects are not followed and nothing of the environment has a say, so that texts and key go to
the one host that was confirmed, and to no other.
"""

import http.client
import json
import socket
import ssl
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import time
from typing import Any

from core.prompting.choices import PATIENCE
from core.prompting.endpoint import ApiKey, Endpoint

_LARGEST = 2**23
_QUOTED, _READ = 200, 10_000
_CANCELLED = "it was stopped"


@dataclass(frozen=True)
class Reply:
    """What a model answered, and how many tokens it took where the server says so."""

    text: str
    cut: bool = False
    refusal: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None


class Client:
    """Asks one model of one server; may be used by several threads.

    Parameters
    ----------
    endpoint : Endpoint
    model : str
        The name by which the server knows the model.
    key : ApiKey
        Sent as ``Authorization: Bearer``; empty: nothing is sent.
    patience : float
        Seconds for a request with its answer.
    """

    def __init__(
        self, endpoint: Endpoint, model: str, key: ApiKey | None = None, patience: float = PATIENCE
    ) -> None:
        self.endpoint, self.model = endpoint, model
        self._key, self._patience = key or ApiKey(), patience
        self._lock = threading.Lock()
        self._under_way: set[http.client.HTTPConnection] = set()
        self._is_cancelled = False

    def write(
        self,
        messages: Sequence[Mapping[str, str]],
        parameters: Mapping[str, Any],
        schema: Mapping[str, Any] | None,
    ) -> bytes:
        """Return the body of a request."""
        asked = {"model": self.model, "messages": list(messages), **parameters}
        if schema is not None:
            asked["response_format"] = schema
        return json.dumps(asked, ensure_ascii=False).encode("utf-8", "replace")

    def send(self, body: bytes, *, has_schema: bool) -> Reply:
        """Send a request and return the answer.

        Raises
        ------
        RequestFailed
            There is none, with what follows from that.
        """
        status, wait, content = self._exchange(body)
        text = content.decode("utf-8", "replace")
        if status != 200:
            quoted = _quote(text, self._key)
            raise RequestFailed(
                f"the server answered {status}" + (f": {quoted}" if quoted else ""),
                judge_status(status, has_schema=has_schema),
                status,
                read_wait(wait),
            )
        return _read_reply(text, self._key)

    def cancel(self) -> None:
        """Break off what is under way, and send nothing more."""
        with self._lock:
            self._is_cancelled = True
            for connection in self._under_way:
                _cut(connection)

    def _exchange(self, body: bytes) -> tuple[int, str | None, bytes]:
        """Return status, ``Retry-After`` and body of the answer; raises RequestFailed."""
        connection = _connect(self.endpoint, self._patience)
        # A server that sends a sign now and then would never be too late for a socket's timeout.
        is_late = threading.Event()
        alarm = threading.Timer(self._patience, _end_late, [connection, is_late])
        alarm.daemon = True
        alarm.start()
        is_sent = False
        try:
            connection.connect()
            self._note_connected(connection)
            if is_late.is_set():  # while there was nothing to be cut
                raise TimeoutError
            is_sent = True
            connection.request("POST", f"{self.endpoint.path}/chat/completions", body, self._head())
            with connection.getresponse() as answer:
                return answer.status, answer.getheader("Retry-After"), _read_body(answer)
        except ssl.SSLCertVerificationError as error:
            raise RequestFailed("the server's certificate is not valid", STOP) from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            if self._is_cancelled:
                raise RequestFailed(_CANCELLED, STOP, is_billed=is_sent) from error
            if is_late.is_set() or isinstance(error, TimeoutError):
                reason = f"there was no answer within {self._patience:g} seconds"
            else:
                reason = "the connection broke off" if is_sent else "the server cannot be reached"
            # Without its cause, whose message may quote what the server sent.
            raise RequestFailed(reason, is_billed=is_sent) from None
        finally:
            alarm.cancel()
            with self._lock:
                self._under_way.discard(connection)
            connection.close()

    def _note_connected(self, connection: http.client.HTTPConnection) -> None:
        """Let `cancel` end a connection; raises RequestFailed where it came before."""
        with self._lock:
            if self._is_cancelled:
                raise RequestFailed(_CANCELLED, STOP)
            self._under_way.add(connection)

    def _head(self) -> dict[str, str]:
        head = {"Content-Type": "application/json", "User-Agent": "dissent"}
        if self._key.value:
            head["Authorization"] = f"Bearer {self._key.value}"
        return head


def _connect(endpoint: Endpoint, seconds: float) -> http.client.HTTPConnection:
    if endpoint.is_secure:
        trusted = ssl.create_default_context()
        return http.client.HTTPSConnection(
            endpoint.host, endpoint.port, timeout=seconds, context=trusted
        )
    return http.client.HTTPConnection(endpoint.host, endpoint.port, timeout=seconds)


def _read_body(answer: http.client.HTTPResponse) -> bytes:
    expected = answer.length or 0
    content = answer.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise RequestFailed("the answer is far too long", is_billed=True)
    if len(content) < expected:
        raise http.client.IncompleteRead(content)
    return content


def _end_late(connection: http.client.HTTPConnection, is_late: threading.Event) -> None:
    is_late.set()
    _cut(connection)


def _cut(connection: http.client.HTTPConnection) -> None:
    """End the connection under whoever waits for it."""
    if connection.sock is not None:
        with suppress(OSError):
            # The plain shutdown: that of TLS would be in the way of the thread that reads.
            socket.socket.shutdown(connection.sock, socket.SHUT_RDWR)


def _quote(text: str, key: ApiKey) -> str:
    """Return what a server says of an error, on one short line without key and control signs."""
    content: Any = text
    with suppress(ValueError, RecursionError, TypeError, KeyError):
        error = json.loads(text)["error"]
        content = error["message"] if isinstance(error, dict) else error
    plain = key.hide(str(content)[:_READ]).encode("utf-8", "replace").decode()
    line = " ".join("".join(one if one.isprintable() else " " for one in plain).split())
    return line if len(line) <= _QUOTED else f"{line[:_QUOTED]}…"


def _read_reply(text: str, key: ApiKey) -> Reply:
    """Return the model's answer; raises RequestFailed for what the protocol does not know."""
    try:
        fields = json.loads(text)
        choice = fields["choices"][0]
        message = choice["message"]
        content, refusal = message.get("content"), message.get("refusal")
        usage = fields.get("usage") or {}
        counts = [_read_count(usage.get(f"{one}_tokens")) for one in ("prompt", "completion")]
    except (ValueError, RecursionError, TypeError, KeyError, IndexError, AttributeError) as error:
        reason = "the server's answer is broken off, or not of the chat protocol"
        raise RequestFailed(reason, status=200, is_billed=True) from error
    return Reply(
        key.hide(content) if isinstance(content, str) else "",
        choice.get("finish_reason") == "length",
        key.hide(refusal) if isinstance(refusal, str) else "",
        *counts,
    )


def _read_count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 2**53 else None


AGAIN, GIVE_UP, WITHOUT_SCHEMA, STOP = "again", "give up", "without schema", "stop"
"""What follows: the item is asked again later; it is not; the server is asked without a schema for
answers; nothing more is sent, as the next request would fail, too."""

_PASSING = {408, 409, 425, 429}
_ABOUT_ITEM = {400, 413, 422}


@dataclass
class RequestFailed(Exception):
    """A request that brought no answer.

    Parameters
    ----------
    reason : str
        Why, in words that hold no key.
    follows : str
        One of the four words above.
    status : int, optional
        The number of the server's answer.
    wait : float, optional
        Seconds that the server asks to wait.
    is_billed : bool
        Whether it may have cost something all the same.
    """

    reason: str
    follows: str = AGAIN
    status: int | None = None
    wait: float | None = None
    is_billed: bool = False

    def __str__(self) -> str:
        return self.reason


def judge_status(status: int, *, has_schema: bool) -> str:
    """Return what follows from the number of a server's answer.

    Examples
    --------
    >>> judge_status(503, has_schema=True), judge_status(401, has_schema=True)
    ('again', 'stop')
    >>> judge_status(400, has_schema=True), judge_status(400, has_schema=False)
    ('without schema', 'give up')
    """
    if status in _PASSING or status >= 500:
        return AGAIN
    if status in _ABOUT_ITEM:
        return WITHOUT_SCHEMA if has_schema and status != 413 else GIVE_UP
    return STOP


def read_wait(header: str | None) -> float | None:
    """Return the seconds that a ``Retry-After`` asks for; None where it says nothing.

    Examples
    --------
    >>> read_wait("20"), read_wait("soon"), read_wait(None)
    (20.0, None, None)
    """
    if header is None:
        return None
    if header.strip().isdecimal() and header.isascii():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time())
    except (ValueError, OverflowError):
        return None
