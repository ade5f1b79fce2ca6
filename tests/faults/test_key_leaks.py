"""A model's server that wants the key elsewhere: echoed in its answers, or sent to another host."""

import html
import io
import itertools
import json
import re
import socket
import subprocess
import threading
import traceback
import urllib.request
import zipfile
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from core.command.main import main
from core.processes import start_module
from core.prompting.client import Client, RequestFailed
from core.prompting.endpoint import KEY_VARIABLE, ApiKey, read_endpoint
from core.store.backup.backup import restore_backup, write_backup
from core.store.content.collections import list_collections
from core.store.people.people import add_person, begin_session
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import make_token
from core.store.store import Store
from pages.api.routes import MIDDLEWARE, ROUTES
from pages.api.v1.table import OPERATIONS
from pages.server import running
from pages.server.running import Server
from pages.shared.session import session_cookie
from tests.core.prompting.chat_server import Asked, Behaviour, ChatServer, Told, judge, say
from tests.core.prompting.collection import NAME, fill_store
from tests.short import few, long

SECRET = "sk-Zq8/wPd+3x=Vn_4tR7yB"
MESSAGES = [{"role": "user", "content": "ITEM d1: cats?"}]

FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "its beginning": lambda key: f"{key[:9]}****{key[-2:]}",
    "its end": lambda key: f"****{key[-9:]}",
    "in pieces": lambda key: f"{key[:11]} and then {key[11:]}",
    "twice": lambda key: key + key,
    "base64": lambda key: b64encode(key.encode()).decode(),
    "base64 of the header": lambda key: b64encode(f"Bearer {key}".encode()).decode(),
    "base64 with a name": lambda key: urlsafe_b64encode(f"user:{key}".encode()).decode(),
    "for an address": lambda key: quote(key, safe=""),
    "twice for an address": lambda key: quote(quote(key, safe=""), safe=""),
    "for a page": lambda key: "".join(f"&#{ord(one)};" for one in key),
    "for a page, in hexadecimals": lambda key: "".join(f"&#x{ord(one):x};" for one in key),
    "in hexadecimals": lambda key: key.encode().hex(),
    "for JSON": lambda key: "".join(f"\\u{ord(one):04x}" for one in key),
    "for JSON in JSON": lambda key: json.dumps(key.replace("/", "\\/"))[1:-1],
    "for a terminal": lambda key: f"\x1b[31m{key}\x1b]0;{key}\x07\x9b",
}


def betrays(text: str, key: str = SECRET) -> bool:
    """Tell whether a text has the key or eight characters of it in a row, in whatever form."""
    plain = text
    for _ in range(4):
        coded = b64encode(key.encode()).decode(), b64encode(f"Bearer {key}".encode()).decode()[12:]
        named = urlsafe_b64encode(f"user:{key}".encode()).decode()[8:]
        for form in (key, *coded, named, key.encode().hex()):
            if any(form[n : n + 8] in plain for n in range(len(form) - 7)):
                return True
        unpacked = html.unescape(unquote(plain)).replace("\\/", "/")
        unpacked = re.sub(r"\\+u00(..)", lambda found: f"%{found[1]}", unpacked)
        plain = unpacked
    return False


@pytest.mark.parametrize("form", FORMS)
def test_what_is_looked_for_would_be_found(form: str):
    assert betrays(f"before {FORMS[form](SECRET)} after")
    assert not betrays(f"before {FORMS[form]('another-key-altogether')} after")


def echo(form: Callable[[str], str]) -> Iterator[Told]:
    """Tell the key in each place of an answer where a server could."""
    key = form(SECRET)
    for status in (200, 400, 401, 403, 429, 500, 503):
        for body in (
            f"Invalid: {key}",
            json.dumps({"error": {"message": f"Invalid: {key}"}}),
            json.dumps({"error": f"Invalid: {key}"}),
            json.dumps({"error": {"code": f"Invalid: {key}"}}),
            json.dumps({"error": {"message": {key: [key]}}}),
            json.dumps({key: {"error": key}}),
            "x" * 190 + key,
            json.dumps({"choices": [{"message": {key: key}}]}),
            json.dumps({"choices": [{"message": {"content": [key]}}], "usage": {key: key}}),
            f'data: {{"choices": [{{"delta": {{"content": "{key}"}}}}]}}\n\n',
        ):
            yield Told(status, body.encode())
    told = "".join(one for one in key if one.isprintable())
    for name in ("Location", "WWW-Authenticate", "Retry-After", "Set-Cookie", "X-Echo", told):
        if all(one.isalnum() or one in "-_" for one in name):
            yield Told(401, b"", {name: told})


