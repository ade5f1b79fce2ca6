"""Live pages of an organiser over a real websocket, without a browser to draw them."""

import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect


@dataclass
class Dashboard:
    """One open page: it asks for what its fragments ask to be asked, as the frontend does.

    Attributes
    ----------
    seconds : list of float
        From the server's beginning to draw the whole page to its end.
    late : list of float
        From the arrival of one whole page to that of the next.
    messages : int
        What the server has sent.
    faults : list of str
        Exceptions shown on the page, and connections lost.
    """

    port: int
    cookie: str
    session: str
    page: str
    seconds: list[float] = field(default_factory=list)
    late: list[float] = field(default_factory=list)
    messages: int = 0
    faults: list[str] = field(default_factory=list)

    def run(self, stop: threading.Event) -> None:
        """Keep the page open until told to stop."""
        address = f"ws://127.0.0.1:{self.port}/_stcore/stream"
        headers = {
            "Cookie": f"{self.cookie}={self.session}",
            "Origin": f"http://127.0.0.1:{self.port}",
        }
        self._polls: dict[str, tuple[float, float]] = {}
        self._drawing, self._shown, self._is_busy = 0.0, 0.0, False
        try:
            with connect(
                address, additional_headers=headers, subprotocols=["streamlit"], max_size=None
            ) as socket:
                socket.send(self._ask())
                while not stop.is_set():
                    with suppress(TimeoutError):
                        self._take(socket.recv(timeout=0.05))
                    for fragment in self._due():
                        socket.send(self._ask(fragment))
        except (ConnectionClosed, OSError) as error:
            self.faults.append(f"connection: {error}")

    def _ask(self, fragment: str = "") -> bytes:
        asked = BackMsg()
        asked.rerun_script.page_script_hash = calc_hash(self.page)
        asked.rerun_script.fragment_id = fragment
        asked.rerun_script.is_auto_rerun = bool(fragment)
        return asked.SerializeToString()

    def _due(self) -> list[str]:
        """Return the fragments whose interval has passed, and put them off by another."""
        now = time.monotonic()
        due = [name for name, (_, at) in self._polls.items() if at <= now]
        for name in due:
            interval, _ = self._polls[name]
            self._polls[name] = (interval, now + interval)
        return due

    def _take(self, content: str | bytes) -> None:
        now = time.monotonic()
        message = ForwardMsg.FromString(content if isinstance(content, bytes) else b"")
        self.messages += 1
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._is_busy = not message.metadata.run.fragment_ids
            if self._is_busy:
                self._drawing = now
                self._polls.clear()
        elif kind == "auto_rerun":
            interval = message.auto_rerun.interval
            self._polls[message.auto_rerun.fragment_id] = (interval, now + interval)
        elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "exception":
            self.faults.append(message.delta.new_element.exception.message)
        elif kind == "script_finished" and self._is_busy:
            self._finish(now, message.script_finished)

    def _finish(self, now: float, how: int) -> None:
        """Note a page that was drawn to its end; one that gave way to a newer is not shown."""
        if how == ForwardMsg.FINISHED_SUCCESSFULLY:
            self.seconds.append(now - self._drawing)
            if self._shown:
                self.late.append(now - self._shown)
            self._shown, self._is_busy = now, False
