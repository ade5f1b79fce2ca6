import json
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from core.prompting.client import AGAIN, GIVE_UP, STOP, WITHOUT_SCHEMA, Client, Reply, RequestFailed
from core.prompting.endpoint import ApiKey, read_endpoint
from tests.core.prompting.chat_server import Asked, ChatServer, Told, fail, judge, say
from tests.core.prompting.conftest import Serve
from tests.pages.server.receiver import make_certificate

SECRET = "sk-very/secret+key"
MESSAGES = [{"role": "user", "content": "ITEM d1: caf\u00e9?"}]
SCHEMA = {"type": "json_schema"}


def ask(server: ChatServer, *, key: str = "", patience: float = 20.0, schema: bool = True) -> Reply:
    client = Client(read_endpoint(server.url), "judge-1", ApiKey(key), patience)
    body = client.write(MESSAGES, {"temperature": 0}, SCHEMA if schema else None)
    return client.send(body, has_schema=schema)


def refused(server: ChatServer, **options: object) -> RequestFailed:
    with pytest.raises(RequestFailed) as fault:
        ask(server, **options)
    return fault.value


def test_an_answer_is_read_with_its_tokens(serve: Serve):
    server = serve(lambda _: judge(2))
    reply = ask(server, key=SECRET)
    assert json.loads(reply.text)["level"] == "2"
    assert (reply.input_tokens, reply.output_tokens) == (100, 20)
    assert (reply.cut, reply.refusal) == (False, "")
    (asked,) = server.asked
    assert asked.body == {
        "model": "judge-1",
        "messages": MESSAGES,
        "temperature": 0,
        "response_format": SCHEMA,
    }
    assert asked.headers["Authorization"] == f"Bearer {SECRET}"


def test_without_a_key_and_a_schema_neither_is_sent(serve: Serve):
    server = serve(lambda _: judge(2))
    ask(server, schema=False)
    assert "Authorization" not in server.asked[0].headers
    assert "response_format" not in server.asked[0].body


@pytest.mark.parametrize(
    ("told", "reply"),
    [
        (
            say("x", finish_reason="length"),
            Reply("x", cut=True, input_tokens=100, output_tokens=20),
        ),
        (say(None, refusal="No.", usage=None), Reply("", refusal="No.")),
        (say(None, usage={"prompt_tokens": -1, "completion_tokens": True}), Reply("")),
        (say("", usage={"prompt_tokens": 3}), Reply("", input_tokens=3)),
    ],
)
def test_what_else_an_answer_can_say(told: Told, reply: Reply, serve: Serve):
    assert ask(serve(lambda _: told)) == reply


@pytest.mark.parametrize(
    ("told", "follows", "wait"),
    [
        (fail(429), AGAIN, None),
        (fail(429, Retry_After="7"), AGAIN, 7.0),
        (fail(500), AGAIN, None),
        (fail(503, Retry_After="2"), AGAIN, 2.0),
        (fail(400), WITHOUT_SCHEMA, None),
        (fail(413), GIVE_UP, None),
        (fail(401), STOP, None),
        (fail(302, Location="http://127.0.0.1:9/"), STOP, None),
    ],
)
def test_a_status_is_a_fault(told: Told, follows: str, wait: float | None, serve: Serve):
    server = serve(lambda _: told)
    fault = refused(server)
    assert (fault.follows, fault.wait, fault.status) == (follows, wait, told.status)
    assert str(fault) == f"the server answered {told.status}: out of order"
    assert not fault.is_billed
    assert len(server.asked) == 1, "nothing is sent twice, nor elsewhere"


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'{"error": "plain words"}', ": plain words"),
        (b"<html>\n\n Bad\tGateway \0 </html>", ": <html> Bad Gateway </html>"),
        (b'{"error": {"message": "\\ud83d half"}}', ": ? half"),
        (b"\xff", ": \ufffd"),
        (b"", ""),
        (b"x" * 1000, f": {'x' * 200}\u2026"),
    ],
)
def test_what_a_server_says_is_one_short_line(body: bytes, says: str, serve: Serve):
    assert str(refused(serve(lambda _: Told(500, body)))) == f"the server answered 500{says}"


WHOLE = judge(1).body