def answer(form: Callable[[str], str]) -> Iterator[Told]:
    """Tell the key in each place of a model's answer."""
    key = form(SECRET)
    yield say(f"Your key is {key}.")
    yield say(None, refusal=f"Not for {key}.")
    yield say(key, finish_reason="length")
    yield say(json.dumps({"reason": f"Your key is {key}.", "level": "1"}))
    yield say(json.dumps({"reason": "No.", "level": key}))
    yield say(json.dumps({key: key, "level": "1"}))
    yield say(f"It is {key}.\nlevel: {key}")


def hear(url: str, patience: float = 20.0) -> str:
    """Return all that is to be seen of one request: the answer, or the fault and its trace."""
    client = Client(read_endpoint(url), "judge-1", ApiKey(SECRET), patience)
    body = client.write(MESSAGES, {}, None)
    try:
        reply = client.send(body, has_schema=True)
    except RequestFailed as fault:
        shown = "".join(traceback.format_exception(fault, limit=0))
        return f"{fault} {fault!r} {shown} {client!r} {vars(client)!r}"
    return f"{reply.text} {reply.refusal} {client!r} {vars(client)!r}"


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with closing(ChatServer(lambda _: judge(1))) as opened:
        yield opened


@pytest.mark.parametrize("form", few(FORMS, 4))
def test_a_key_that_is_echoed_is_hidden(chat: ChatServer, form: str):
    for told in (*echo(FORMS[form]), *answer(FORMS[form])):
        chat.behave = lambda _, told=told: told
        heard = hear(chat.url)
        assert not betrays(heard), (told, heard)
        if told.status != 200:
            assert "\x1b" not in heard


@long
@pytest.mark.parametrize("form", FORMS)
def test_without_that_it_would_be_told(
    chat: ChatServer, form: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ApiKey, "hide", lambda _, text: text)
    told: list[bool] = []
    for one in (*echo(FORMS[form]), *answer(FORMS[form])):
        chat.behave = lambda _, one=one: one
        told.append(betrays(hear(chat.url)))
    assert sum(told) > 10


@pytest.mark.parametrize("status", few([302, 301, 303, 307, 308, 300, 304]))
def test_no_redirect_is_followed(chat: ChatServer, status: int):
    """Neither to another host or port, nor to another path, kind of address or file."""
    with closing(ChatServer(lambda _: judge(1))) as trap:
        port = trap.url.rpartition(":")[2]
        for target in (
            *(f"{trap.url}/chat/completions", f"//127.0.0.1:{port}/chat/completions"),
            *(f"http://localhost:{port}/chat/completions", f"https://127.0.0.1:{port}/"),
            *("file:///etc/passwd", "/v1/elsewhere", "http://169.254.169.254/", "http://[::1]/"),
            *(f"ftp://127.0.0.1:{port}/", "data:,x", f"\\\\127.0.0.1:{port}", "", "chat"),
        ):
            asked = len(chat.asked)
            chat.behave = lambda _, target=target: Told(status, b"", {"Location": target})
            assert f"answered {status}" in hear(chat.url)
            assert len(chat.asked) == asked + 1
        assert trap.asked == []


def ask_by_urllib(client: Client, body: bytes) -> tuple[int, str | None, bytes]:
    """Ask as Python's own library would: by the environment's proxies, and where it is sent."""
    url = f"{client.endpoint}/chat/completions"
    asked = urllib.request.Request(url, body, client._head())
    with urllib.request.build_opener().open(asked, timeout=20) as answer:
        return answer.status, None, answer.read()


