"""Connections that bring nothing are ended; with uvicorn's own protocol they stay."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from pages.server import connections
from pages.server.connections import Connection, ConnectionLimits, Watch
from tests.browser.running import wait_until
from tests.short import long

QUICK = ConnectionLimits(
    head_seconds=0.5,
    pause_seconds=1.0,
    stall_seconds=1.0,
    body_seconds=2.0,
    least_rate=1e6,
    most_waiting=5,
)
HEAD = b"GET /small HTTP/1.1\r\nHost: here\r\n"
BODY = b"POST /body HTTP/1.1\r\nHost: here\r\nContent-Length: 1000000\r\n\r\n"


async def small(_: Request) -> Response:
    return PlainTextResponse("small")


async def large(_: Request) -> Response:
    return PlainTextResponse("x" * 50_000_000)


async def body(request: Request) -> Response:
    return PlainTextResponse(f"{len(await request.body())} bytes")


async def slow(_: Request) -> Response:
    await asyncio.sleep(3)
    return PlainTextResponse("slow")


APP = Starlette(
    routes=[
        Route("/small", small),
        Route("/large", large),
        Route("/slow", slow),
        Route("/body", body, methods=["POST"]),
    ]
)

Connect = Callable[[bytes], socket.socket]


@contextmanager
def serve(protocol: type[H11Protocol]) -> Iterator[Connect]:
    """Serve in a thread; gives what connects and sends."""
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listening, ExitStack() as open_ones:
        settings = uvicorn.Config(
            APP, http=protocol, log_config=None, lifespan="off", timeout_keep_alive=60,
            timeout_graceful_shutdown=1,
        )  # fmt: skip
        server = uvicorn.Server(settings)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        wait_until(lambda: server.started)

        def connect(content: bytes = b"") -> socket.socket:
            peer = socket.create_connection(listening.getsockname(), timeout=30)
            open_ones.enter_context(peer)
            peer.sendall(content)
            return peer

        yield connect
        server.should_exit = True
        thread.join(30)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    watch = Watch(QUICK)
    monkeypatch.setattr(connections, "WATCH", watch)
    return watch


@pytest.fixture
def connect(watch: Watch) -> Iterator[Connect]:
    with serve(Connection) as connect:
        yield connect


@pytest.fixture
def connect_unwatched() -> Iterator[Connect]:
    with serve(H11Protocol) as connect:
        yield connect


def is_ended(peer: socket.socket, seconds: float) -> bool:
    """Tell whether the server ends a connection within a time."""
    peer.settimeout(seconds)
    try:
        while peer.recv(1_000):
            pass
        return True
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def read_until(peer: socket.socket, text: bytes) -> None:
    """Read until a text has come; fails when the connection ends before."""
    read = b""
    while text not in read:
        piece = peer.recv(1_000)
        assert piece, read
        read += piece


WAITING = {
    "nothing": b"",
    "half a head": HEAD,
    "half a body": BODY + b"x" * 1_000,
}


@pytest.mark.parametrize("content", WAITING.values(), ids=WAITING)
def test_what_does_not_go_on_is_ended(connect: Connect, content: bytes):
    assert is_ended(connect(content), 30)


@long
@pytest.mark.parametrize("content", WAITING.values(), ids=WAITING)
def test_without_the_guard_it_stays(connect_unwatched: Connect, content: bytes):
    assert not is_ended(connect_unwatched(content), 4)


def drip(peer: socket.socket, piece: bytes) -> None:
    """Send piece after piece, half a minute long."""
    for _ in range(300):
        peer.sendall(piece)
        time.sleep(0.1)


def test_a_head_that_drips_is_ended(connect: Connect):
    with pytest.raises(ConnectionError):
        drip(connect(HEAD), b"X: y\r\n")


@long
def test_a_body_that_drips_is_ended(connect: Connect):
    with pytest.raises(ConnectionError):
        drip(connect(BODY), b"x" * 100)


def test_an_answer_that_nobody_takes_is_ended(connect: Connect, watch: Watch):
    connect(b"GET /large HTTP/1.1\r\nHost: here\r\n\r\n")
    wait_until(lambda: watch.ended == 1)


@long
def test_a_body_that_was_not_needed_does_not_keep_it(connect: Connect, watch: Watch):
    watch.limits = ConnectionLimits()
    peer = connect(BODY.replace(b"/body", b"/nowhere") + b"x" * 50_000)
    read_until(peer, b"404 Not Found")
    assert is_ended(peer, 30)


def test_whoever_goes_on_is_served(connect: Connect, watch: Watch):
    """Pauses of a tenth of what is allowed at most, and an answer that takes twice as long."""
    watch.limits = replace(QUICK, head_seconds=1.5, pause_seconds=1.5, stall_seconds=1.5)
    peer = connect(HEAD)
    time.sleep(0.15)
    peer.sendall(b"\r\n")
    read_until(peer, b"small")
    peer.sendall(BODY)
    for _ in range(4):
        time.sleep(0.15)
        peer.sendall(b"x" * 250_000)
    read_until(peer, b"1000000 bytes")
    peer.sendall(b"GET /slow HTTP/1.1\r\nHost: here\r\n\r\n")
    read_until(peer, b"slow")


def test_who_has_waited_longest_makes_room(connect: Connect, watch: Watch):
    watch.limits = ConnectionLimits(most_waiting=5)
    first, *_ = [connect(HEAD) for _ in range(40)]
    assert is_ended(first, 30)
    wait_until(lambda: watch.ended >= 35)
    peer = connect(HEAD + b"\r\n")
    read_until(peer, b"small")


def test_beyond_the_limit_one_that_waits_makes_room(connect: Connect, watch: Watch):
    watch.limits = ConnectionLimits(most_open=3)
    kept = [connect(HEAD) for _ in range(3)]
    wait_until(lambda: len(watch._waiting) == 3)
    peer = connect(HEAD)
    assert is_ended(kept[0], 30)
    peer.sendall(b"\r\n")
    read_until(peer, b"small")


@long
def test_where_all_are_at_work_the_newest_goes(connect: Connect, watch: Watch):
    watch.limits = ConnectionLimits(most_open=3)
    kept = [connect(b"GET /slow HTTP/1.1\r\nHost: here\r\n\r\n") for _ in range(3)]
    wait_until(lambda: len(watch._known) == 3 and not watch._waiting)
    assert is_ended(connect(HEAD), 30)
    read_until(kept[0], b"\r\n\r\nslow")


def test_nothing_is_kept_of_connections_that_are_gone(connect: Connect, watch: Watch):
    for content in (HEAD, BODY, HEAD + b"\r\n"):
        connect(content).close()
    wait_until(lambda: not (watch._known or watch._waiting or watch._bodies or watch._stalled))
