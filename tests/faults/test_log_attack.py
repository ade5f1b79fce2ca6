"""Somebody writes into a running server's log: long texts, forged lines, endless repetition."""

import json
import socket
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from core.store.people.people import begin_session
from core.store.store import Store
from pages.server.log_record import LONGEST
from tests.bench.collection import prepare
from tests.browser.running import Running, wait_until
from tests.faults.test_other_sites import WEBSOCKET, make_asker
from tests.short import long

FORGED = 'evil\r\n{"time": "2026", "level": "info", "event": "sign in", "person": "p-0"}\n\u2028'
LIMIT = 1_000_000
DOORS = (
    *("/", "/_stcore/stream", "/_stcore/upload_file/a/b", "/media/", "/static/", "/component/"),
    *("/join/", "/enter/", "/api/page/", "/api/labels", "/oauth2callback", "/~/+/"),
)
TEXTS = ("deferred_file.file_id", "dataframe_chunk.source_id", "dataframe_chunk.sort.column")


class Unguarded(Running):
    """The server without what it is tested for."""

    app = "tests.faults.unguarded:app"


def make_messages(size: int, session_id: str) -> Iterable[BackMsg]:
    """Iterate over messages with a stranger's text wherever a message has one."""
    text = FORGED + "x" * size
    for name in (
        "deferred_file.file_id",
        "dataframe_chunk.source_id",
        "dataframe_chunk.sort.column",
    ):
        message = BackMsg()
        request = message.backend_operation_request
        request.request_id, request.session_id = text, session_id
        part, *way, last = name.split(".")
        held = getattr(request, part)
        for step in way:
            held = getattr(held, step)
        setattr(held, last, text)
        yield message
    message = BackMsg()
    message.file_urls_request.request_id = message.file_urls_request.session_id = text
    message.file_urls_request.file_names.append(text)
    yield message
    for name in ("query_string", "page_script_hash", "page_name", "fragment_id"):
        message = BackMsg()
        setattr(message.rerun_script, name, text)
        context = message.rerun_script.context_info
        context.timezone = context.locale = context.url = context.color_scheme = text
        widget = message.rerun_script.widget_states.widgets.add()
        widget.id, widget.json_value = text, text
        yield message


def attack_by_websocket(server: Running, session: str, rounds: int, size: int) -> int:
    """Send all messages again and again as somebody signed in; returns how many were sent."""
    sent = 0
    address = f"ws://127.0.0.1:{server.port}/_stcore/stream"
    headers = {"Cookie": f"{server.cookie}={session}", "Origin": server.address}
    for _ in range(rounds):
        with (
            suppress(ConnectionClosed),
            connect(
                address, additional_headers=headers, subprotocols=["streamlit"], max_size=None
            ) as peer,
        ):
            peer.send(BackMsg(rerun_script={}).SerializeToString())
            greeting = ForwardMsg.FromString(peer.recv(timeout=60))
            for message in make_messages(size, greeting.new_session.initialize.session_id):
                peer.send(message.SerializeToString())
                sent += 1
            peer.recv(timeout=60)
    return sent


def attack_by_address(server: Running, rounds: int) -> int:
    """Ask for odd addresses under odd names, and send what is no request; returns how often."""
    ask, asked = make_asker(server), 0
    odd = FORGED.encode().decode("latin-1").replace("\r", "\x85").replace("\n", "\x85")
    for _ in range(rounds):
        for door in DOORS:
            for headers in (
                {"Origin": f"http://{odd}", "Connection": "close"},
                {**WEBSOCKET, "Origin": f"http://{odd}"},
                {"Host": odd, "Cookie": f"{server.cookie}={odd}", "Authorization": f"Bearer {odd}"},
            ):
                with suppress(OSError):
                    ask(door + quote(FORGED), {**headers, "Content-Length": "0"}, "POST", 12)
                    ask(door + quote(FORGED), headers, "GET", 12)
                asked += 2
        with suppress(OSError), socket.create_connection(("127.0.0.1", server.port)) as peer:
            peer.sendall(FORGED.encode() * 10)
    return asked


def attack(server: Running, session: str, long_form: bool) -> tuple[int, int]:
    """Attack from four sides at once; returns how many messages and requests were sent."""
    rounds = (40, 20) if long_form else (3, 1)
    with ThreadPoolExecutor(4) as sides:
        talks = [
            sides.submit(attack_by_websocket, server, session, rounds[0], 200_000) for _ in range(3)
        ]
        knocks = sides.submit(attack_by_address, server, rounds[1])
    wait_until(server.answers)
    return sum(talk.result() for talk in talks), knocks.result()


def find_odd_lines(text: str) -> list[str]:
    """Return the lines that no log of Dissent has written."""
    return [line for line in text.split("\n")[:-1] if not is_whole(line)]


def is_whole(line: str) -> bool:
    """Tell whether a line is an event of the log, all of it."""
    try:
        fields = json.loads(line)
    except ValueError:
        return False
    is_own = isinstance(fields, dict) and {"time", "level", "event"} <= fields.keys()
    return is_own and len(line) <= LONGEST and line.isascii()


@pytest.fixture
def attacked(tmp_path: Path) -> Callable[[type[Running]], tuple[Running, str]]:
    """What starts a server whose log is attacked by an assessor who is signed in."""

    def start(kind: type[Running]) -> tuple[Running, str]:
        path = tmp_path / "store.duckdb"
        prepared = prepare(path, documents=3, assessors=1)
        store = Store(path)
        session = begin_session(store, prepared.grants[0].assessor_id)
        store.close()
        server = kind(path, tmp_path / "server.log", {"DISSENT_LOG": "json", "UNGUARDED": "log"})
        server.start()
        return server, session

    return start


@pytest.mark.timeout(900)
def test_the_log_stays_small_and_whole(attacked, long_form: bool, record_property):
    server, session = attacked(Running)
    begun = server.log.stat().st_size
    try:
        messages, requests = attack(server, session, long_form)
    finally:
        server.stop()
    text = server.log.read_bytes()[begun:].decode()
    told = [json.loads(line) for line in text.splitlines()]
    record_property(
        "counts",
        f"{messages} messages, {requests} requests; {len(told)} lines, {len(text):,} bytes",
    )
    assert messages > 50
    assert requests > 50
    assert len(text) < LIMIT
    assert find_odd_lines(text) == []
    assert "evil" not in text
    assert any("deferred callable" in one["event"] for one in told)
    assert any(one.get("more", 0) > 1 for one in told)


@long
@pytest.mark.timeout(300)
def test_without_one_log_it_grows_and_lines_are_forged(attacked):
    server, session = attacked(Unguarded)
    begun = server.log.stat().st_size
    try:
        attack(server, session, False)
    finally:
        server.stop()
    text = server.log.read_bytes()[begun:].decode()
    assert len(text) > LIMIT
    assert '\n{"time": "2026", "level": "info", "event": "sign in"' in text