@pytest.fixture
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A machine whose environment names a proxy for everything, and a file with passwords."""
    (tmp_path / ".netrc").write_text("default login evil password other-secret\n")
    with closing(ChatServer(lambda _: judge(1))) as proxy:
        address = proxy.url.removesuffix("/v1")
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, address)
            monkeypatch.setenv(name.upper(), address)
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
        yield proxy


@pytest.mark.parametrize("is_guarded", few([True, False]), ids=["guarded", "without its guard"])
def test_no_proxy_of_the_environment_is_asked(
    chat: ChatServer,
    surroundings: ChatServer,
    is_guarded: bool,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
):
    lines: list[str] = []
    if not is_guarded:
        monkeypatch.setattr(Client, "_exchange", ask_by_urllib)
        handler = surroundings._http.RequestHandlerClass
        take = handler.do_POST  # type: ignore[attr-defined]

        def note(self: object) -> None:
            lines.append(self.path)  # type: ignore[attr-defined]
            take(self)

        monkeypatch.setattr(handler, "do_POST", note)
        with pytest.raises(OSError, match="404"):
            hear(chat.url)
        assert lines == [f"{chat.url}/chat/completions"], "the proxy was sent all, with the key"
        return
    hear(chat.url)
    (asked,) = chat.asked
    assert asked.headers["Authorization"] == f"Bearer {SECRET}"
    assert asked.headers["Accept-Encoding"] == "identity"
    assert surroundings.asked == lines == []
    assert not betrays("".join(capfd.readouterr()))


def test_what_reads_files_of_strangers_has_no_key(monkeypatch: pytest.MonkeyPatch):
    for name in (KEY_VARIABLE, "DISSENT_STORE", "PGPASSWORD"):
        monkeypatch.setenv(name, SECRET)
    monkeypatch.setenv("OTHERWISE", "it is told")
    process = start_module(
        "code", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    told, _ = process.communicate(b"import os\nprint(dict(os.environ))\n", timeout=60)
    assert b"it is told" in told
    assert not betrays(told.decode())


def behave_badly() -> Behaviour:
    """Echo the key in another form and place at each request, and at last as the key is wrong."""
    answers = iter([one for form in FORMS.values() for one in answer(form)])
    told = [one for form in FORMS.values() for one in echo(form) if one.status in (200, 400, 500)]
    faults = iter(told[::4])

    def behave(asked: Asked) -> Told:
        served = faults if int(asked.item[-4:]) % 2 else answers
        return next(served, Told(401, f"Wrong key: {SECRET}".encode()))

    return behave


def read_all(folder: Path) -> str:
    """Return all that lies in files, and all rows of all tables of stores and of archives."""
    texts = [one.read_bytes().decode("latin-1") for one in folder.rglob("*") if one.is_file()]
    for archive in folder.rglob("*.zip"):
        with zipfile.ZipFile(archive) as held:
            texts += [held.read(name).decode("latin-1") for name in held.namelist()]
    for path in folder.rglob("*.duckdb"):
        with closing(Store(path)) as store:
            tables = store.cursor().sql("SELECT table_name FROM duckdb_tables()").fetchall()
            texts += [
                str(store.cursor().sql(f"SELECT COLUMNS(*)::VARCHAR FROM {one}").fetchall())
                for (one,) in tables
            ]
    return "\n".join(texts)


def run_jobs(folder: Path, url: str) -> str:
    """Have a hostile server judge, from a terminal; return all that was printed and answered."""
    with closing(Store(folder / "study.duckdb")) as store:
        made = fill_store(store, documents=120)
        olga = add_person(store, "Olga", "organiser")
        token = make_token(store, olga, "all", SCOPES["organiser"])
        session = begin_session(store, olga)
    printed = io.StringIO()
    words = ["judge", "--store", str(store.path), "--collection", NAME]
    job = [
        "--machine",
        "llm",
        "--server",
        url,
        "--model",
        "m",
        "--yes",
        "--tries",
        "1",
        "--depth",
        "999",
    ]
    with redirect_stdout(printed), redirect_stderr(printed):
        main([*words, *job, "--concurrency", "1"])
        main([*words, "--list"])
        main([*words, "--list", "--format", "json"])
        main(["export", "labels", *words[1:], "--output", str(folder / "labels.tsv")])
    with closing(Store(store.path)) as again:
        write_backup(again, folder / "backup.zip")
        printed.write(ask_everything(again, made, token, session))
    restore_backup(folder / "backup.zip", folder / "restored.duckdb")
    return printed.getvalue()


def ask_everything(store: Store, collection_id: str, token: str, session: str) -> str:
    """Return what the API and the pages' addresses answer an organiser."""
    known, running._running[:] = [*running._running], [Server(store, demo=False)]
    try:
        client = TestClient(Starlette(routes=ROUTES, middleware=MIDDLEWARE))
        bearer = {"Authorization": f"Bearer {token}"}
        told = []
        for one in OPERATIONS:
            path = one.path.replace("{collection}", collection_id)
            if one.method == "GET" and "{" not in path:
                told.append(client.get(f"/api/v1{path}", headers=bearer).text)
        client.cookies.set(session_cookie(store.secret), session)
        told += [client.get(path).text for path in ("/api/health?details", "/", "/api/v1/nothing")]
    finally:
        running._running[:] = known
    assert len(told) > 5
    assert list_collections(store)
    return "\n".join(told)


