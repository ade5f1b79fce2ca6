"""Connections that send nothing, or too slowly, or take nothing, are ended."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

_LINGERS = 2.0
"""Seconds in which an answer that came before the end of the question can still be read."""


@dataclass(frozen=True)
class ConnectionLimits:
    """How long a connection may take, and how many there may be.

    Attributes
    ----------
    head_seconds : float
        Until the head of a request is complete, or the next request comes.
    pause_seconds : float
        Between two pieces of a body.
    stall_seconds : float
        While nothing of an answer is taken.
    body_seconds, least_rate : float
        A body may take this long, and longer while it brings so many bytes a second on average.
    most_waiting : int
        Connections whose request is not complete; the one that has waited longest goes.
    most_open : int
        Connections in all, websockets among them; one goes that brings or takes nothing, or else
        the newest.
    """

    head_seconds: float = 10.0
    pause_seconds: float = 30.0
    stall_seconds: float = 20.0
    body_seconds: float = 60.0
    least_rate: float = 10_000.0
    most_waiting: int = 500
    most_open: int = 4_000


@dataclass
class _Body:
    begun: float
    last: float
    size: int = 0


class Watch:
    """Knows of every connection what is awaited of it, and ends those that do not bring it.

    Parameters
    ----------
    limits : ConnectionLimits
        What is put up with.
    clock : callable
        Tells seconds.
    """

    def __init__(
        self, limits: ConnectionLimits | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits, self._clock = limits or ConnectionLimits(), clock
        self._waiting: dict[Connection, float] = {}
        self._bodies: dict[Connection, _Body] = {}
        self._stalled: dict[Connection, float] = {}
        self._known: set[Connection] = set()
        self._is_sweeping = False
        self.ended = 0

    def open(self, connection: "Connection") -> None:
        """Begin to watch a connection."""
        if len(connection.connections) > self.limits.most_open:
            idle = next(chain(self._stalled, self._waiting, self._bodies), connection)
            self._end(idle)
            if idle is connection:
                return
        self._known.add(connection)
        self.note(connection, 0)
        if not self._is_sweeping:
            self._is_sweeping = True
            connection.loop.call_later(1, self._sweep_on, connection.loop)

    def close(self, connection: "Connection") -> None:
        """Forget a connection."""
        self._known.discard(connection)
        for table in (self._waiting, self._bodies, self._stalled):
            table.pop(connection, None)

    def note(self, connection: "Connection", size: int) -> None:
        """Take in that so many bytes have come, and what is awaited now."""
        now, state = self._clock(), connection.conn.their_state
        if state is h11.SEND_BODY:
            self._waiting.pop(connection, None)
            body = self._bodies.setdefault(connection, _Body(now, now))
            body.last, body.size = now, body.size + size
        elif state is h11.IDLE:
            self._bodies.pop(connection, None)
            self._waiting.setdefault(connection, now)
        else:
            self._bodies.pop(connection, None)
            self._waiting.pop(connection, None)
        if len(self._waiting) > self.limits.most_waiting:
            self._end(next(iter(self._waiting)))

    def sweep(self) -> None:
        """End what has taken too long."""
        now = self._clock()
        for connection in [*self._known]:
            if self._is_late(connection, now):
                self._end(connection)

    def _is_late(self, connection: "Connection", now: float) -> bool:
        limits = self.limits
        if connection.flow.write_paused:
            return now - self._stalled.setdefault(connection, now) > limits.stall_seconds
        self._stalled.pop(connection, None)
        if connection in self._waiting:
            return now - self._waiting[connection] > limits.head_seconds
        body = self._bodies.get(connection)
        if body is None:
            return False
        if connection.flow.read_paused:  # the app has not taken yet what has come
            body.last = now
        allowed = limits.body_seconds + body.size / limits.least_rate
        return now - body.last > limits.pause_seconds or now - body.begun > allowed

    def _end(self, connection: "Connection") -> None:
        self.ended += 1
        self.close(connection)
        connection.transport.abort()

    def _sweep_on(self, loop: asyncio.AbstractEventLoop) -> None:
        self.sweep()
        self._is_sweeping = bool(self._known)
        if self._is_sweeping:
            loop.call_later(1, self._sweep_on, loop)


WATCH = Watch()
"""Of this process."""


class Connection(H11Protocol):
    """A connection of the server as uvicorn has it, watched until it becomes a websocket."""

    def connection_made(self, transport: Any) -> None:
        """Begin."""
        super().connection_made(transport)
        WATCH.open(self)

    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        self._note(len(data))

    def on_response_complete(self) -> None:
        """Await the next request; the rest of a body that was not needed has a moment to come."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self.cycle.body = bytearray()
            self.loop.call_later(_LINGERS, self.transport.abort)
        self._note(0)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        WATCH.close(self)

    def _note(self, size: int) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            WATCH.close(self)
        else:
            WATCH.note(self, size)
