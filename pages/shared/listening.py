"""The sockets on which this process listens."""

import gc
import socket


def answer_without_delay() -> int:
    """Switch Nagle's algorithm off on every listening socket; returns how many there are.

    Streamlit opens its socket in a way that keeps asyncio from doing this, and an answer in two
    parts then waits 40 ms for the browser to acknowledge the first. Connections inherit the
    setting from the socket that accepts them.
    """
    listening = [one for one in gc.get_objects() if _listens(one)]
    for one in listening:
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return len(listening)


def _listens(thing: object) -> bool:
    return (
        type(thing) is socket.socket
        and thing.fileno() >= 0
        and thing.family in (socket.AF_INET, socket.AF_INET6)
        and bool(thing.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
    )
