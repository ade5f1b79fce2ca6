"""The gate before everything else: a stranger reaches the doors, and nothing of Streamlit's.

Streamlit gives every visitor a session, takes their uploads and messages, and asks an outside
service when a websocket comes from another site. So whoever has no session of ours does not get
that far, and nobody whom another site has sent.
"""

import logging
import re
import time
from collections import OrderedDict
from collections.abc import Sequence

from google.protobuf.message import DecodeError
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from core.language.translate import t
from core.store.people.people import Person, find_session, hash_token
from pages.api.asked_language import speak_as_asked
from pages.api.plain_page import answer, nothing_here
from pages.api.welcome import welcome
from pages.server.ahead import import_ahead
from pages.server.forms import comes_from_here, is_own
from pages.server.log import log
from pages.server.running import server
from pages.shared.session import session_cookie

STREAM = "/_stcore/stream"
UPLOADS = "/_stcore/upload_file"
HARMLESS = ("/static/", "/component/", "/_stcore/health", "/_stcore/host-config",
            "/_stcore/bidi-components/")  # fmt: skip
"""The same for everybody who is signed in: asked for in dozens as a page is opened."""

SHUT = ("/auth/", "/_stcore/agent", "/_stcore/script-health-check")
"""What Streamlit offers and this app has no use for."""

DIRECT = ("/api/labels",)
"""Doors that lead past what Streamlit does with every request: they are asked most often."""

_PARTS = ("/_stcore/", "/static/", "/media/", "/component/", "/app/static/")
_MEDIA = re.compile(rb"/media/([0-9a-f]{32})")
"""The address of a file that a page shows or hands out: a hash of what is in it."""

_WATCHED = "/_stcore/metrics"
_PROGRAMS = ("/api/", "/_stcore/health")
"""What is asked for without anybody who looks at pages: whether all is well, for one."""

LARGEST = {"organiser": 8_000_000, "assessor": 1_000_000, "viewer": 1_000_000}
"""Bytes of a websocket's message by role."""

USUAL = ("rerun_script", "stop_script", "file_urls_request", "app_heartbeat", "deferred_file",
         "dataframe_chunk")  # fmt: skip
"""What pages ask for."""

_LARGEST_LATE = 16_384
"""Once the session has ended: enough to ask for the page that says so."""

_LOOKED_UP_EVERY = 5.0


