"""A network between browsers and a server that can be cut, and that breaks connections."""

import contextlib
import random
import socket
import threading
from collections.abc import Iterator

PIECE = 4096


class Network:
    """Passes on what comes to ``port`` to another port of this machine.

    ``breaks``: while set, the number of bytes after which a connection breaks is drawn for each
    direction of each connection, so that requests and answers are torn at any place.

    A network that is hushed breaks nothing: it only stops to deliver, as where a cable was pulled.
    What was sent arrives when it is mended, unless a side has given the other up by then.
    """

    given_up_after = 11.0
    """Seconds of silence after which a side that asks whether the other is there gives it up."""

    def __init__(self, target: int, seed: int) -> None:
        self._target, self._rng = target, random.Random(seed)
        self._delivers = threading.Event()
        self._delivers.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.is_cut, self.breaks, self.broken = False, False, 0
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break every connection, and let none come about."""
        self.is_cut = True
        with self._lock:
            connections = list(self._open)
        for one in connections:
            self._end(one)

    def hush(self) -> None:
        """Deliver nothing, and tell nobody."""
        self._delivers.clear()

    def mend(self) -> None:
        """Let connections come about again, and what was sent arrive."""
        self.is_cut = False
        self._delivers.set()

    def close(self) -> None:
        """Be gone."""
        self._delivers.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            self._delivers.wait()
            if self.is_cut:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._target), timeout=5)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            with self._lock:
                self._open |= {near, far}
            for source, sink in ((near, far), (far, near)):
                left = self._rng.randrange(6000) if self.breaks else None
                threading.Thread(
                    target=self._pass_on, args=(source, sink, left), daemon=True
                ).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket, left: int | None) -> None:
        with contextlib.suppress(OSError):
            while piece := source.recv(PIECE):
                if not self._delivers.wait(self.given_up_after):
                    break
                if left is not None and len(piece) > left:
                    sink.sendall(piece[:left])
                    self.broken += 1
                    break
                sink.sendall(piece)
                left = None if left is None else left - len(piece)
        self._end(source)
        self._end(sink)

    def _end(self, one: socket.socket) -> None:
        with self._lock:
            self._open.discard(one)
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()


@contextlib.contextmanager
def make_network(target: int, seed: int) -> Iterator[Network]:
    """Make a network to a port, and take it away."""
    network = Network(target, seed)
    try:
        yield network
    finally:
        network.close()
