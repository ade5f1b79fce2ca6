"""Who gets past the gate, and how far."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.proto.BackMsg_pb2 import BackMsg

from core.store.people.people import add_person, begin_session, end_session
from core.store.store import Store
from pages.server import gate
from pages.server.gate import LARGEST, STREAM, USUAL, Gate
from pages.shared.session import session_cookie
from tests.pages.conftest import lasting_store
from tests.short import few

store = lasting_store

OWN = {"Origin": "http://testserver"}
PARTS = ("/_stcore/host-config", "/static/js/main.js", "/media/secret.csv", "/component/x/y.js")
EVERYTHING = ["GET", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]

Enter = Callable[[str], TestClient]


def behind(request: Request) -> Response:
    return PlainTextResponse(f"behind the gate: {request.url.path}")


async def echo(socket: WebSocket) -> None:
    await socket.accept()
    try:
        while True:
            await socket.send_text(f"{len(await socket.receive_bytes())} bytes")
    except WebSocketDisconnect as left:
        seen.append(left.code)


async def tell(socket: WebSocket) -> None:
    """Send the address of a file, as a page does that hands it out."""
    await socket.accept()
    await socket.send_bytes(b"\x12\x45/media/" + FILE.encode() + b".csvJ\x02")
    await socket.close()


FILE = "0123456789abcdef" * 2
seen: list[int] = []
DOORS = [Route("/door", behind, methods=["GET", "POST"])]
GUARDED = [Middleware(Gate, doors=DOORS)]


def make_app(middleware: list[Middleware]) -> Starlette:
    routes = [*DOORS, WebSocketRoute(STREAM, echo), WebSocketRoute("/other", echo),
              Route("/{rest:path}", behind, methods=EVERYTHING)]  # fmt: skip
    return Starlette(routes=routes, middleware=middleware)


@pytest.fixture
def enter(store: Store) -> Enter:
    """Return what makes the browser of a visitor in a role; of a stranger for none."""

    def make(role: str = "", middleware: list[Middleware] = GUARDED) -> TestClient:
        client = TestClient(make_app(middleware))
        if role:
            token = begin_session(store, add_person(store, f"{role} {uuid4()}", role))
            client.cookies.set(session_cookie(store.secret), token)
        return client

    gate._RECENT._seen.clear()
    seen.clear()
    return make


@pytest.mark.parametrize("path", ["/", "/agreement", "/people", "/any/where"])
def test_a_stranger_is_shown_the_way_in_at_every_page(enter: Enter, path: str):
    answer = enter("").get(path)
    assert "You need an invitation link" in answer.text
    assert "behind the gate" not in answer.text
    assert "set-cookie" not in answer.headers
    assert enter("viewer").get(path).text == f"behind the gate: {path}"


@pytest.mark.parametrize("path", PARTS)
def test_what_is_no_page_is_refused_to_strangers(enter: Enter, path: str):
    assert enter("").get(path).status_code == 401
    assert enter("", []).get(path).status_code == 200
    # A file is for whom a page has told of it.
    assert enter("assessor").get(path).status_code == (404 if "media" in path else 200)


@pytest.mark.parametrize("method", [one for one in EVERYTHING if one != "GET"])
def test_a_stranger_changes_nothing(enter: Enter, method: str):
    assert enter("").request(method, "/agreement").status_code == 401


def test_a_door_is_open_to_all(enter: Enter):
    for role in ("", "assessor", "organiser"):
        assert enter(role).get("/door").text == "behind the gate: /door"


@pytest.mark.parametrize("path", ["/auth/login", "/_stcore/agent/interact", "/_stcore/agent"])
def test_what_has_no_use_here_is_there_for_nobody(enter: Enter, path: str):
    assert enter("organiser").get(path).status_code == 404
    assert enter("organiser", []).get(path).status_code == 200


@pytest.mark.parametrize("path", ["/_stcore/upload_file/session/file", "/_stcore/metrics"])
def test_only_organisers_upload_and_see_metrics(enter: Enter, path: str):
    given = {role: enter(role).put(path).status_code for role in ("", *LARGEST)}
    assert given == {"": 401, "assessor": 403, "viewer": 403, "organiser": 200}


@pytest.mark.parametrize(
    "headers",
    [{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
     {"Origin": "http://testserver:81"}, {"Origin": "file://testserver"},
     {"Origin": "chrome-extension://testserver"},
     {"Origin": "http://testserver", "X-Forwarded-Proto": "https"}],
)  # fmt: skip
def test_nothing_is_changed_from_another_site_or_port(enter: Enter, headers: dict[str, str]):
    assert enter("organiser").post("/door", headers=headers).status_code == 403
    assert enter("organiser", []).post("/door", headers=headers).status_code == 200


def test_who_has_signed_out_is_a_stranger_at_once(enter: Enter, store: Store):
    client = enter("organiser")
    assert client.get("/app/static/file").status_code == 200
    end_session(store, client.cookies[session_cookie(store.secret)])
    assert client.get("/app/static/file").status_code == 401
    assert enter("organiser", []).get("/app/static/file").status_code == 200


@pytest.mark.parametrize(
    ("role", "path", "headers"),
    [
        ("", STREAM, OWN),
        ("organiser", "/other", OWN),
        ("organiser", STREAM, {"Origin": "http://evil.example"}),
        ("organiser", STREAM, {"Origin": "http://testserver:81"}),
        ("organiser", STREAM, {"Origin": "null"}),
        ("organiser", STREAM, {"Origin": "file://testserver"}),
        ("organiser", STREAM, {"Origin": "chrome-extension://testserver"}),
        ("organiser", STREAM, OWN | {"X-Forwarded-Proto": "https"}),
        ("organiser", STREAM, {"Origin": "http://["}),
        ("organiser", STREAM, {"Origin": ""}),
        ("organiser", STREAM, {}),
    ],
)
def test_a_websocket_is_for_people_on_a_page_of_ours(
    enter: Enter, role: str, path: str, headers: dict[str, str]
):
    with (
        pytest.raises(WebSocketDisconnect) as refused,
        enter(role).websocket_connect(path, headers=headers),
    ):
        pass
    assert refused.value.code == 1008
    with enter(role, []).websocket_connect(path, headers=headers):
        pass


@pytest.mark.parametrize("role", LARGEST)
def test_a_message_is_as_large_as_its_role_may_send(enter: Enter, role: str):
    with enter(role).websocket_connect(STREAM, headers=OWN) as socket:
        socket.send_bytes(bytes(LARGEST[role]))
        assert socket.receive_text() == f"{LARGEST[role]} bytes"
        socket.send_bytes(bytes(LARGEST[role] + 1))
        assert socket.receive()["code"] == 1009
    assert seen == [1009]


def message_of(kind: str) -> bytes:
    """Return what the frontend would send to ask for something."""
    asked = BackMsg()
    if kind in ("deferred_file", "dataframe_chunk", "install_skills", "dismiss_skills_nudge"):
        getattr(asked.backend_operation_request, kind).SetInParent()
    elif kind in ("clear_cache", "load_git_info", "stop_script", "debug_shutdown_runtime"):
        setattr(asked, kind, True)
    else:
        getattr(asked, kind).SetInParent()
    return asked.SerializeToString()


@pytest.mark.parametrize(
    "kind",
    ["clear_cache", "load_git_info", "debug_shutdown_runtime", "install_skills",
     "dismiss_skills_nudge"],
)  # fmt: skip
def test_what_no_page_asks_for_is_dropped(enter: Enter, kind: str):
    usual = [message_of(one) for one in USUAL if one != "app_heartbeat"]
    for middleware in (GUARDED, []):
        client = enter("organiser", middleware)
        with client.websocket_connect(STREAM, headers=OWN) as socket:
            for content in (message_of(kind), *usual):
                socket.send_bytes(content)
            expected = usual if middleware else [message_of(kind), *usual]
            for content in expected:
                assert socket.receive_text() == f"{len(content)} bytes"


def test_a_text_is_no_message(enter: Enter):
    with enter("organiser").websocket_connect(STREAM, headers=OWN) as socket:
        socket.send_text("no bytes")
        assert socket.receive()["code"] == 1003


def test_after_signing_out_only_little_can_be_said(
    enter: Enter, store: Store, monkeypatch: pytest.MonkeyPatch
):
    """Enough to ask for the page that says so."""
    monkeypatch.setattr(gate, "_LOOKED_UP_EVERY", 0.0)
    client = enter("organiser")
    with client.websocket_connect(STREAM, headers=OWN) as socket:
        end_session(store, client.cookies[session_cookie(store.secret)])
        socket.send_bytes(bytes(1_000))
        assert socket.receive_text() == "1000 bytes"
        socket.send_bytes(bytes(100_000))
        assert socket.receive()["code"] == 1009


def test_files_that_are_the_same_for_all_are_not_looked_up_again(
    enter: Enter, monkeypatch: pytest.MonkeyPatch
):
    client, asked = enter("organiser"), []
    found = gate.find_session
    monkeypatch.setattr(gate, "find_session", lambda *given: asked.append(1) or found(*given))
    for _ in range(10):
        assert client.get("/static/js/main.js").status_code == 200
    assert len(asked) == 1
    for _ in range(3):
        client.get("/app/static/file")
    assert len(asked) == 4


def test_what_is_remembered_is_limited(enter: Enter):
    recent = gate._Recent(most=3)
    for number in range(10):
        recent.put(str(number), None)
    assert list(recent._seen) == ["7", "8", "9"]


@pytest.mark.parametrize("is_guarded", few([True, False]), ids=["guarded", "without its guard"])
def test_a_file_is_for_the_session_that_was_told_of_it(
    enter: Enter, store: Store, is_guarded: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(gate, "_OFFERED", gate._OfferedFiles())
    if not is_guarded:
        monkeypatch.setattr(gate._OfferedFiles, "knows", lambda *_: True)
    olga, other = (enter("organiser") for _ in range(2))
    address, name = f"/media/{FILE}.csv", session_cookie(store.secret)
    assert olga.get(address).status_code == (404 if is_guarded else 200)
    routes = [WebSocketRoute(STREAM, tell), Route("/{rest:path}", behind)]
    telling = TestClient(Starlette(routes=routes, middleware=GUARDED), cookies=olga.cookies)
    with telling.websocket_connect(STREAM, headers=OWN) as socket:
        assert socket.receive_bytes()
    assert olga.get(address).status_code == 200
    for one in (other, enter("assessor"), enter("viewer")):
        assert one.get(address).status_code == (404 if is_guarded else 200)
    end_session(store, olga.cookies[name])
    assert olga.get(address).status_code == 401
    olga.cookies = other.cookies  # somebody else signs in in the same browser
    assert olga.get(address).status_code == (404 if is_guarded else 200)


def test_what_is_noted_of_files_is_limited():
    told = gate._OfferedFiles(most=2)
    names = [f"{number:032x}" for number in range(3)]
    for one in names:
        told.note("token", b"x" + f"/media/{one}.png".encode())
    assert [told.knows("token", f"/media/{one}.png") for one in names] == [False, True, True]
    assert not told.knows("another", f"/media/{names[2]}")
    assert not told.knows("token", "/media/\u2028")