@pytest.mark.parametrize(
    "body",
    [
        *(WHOLE[: len(WHOLE) // 2], b"", b"[]", b"{}", b'{"choices": []}', b'{"choices": [1]}'),
        *(b'{"choices": [{"message": null}]}', b"[" * 100_000, b"null"),
        b'{"choices": [{"message": {"content": "x"}}], "usage": [1]}',
    ],
)
def test_an_answer_that_is_broken_off_or_of_another_kind_is_a_fault(body: bytes, serve: Serve):
    fault = refused(serve(lambda _: Told(200, body)))
    assert (fault.follows, fault.status, fault.is_billed) == (AGAIN, 200, True)


@pytest.mark.parametrize("after", [0, 20])
def test_a_connection_that_breaks_off_is_a_fault(after: int, serve: Serve):
    fault = refused(serve(lambda _: Told(200, WHOLE, breaks_after=after)))
    assert (fault.reason, fault.follows) == ("the connection broke off", AGAIN)
    assert fault.is_billed


def test_an_answer_that_comes_too_late_is_a_fault(serve: Serve):
    fault = refused(serve(lambda _: Told(200, WHOLE, stall=1.0)), patience=0.2)
    assert fault.reason == "there was no answer within 0.2 seconds"
    assert (fault.follows, fault.is_billed) == (AGAIN, True)


def test_a_server_that_is_not_there_costs_nothing():
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    client = Client(read_endpoint(f"http://127.0.0.1:{port}/v1"), "judge-1")
    with pytest.raises(RequestFailed) as fault:
        client.send(b"{}", has_schema=False)
    assert str(fault.value) == "the server cannot be reached"
    assert (fault.value.follows, fault.value.is_billed) == (AGAIN, False)


@pytest.fixture
def dripping() -> Iterator[str]:
    """A server that sends a sign now and then, without an end."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        over = threading.Event()

        def drip() -> None:
            asking, _ = listening.accept()
            with closing(asking):
                asking.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                while not over.wait(0.05):
                    try:
                        asking.sendall(b" ")
                    except OSError:
                        return

        thread = threading.Thread(target=drip)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        over.set()
        thread.join()


def test_an_answer_without_an_end_is_a_fault(dripping: str):
    client = Client(read_endpoint(dripping), "judge-1", patience=0.4)
    with pytest.raises(RequestFailed, match=r"no answer within 0\.4 seconds"):
        client.send(b"{}", has_schema=False)


@pytest.mark.skipif(not shutil.which("openssl"), reason="no openssl to make a certificate with")
def test_over_tls_only_to_whom_the_certificate_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    certificate = make_certificate(tmp_path)
    with closing(ChatServer(lambda _: judge(1), certificate)) as server:
        fault = refused(server)
        assert (fault.reason, fault.follows) == ("the server's certificate is not valid", STOP)
        assert server.asked == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert ask(server).output_tokens == 20


def test_an_answer_that_is_far_too_long_is_a_fault(serve: Serve):
    told = Told(200, b" " * (2**23 + 1))
    assert refused(serve(lambda _: told)).reason == "the answer is far too long"


def echo(status: int) -> Told:
    """Tell the key as a server might that quotes what it was asked."""
    escaped = json.dumps(f"your key is {SECRET}").replace("/", "\\/").replace("v", "\\u0076")
    if status == 200:
        return Told(200, say("@", refusal="@").body.replace(b'"@"', escaped.encode()))
    return Told(status, f'{{"error": {{"message": {escaped}}}}}'.encode())


@pytest.mark.parametrize("status", [200, 401, 500])
def test_a_server_that_tells_the_key_does_not_give_it_away(status: int, serve: Serve):
    def behave(asked: Asked) -> Told:
        assert asked.headers["Authorization"] == f"Bearer {SECRET}"
        return echo(status)

    server = serve(behave)
    if status == 200:
        reply = ask(server, key=SECRET)
        assert reply.text == reply.refusal == "your key is [key]"
    else:
        assert str(refused(server, key=SECRET)).endswith("your key is [key]")


def test_what_is_under_way_can_be_broken_off(serve: Serve):
    asked, held = threading.Event(), threading.Event()

    def behave(_: Asked) -> Told:
        asked.set()
        held.wait(60)
        return judge(1)

    server = serve(behave)
    client = Client(read_endpoint(server.url), "judge-1")

    def cancel() -> None:
        asked.wait(20)
        client.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    with pytest.raises(RequestFailed, match="it was stopped") as fault:
        client.send(client.write(MESSAGES, {}, None), has_schema=False)
    thread.join()
    held.set()
    assert (fault.value.follows, fault.value.is_billed) == (STOP, True)
    with pytest.raises(RequestFailed, match="it was stopped") as fault:
        client.send(client.write(MESSAGES, {}, None), has_schema=False)
    assert not fault.value.is_billed
    assert len(server.asked) == 1
