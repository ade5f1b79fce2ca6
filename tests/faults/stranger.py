"""One client without an account that tries everything which costs a server something."""

import contextlib
import http.client
import secrets
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

MEGABYTE = 1_000_000
FAILURES = (OSError, http.client.HTTPException, WebSocketException, TimeoutError)
FORGED = '{"time": "1970", "level": "info", "event": "forged"}'

Attack = Callable[["Stranger"], None]


class Stranger:
    """Attacks one port of this machine until it is told to stop, at most for ``seconds``.

    ``counts`` holds how often each attack was carried through to its refusal, or to its success.
    """

    def __init__(self, port: int, seconds: float, cookie: str = "dissent_session") -> None:
        self.port, self.counts, self.cookie = port, Counter[str](), cookie
        self.deadline = time.monotonic() + seconds
        self._held: list[socket.socket | ClientConnection] = []

    def run(self, attacks: dict[str, Attack]) -> None:
        """Carry out all attacks side by side, each again and again."""
        threads = [
            threading.Thread(target=self._repeat, args=(name, attack), daemon=True)
            for name, attack in attacks.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for one in self._held:
            with contextlib.suppress(*FAILURES):
                one.close()

    def _repeat(self, name: str, attack: Attack) -> None:
        while time.monotonic() < self.deadline:
            with contextlib.suppress(*FAILURES):
                attack(self)
            self.counts[name] += 1

    def hold(self, one: "socket.socket | ClientConnection") -> None:
        """Keep a connection until the end, up to a number."""
        self._held.append(one)
        if len(self._held) > 3_000:
            self._held.pop(0).close()

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> int:
        """Send one request and return the status of its answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        with contextlib.closing(connection):
            named = {name.replace("_", "-"): text for name, text in headers.items()}
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            answer.read()
            return answer.status

    def send(self, content: bytes) -> socket.socket:
        """Send bytes as they are."""
        peer = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        peer.sendall(content)
        return peer

    def enter(self) -> ClientConnection:
        """Open a websocket, as a page of this server would."""
        return connect(
            f"ws://127.0.0.1:{self.port}/_stcore/stream",
            origin=f"http://127.0.0.1:{self.port}",
            subprotocols=["streamlit"],
            max_size=None,
            legacy=True,
            open_timeout=10,
            close_timeout=1,
        )


def come_from_another_site(stranger: Stranger) -> None:
    """Open websockets with the Origin of another site: Streamlit asks outside about these."""
    head = (
        "GET /_stcore/stream HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nOrigin: http://evil.example\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIGtleSBvZiBhIHRyeQ==\r\n\r\n"
    )
    with stranger.send(head.format(stranger.port).encode()) as peer:
        peer.recv(1_000)
    time.sleep(0.05)


def upload(stranger: Stranger) -> None:
    """Upload a large file without an uploader on the page."""
    session = "none"
    with contextlib.suppress(*FAILURES):
        socket = stranger.enter()
        stranger.hold(socket)
        socket.send(_rerun())
        session = _session_of(socket)
    token = f"2|00000000|{secrets.token_hex(16)}|1"
    mark = secrets.token_hex(8)
    head = f'--{mark}\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
    body = head.encode() + bytes(60 * MEGABYTE) + f"\r\n--{mark}--\r\n".encode()
    stranger.ask(
        "PUT",
        f"/_stcore/upload_file/{session}/{secrets.token_hex(8)}",
        body,
        Content_Type=f"multipart/form-data; boundary={mark}",
        Cookie=f"_streamlit_xsrf={token}",
        X_Xsrftoken=token,
    )
    time.sleep(0.2)


def send_widget_states(stranger: Stranger) -> None:
    """Send states of widgets that no page has, as large as they may be."""
    socket = stranger.enter()
    stranger.hold(socket)
    asked = BackMsg()
    state = asked.rerun_script.widget_states.widgets.add()
    state.id, state.string_value = secrets.token_hex(8), "x" * (7 * MEGABYTE)
    socket.send(asked.SerializeToString())
    socket.recv(timeout=5)
    time.sleep(0.2)


def leave_frames_unfinished(stranger: Stranger) -> None:
    """Announce a frame of 180 MB and send a part of it, whatever is answered before."""
    request = (
        f"GET /_stcore/stream HTTP/1.1\r\nHost: 127.0.0.1:{stranger.port}\r\n"
        f"Origin: http://127.0.0.1:{stranger.port}\r\nConnection: Upgrade\r\n"
        "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIGtleSBvZiBhIHRyeQ==\r\n\r\n"
    )
    frame = b"\x82\xff" + (180 * MEGABYTE).to_bytes(8, "big") + bytes(4)
    peer = stranger.send(request.encode() + frame)
    stranger.hold(peer)
    for _ in range(20):
        peer.sendall(bytes(MEGABYTE))
    time.sleep(0.2)


def send_half_heads(stranger: Stranger) -> None:
    """Begin many requests and end none."""
    for _ in range(50):
        stranger.hold(stranger.send(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"y" * 8_000))
    time.sleep(0.2)


def send_half_bodies(stranger: Stranger) -> None:
    """Announce bodies and send a part of them, to every door that reads one."""
    for path in ("/sign-in", "/api/labels", "/join/ABCD2345", "/leave"):
        head = (
            f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n"
            "Authorization: Bearer x\r\n\r\n"
        )
        stranger.hold(stranger.send(head.encode() + bytes(50_000)))
    time.sleep(0.1)


def read_nothing(stranger: Stranger) -> None:
    """Ask many times over one connection, and take no answer."""
    peer = stranger.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 2_000)
    stranger.hold(peer)
    time.sleep(0.2)


def sign_out_with_made_up_cookies(stranger: Stranger) -> None:
    """Sign out sessions that nobody has."""
    stranger.ask("POST", "/leave", Cookie=f"{stranger.cookie}={secrets.token_hex(16)}")


def guess(stranger: Stranger) -> None:
    """Guess passwords, links and codes."""
    stranger.ask("POST", "/sign-in", b"name=Olga&password=wrong+guess+12")
    stranger.ask("GET", f"/enter/{secrets.token_urlsafe(24)}")
    stranger.ask("POST", f"/enter/{secrets.token_urlsafe(24)}")
    stranger.ask("GET", f"/join/{secrets.token_hex(4).upper()}")


def forge_lines_of_the_log(stranger: Stranger) -> None:
    """Send what looks like a line of the log wherever the log may quote it."""
    line = FORGED.encode()
    for text in (
        b"GET /\n" + line + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /_stcore/stream HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: " + line
        + b"\r\n\r\n",
        b"GET /_stcore/stream HTTP/1.1\r\nHost: x\r\nOrigin: http://" + line + b"\r\n"
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: " + line + b"\r\n\r\n",
        b"NONSENSE " + line + b"\n\n",
    ):  # fmt: skip
        with stranger.send(text) as peer:
            peer.recv(1_000)
    with contextlib.suppress(*FAILURES):
        socket = stranger.enter()
        with contextlib.closing(socket):
            socket.send(_rerun())
            asked = BackMsg()
            asked.backend_operation_request.session_id = _session_of(socket)
            asked.backend_operation_request.deferred_file.file_id = f"\n{FORGED}\n" * 20_000
            for _ in range(5):
                socket.send(asked.SerializeToString())
            socket.recv(timeout=2)


def look_everywhere(stranger: Stranger) -> None:
    """Ask for what is not for strangers, in many ways."""
    for path in ("/", "/agreement", "/_stcore/metrics", "/media/x", "/static/js/x.js",
                 "/_stcore/host-config", "/oauth2callback?state=x&code=y", "/auth/login",
                 "/sign-in/provider", "/api/page/x", "/api/health?details"):  # fmt: skip
        stranger.ask("GET", path, Cookie=f"{stranger.cookie}={'x' * 2_000}")


ATTACKS: dict[str, Attack] = {
    "handshakes from another site": come_from_another_site,
    "uploads": upload,
    "widget states": send_widget_states,
    "unfinished frames": leave_frames_unfinished,
    "half heads": send_half_heads,
    "half bodies": send_half_bodies,
    "answers not taken": read_nothing,
    "sign-outs": sign_out_with_made_up_cookies,
    "guesses": guess,
    "forged lines": forge_lines_of_the_log,
    "looks": look_everywhere,
}


def be_honest(stranger: Stranger) -> None:
    """Look at the entrance, as a visitor does."""
    for path in ("/", "/sign-in", "/join", "/api/health"):
        stranger.ask("GET", path)


@contextlib.contextmanager
def watch_for_calls() -> Iterator[tuple[dict[str, str], list[bytes]]]:
    """Listen as the proxy through which a process would call out; gives settings and calls."""
    calls: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def listen() -> None:
        with contextlib.suppress(OSError):
            while True:
                peer, _ = listener.accept()
                with peer, contextlib.suppress(OSError):
                    peer.settimeout(2)
                    calls.append(peer.recv(200))

    threading.Thread(target=listen, daemon=True).start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    names = ("http_proxy", "https_proxy", "all_proxy")
    yield (
        {
            **{name: address for name in names},
            **{name.upper(): address for name in names},
            "no_proxy": "",
            "NO_PROXY": "",
        },
        calls,
    )
    with contextlib.suppress(OSError):
        listener.shutdown(socket.SHUT_RDWR)
    listener.close()


def _rerun() -> bytes:
    asked = BackMsg()
    asked.rerun_script.query_string = ""
    return asked.SerializeToString()


def _session_of(socket: ClientConnection) -> str:
    while True:
        content = socket.recv(timeout=5)
        message = ForwardMsg.FromString(content if isinstance(content, bytes) else b"")
        if message.WhichOneof("type") == "new_session":
            return message.new_session.initialize.session_id
