"""The server's process: ``python -m pages.server.run``, which ``dissent serve`` starts."""

import logging
import os
import socket
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import suppress

APP = f"{__package__.removesuffix('pages.server')}app:app"
"""The application: ``app`` of the module that lies beside ``pages``, in a checkout or installed."""

LARGEST_HEAD = 16_384
LARGEST_MESSAGE = 8_000_000
"""Bytes of a websocket's message; files come another way."""

ENDS_WITHIN = 5
"""Seconds that requests under way are given once the server is told to stop."""

NEAREST = "127.0.0.1,::1,::ffff:127.0.0.1"
"""Whose word is taken for who asks, and by TLS or not: a proxy's on this machine."""

_DESCRIPTORS = 4_096
_BACKLOG = 100
"""Connections that are taken at one go, before it is seen that there are too many."""

_KEPT_BACK = 100 + _BACKLOG
"""Descriptors for files, the store's among them, and for connections that go at once."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop; returns the exit status."""
    parser = ArgumentParser(prog=f"python -m {__package__}.run", description=__doc__)
    parser.add_argument("--address", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8501)
    parser.add_argument("--app", default=APP, help="the application, as module:name")
    given = parser.parse_args(arguments)
    _limit_connections()
    return _serve(given.app, given.address, given.port)


def _serve(app: str, address: str, port: int) -> int:
    import uvicorn
    from streamlit import config

    from pages.server.connections import Connection

    settings = uvicorn.Config(
        app,
        host=address,
        port=port,
        backlog=_BACKLOG,
        http=Connection,
        h11_max_incomplete_event_size=LARGEST_HEAD,
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_ping_interval=30,
        ws_ping_timeout=30,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=os.environ.get("FORWARDED_ALLOW_IPS", NEAREST),
        timeout_graceful_shutdown=ENDS_WITHIN,
    )
    logging.getLogger("uvicorn.access").disabled = True
    config.set_option("server.address", address)
    config.set_option("server.port", port)
    with _listen(address, port) as listening:
        running = uvicorn.Server(settings)
        running.run(sockets=[listening])
    return 0 if running.started else 1


def _listen(address: str, port: int) -> socket.socket:
    """Return a listening socket whose connections send without waiting.

    An answer in two parts would otherwise wait 40 ms for the browser to acknowledge the first.
    """
    is_new = ":" in address
    listening = socket.create_server(
        (address, port),
        family=socket.AF_INET6 if is_new else socket.AF_INET,
        backlog=_BACKLOG,
        dualstack_ipv6=is_new and socket.has_dualstack_ipv6(),
    )
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _limit_connections() -> None:
    """Let as many connections come as there are descriptors for; more of these where they can be.

    Where the system allows few, fewer connections may wait at the same time.
    """
    from dataclasses import replace

    from pages.server.connections import WATCH

    spare = max(raise_descriptors() - _KEPT_BACK, 20)
    limits = WATCH.limits
    WATCH.limits = replace(
        limits,
        most_open=min(limits.most_open, spare),
        most_waiting=min(limits.most_waiting, spare // 2),
    )


def raise_descriptors() -> int:
    """Let this process have more descriptors, up to what it may ask for; returns how many."""
    try:
        import resource
    except ImportError:  # not on Windows, where there is no such limit
        return _DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_DESCRIPTORS, hard)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return _DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return int(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


if __name__ == "__main__":
    sys.exit(main())
