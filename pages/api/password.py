"""Signing in with a name and a password."""

import logging
from math import ceil
from urllib.parse import parse_qs

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from core.store.passwords import LONGEST, find_by_password
from core.store.people import begin_session
from pages.api.sign_in import ELSEWHERE, answer, comes_from_here, let_in
from pages.api.throttle import Backoff
from pages.shared.log import log
from pages.shared.server import server

WRONG_BY_NAME = Backoff(5, 900)
WRONG_BY_ADDRESS = Backoff(30, 900)
"""Several people may share an address, so it may fail more often than a name."""

_LARGEST_FORM = 8 * LONGEST
_FORM = (
    "{said}"
    '<form method="post"><label>Name<input name="name" maxlength="200" autocomplete="username" '
    'autofocus required></label><label>Password<input name="password" type="password" '
    'maxlength="{longest}" autocomplete="current-password" required></label>'
    "<button>Sign in</button></form>"
    "<p><small>No password, or forgotten? Ask the organiser for a new link; under <em>Account</em> "
    "you can set a password.</small></p>"
)
_WRONG = "<p><strong>Name or password is wrong.</strong></p>"


async def ask_password(_: Request) -> Response:
    """Ask for name and password."""
    return _show()


async def sign_in(request: Request) -> Response:
    """Start a session for whoever knows name and password; those who guess have to wait."""
    if not comes_from_here(request):
        return answer(ELSEWHERE, 403)
    name, password = await _read_form(request)
    return await run_in_threadpool(_sign_in, request, name, password)


def _sign_in(request: Request, name: str, password: str) -> Response:
    counted = {
        WRONG_BY_NAME: name.strip().casefold(),
        WRONG_BY_ADDRESS: request.client.host if request.client else "",
    }
    wait = max(backoff.wait(key) for backoff, key in counted.items())
    if wait:
        seconds = ceil(wait)
        refused = _show(f"<p>Too many wrong attempts. Try again in {seconds} seconds.</p>", 429)
        refused.headers["Retry-After"] = str(seconds)
        return refused
    # Counted before it is checked: of many attempts at once none is free.
    for backoff, key in counted.items():
        backoff.fail(key)
    person = find_by_password(server().store, name, password)
    if person is None:
        log("password refused", logging.WARNING, status=403)
        return _show(_WRONG, 403)
    WRONG_BY_NAME.clear(counted[WRONG_BY_NAME])
    WRONG_BY_ADDRESS.forgive(counted[WRONG_BY_ADDRESS])
    return let_in(request, begin_session(server().store, person.person_id, "password"))


def _show(said: str = "", status: int = 200) -> Response:
    return answer(_FORM.format(said=said, longest=LONGEST), status)


async def _read_form(request: Request) -> tuple[str, str]:
    """Return name and password; of a form too large to be ours, nothing."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_FORM:
            return "", ""
    fields = parse_qs(body.decode("utf-8", "replace"))
    return fields.get("name", [""])[0], fields.get("password", [""])[0]