class Gate:
    """Lets through whoever may go on; answers all others.

    Parameters
    ----------
    app : ASGI application
        What lies behind.
    doors : sequence of BaseRoute
        What is open to everybody; each of them checks for itself what it is sent.
    """

    def __init__(self, app: ASGIApp, doors: Sequence[BaseRoute]) -> None:
        self.app, self._doors = app, doors
        self._direct = {
            (method, door.path): door
            for door in doors
            if isinstance(door, Route) and door.path in DIRECT
            for method in door.methods or ()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or carry one websocket."""
        if scope["type"] == "websocket":
            await self._carry(scope, receive, send)
        elif scope["type"] != "http":
            await self.app(scope, receive, send)
        else:
            refused = await self._refuse(Request(scope))
            if refused is None and (door := self._direct.get((scope["method"], scope["path"]))):
                await door.handle(scope, receive, send)
                return
            await (refused or self.app)(scope, receive, send)

    async def _refuse(self, request: Request) -> Response | None:
        """Return the answer to whoever may not go on."""
        if "content-length" in request.headers and "transfer-encoding" in request.headers:
            # A proxy before us may have read another end of it, and taken the rest for a request.
            return PlainTextResponse("Two lengths", 400, {"Connection": "close"})
        path = request.url.path
        if not path.startswith(_PROGRAMS):
            import_ahead()
        if request.method not in ("GET", "HEAD") and not comes_from_here(request):
            speak_as_asked(request)
            told = t("This was sent from another site. Open the link yourself.")
            return answer(f"<p>{told}</p>", 403)
        if any(door.matches(request.scope)[0] is not Match.NONE for door in self._doors):
            return None
        if path.startswith(SHUT):
            return nothing_here(request)
        person = await _find_visitor(request, is_harmless=path.startswith(HARMLESS))
        if person is None:
            return await _turn_away(request)
        if path.startswith((UPLOADS, _WATCHED)) and person.role != "organiser":
            speak_as_asked(request)
            return PlainTextResponse(t("This is for organisers."), 403)
        if path.startswith("/media/") and not _OFFERED.knows(_read_token(request), path):
            return nothing_here(request)
        return None

    async def _carry(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a websocket through that a page of this server opened for somebody signed in."""
        connection = HTTPConnection(scope)
        if scope["path"] != STREAM or not _is_own(connection):
            log("websocket refused", logging.WARNING, status=403)
        elif person := await _find_visitor(connection):
            bounded = _Bounded(connection, person, receive, send)
            await self.app(scope, bounded.receive, bounded.send)
            return
        await receive()
        await send({"type": "websocket.close", "code": 1008})


class _Bounded:
    """The messages of one websocket, none of them larger than its sender's role may send.

    The addresses of files that it brings are noted: they are for the same session only.
    """

    def __init__(
        self, connection: HTTPConnection, person: Person, receive: Receive, send: Send
    ) -> None:
        self._connection, self._receive, self._send = connection, receive, send
        self._token = _read_token(connection)
        self._largest = LARGEST[person.role]
        self._looked_up = time.monotonic()

    async def send(self, message: Message) -> None:
        """Send a message on."""
        _OFFERED.note(self._token, message.get("bytes") or b"")
        await self._send(message)

    async def receive(self) -> Message:
        """Return the next message; one that is too large ends the websocket."""
        while True:
            message = await self._receive()
            if message["type"] != "websocket.receive":
                return message
            await self._look_up()
            content = message.get("bytes")
            if content is None or len(content) > self._largest:
                return await self._end(content)
            if _is_usual(content):
                return message

    async def _end(self, content: bytes | None) -> Message:
        log("websocket message refused", logging.WARNING, bytes=len(content or ""))
        code = 1003 if content is None else 1009
        await self._send({"type": "websocket.close", "code": code})
        return {"type": "websocket.disconnect", "code": code}

    async def _look_up(self) -> None:
        now = time.monotonic()
        if now - self._looked_up > _LOOKED_UP_EVERY:
            self._looked_up = now
            person = await _find_visitor(self._connection)
            self._largest = LARGEST[person.role] if person else _LARGEST_LATE


def _is_usual(content: bytes) -> bool:
    """Tell whether a page sends such a message; others, say to clear what all share, are dropped.

    What cannot be read is left to Streamlit, which ends the websocket.
    """
    message = BackMsg()
    try:
        message.ParseFromString(content)
    except DecodeError:
        return True
    kind: str | None = message.WhichOneof("type")
    if kind == "backend_operation_request":
        kind = message.backend_operation_request.WhichOneof("payload")
    return kind in USUAL


def _is_own(connection: HTTPConnection) -> bool:
    """Tell whether a websocket was opened by a page of the host that it was opened to.

    Cookies know no ports: another server on the same host would otherwise get in with them.
    """
    origins, hosts = connection.headers.getlist("origin"), connection.headers.getlist("host")
    return len(origins) == len(hosts) == 1 and is_own(origins[0], hosts[0], connection)


async def _find_visitor(connection: HTTPConnection, is_harmless: bool = False) -> Person | None:
    """Return whose session the cookie is; without one nothing is looked up."""
    token = _read_token(connection)
    if not token:
        return None
    if is_harmless and (known := _RECENT.get(hash_token(token))):
        return known
    person = await run_in_threadpool(find_session, server().store, token)
    if person is not None:
        _RECENT.put(hash_token(token), person)
    return person


def _read_token(connection: HTTPConnection) -> str:
    return connection.cookies.get(session_cookie(server().store.secret), "")


async def _turn_away(request: Request) -> Response:
    """Show a stranger the way in; what is no page has no need of one."""
    if request.method in ("GET", "HEAD") and not request.url.path.startswith(_PARTS):
        return await welcome(request)
    speak_as_asked(request)
    return PlainTextResponse(t("Sign in first."), 401)


class _Recent:
    """Who was seen lately, for a moment and a limited number."""

    def __init__(self, most: int = 1_000, seconds: float = 5.0) -> None:
        self._most, self._seconds = most, seconds
        self._seen: OrderedDict[str, tuple[float, Person]] = OrderedDict()

    def get(self, session_id: str) -> Person | None:
        at, person = self._seen.get(session_id, (0.0, None))
        return person if time.monotonic() - at < self._seconds else None

    def put(self, session_id: str, person: Person) -> None:
        self._seen[session_id] = (time.monotonic(), person)
        self._seen.move_to_end(session_id)
        while len(self._seen) > self._most:
            self._seen.popitem(last=False)


_RECENT = _Recent()


class _OfferedFiles:
    """Which session was told the addresses of which files, of a limited number.

    Whoever signs in after somebody else in one browser finds their downloads in its history, and
    Streamlit keeps a file for as long as a page that offered it is open anywhere.
    """

    def __init__(self, most: int = 50_000) -> None:
        self._most = most
        self._held: OrderedDict[tuple[str, bytes], None] = OrderedDict()

    def note(self, token: str, content: bytes) -> None:
        if b"/media/" not in content:
            return
        for name in _MEDIA.findall(content):
            self._held[hash_token(token), name] = None
            self._held.move_to_end((hash_token(token), name))
        while len(self._held) > self._most:
            self._held.popitem(last=False)

    def knows(self, token: str, path: str) -> bool:
        found = _MEDIA.match(path.encode("utf-8", "replace"))
        return found is not None and (hash_token(token), found[1]) in self._held


_OFFERED = _OfferedFiles()