@long
@pytest.mark.parametrize("is_guarded", [True, False], ids=["guarded", "without its guard"])
def test_nothing_that_is_stored_or_shown_holds_the_key(
    tmp_path: Path, chat: ChatServer, is_guarded: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    if not is_guarded:
        monkeypatch.setattr(ApiKey, "hide", lambda _, text: text)
    chat.behave = behave_badly()
    printed = run_jobs(tmp_path, chat.url)
    assert len(chat.asked) > 100
    assert "job" in printed
    assert betrays(printed) != is_guarded
    assert betrays(read_all(tmp_path)) != is_guarded


HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
RAW: dict[str, Callable[[str], Iterator[str]]] = {
    "no status": lambda key: iter([f"{key}\r\n\r\n"]),
    "a status that is the key": lambda key: iter([f"HTTP/1.1 {key} {key}\r\n\r\n"]),
    "another protocol": lambda key: iter([f"HTTP/{key} 200 OK\r\n\r\n"]),
    "a reason that is the key": lambda key: iter([f"HTTP/1.1 401 {key}\r\n\r\n"]),
    "a header without a name": lambda key: iter([HEAD, f": {key}\r\n\r\n{{}}"]),
    "a long header": lambda key: iter([HEAD, f"X: {key * 5_000}\r\n\r\n{{}}"]),
    "many headers": lambda key: iter([HEAD, f"X: {key}\r\n" * 500, "\r\n{}"]),
    "headers without an end": lambda key: itertools.chain([HEAD], itertools.repeat("X: y\r\n")),
    "go on, without an end": lambda key: itertools.repeat("HTTP/1.1 100 Continue\r\n\r\n"),
    "a line without an end": lambda key: itertools.repeat(key),
    "a body without an end": lambda key: itertools.chain([HEAD, "\r\n"], itertools.repeat(key)),
    "pieces without an end": lambda key: itertools.chain(
        [HEAD, "Transfer-Encoding: chunked\r\n\r\n"], itertools.repeat(f"17\r\n{key}\r\n")
    ),
    "a piece of no size": lambda key: iter(
        [HEAD, f"Transfer-Encoding: chunked\r\n\r\n{key}\r\n{key}\r\n0\r\n\r\n"]
    ),
    "a huge piece": lambda key: iter(
        [HEAD, f"Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\n{key}"]
    ),
    "too short": lambda key: iter([HEAD, f"Content-Length: 10000000000000\r\n\r\n{key}"]),
    "a size below nothing": lambda key: iter([HEAD, f"Content-Length: -1\r\n\r\n{key}"]),
    "a size that is the key": lambda key: iter([HEAD, f"Content-Length: {key}\r\n\r\n{key}"]),
    "two sizes": lambda key: iter(
        [HEAD, f"Content-Length: 3\r\nContent-Length: 300\r\n\r\n{key}"]
    ),
    "packed": lambda key: iter([HEAD, f"Content-Encoding: gzip\r\n\r\n{key}"]),
    "odd waits": lambda key: iter(
        [f"HTTP/1.1 429 No\r\nRetry-After: {key}\r\nContent-Length: 0\r\n\r\n"]
    ),
    "long waits": lambda key: iter(
        [f"HTTP/1.1 429 No\r\nRetry-After: {'9' * 60_000}\r\nContent-Length: 0\r\n\r\n"]
    ),
}  # fmt: skip


@contextmanager
def tell_raw(pieces: Iterator[str]) -> Iterator[str]:
    """Serve one request with bytes as they are, until whoever asked has gone."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        def serve() -> None:
            asking, _ = listening.accept()
            with closing(asking), suppress(OSError):
                asking.recv(65_536)
                for piece in pieces:
                    asking.sendall(piece.encode())

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/v1"
        thread.join(20)
        assert not thread.is_alive()


@pytest.mark.parametrize("name", few(RAW, 4))
def test_an_answer_that_is_no_answer_tells_nothing(
    name: str, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
):
    with tell_raw(RAW[name](SECRET)) as url:
        heard = hear(url, patience=1.0)
    assert "RequestFailed" in heard
    assert not betrays("".join((heard, *capfd.readouterr(), caplog.text)))
