"""Signing in with a name and a password.

Browsers in which somebody has signed in with a password: guesses elsewhere do not count there,
after the OWASP cheat sheet on device cookies.
"""

import hashlib
import logging
import secrets
import threading
from math import ceil
from urllib.parse import parse_qs

from itsdangerous import BadData, URLSafeSerializer
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from core.language.translate import t
from core.store.people.passwords import LONGEST, find_by_password
from core.store.people.people import begin_session
from pages.api.asked_language import speak_as_asked
from pages.api.plain_page import DESCRIBED, answer, complain
from pages.api.sign_in import let_in
from pages.server.forms import is_secure
from pages.server.log import log
from pages.server.running import server
from pages.shared.session import session_cookie
from pages.shared.throttle import Backoff, address_of

_KNOWN_FOR = 365 * 24 * 3600

WRONG_BY_NAME = Backoff(5, 900)
"""By name, in browsers where nobody of that name has signed in before; by browser in the others.

So whoever guesses shuts nobody out where they usually sign in.
"""

WRONG_BY_ADDRESS = Backoff(30, 900)
"""Several people may share an address, so it may fail more often than a name.

It is not asked in browsers where somebody of the name has signed in before: one person who guesses
would shut out all others at the address.
"""

AT_ONCE = threading.BoundedSemaphore(1)
"""Each password that is tried takes 19 MiB of memory meanwhile."""

_LARGEST_FORM = 8 * LONGEST
_FORM = (
    "{said}"
    '<form method="post"><label>{name}<input name="name" maxlength="200" autocomplete="username" '
    'autofocus required {described}></label><label>{password}<input name="password" '
    'type="password" maxlength="{longest}" autocomplete="current-password" required {described}>'
    "</label>"
    "<button>{sign_in}</button></form><p><small>{forgotten}</small></p>"
)


async def ask_password(request: Request) -> Response:
    """Ask for name and password."""
    speak_as_asked(request)
    return _show()


async def sign_in(request: Request) -> Response:
    """Start a session for whoever knows name and password; those who guess have to wait."""
    speak_as_asked(request)
    name, password = await _read_form(request)
    return await run_in_threadpool(_sign_in, request, name, password)


def _sign_in(request: Request, name: str, password: str) -> Response:
    browser = recognise_browser(request, name)
    counted = {WRONG_BY_NAME: browser or name.strip().casefold()}
    if not browser:
        counted[WRONG_BY_ADDRESS] = address_of(request)
    wait = max(backoff.wait(key) for backoff, key in counted.items())
    if wait:
        seconds = ceil(wait)
        refused = _show(t("Too many wrong attempts. Try again in {n} seconds", n=seconds), 429)
        refused.headers["Retry-After"] = str(seconds)
        return refused
    # Counted before it is checked: of many attempts at once none is free.
    for backoff, key in counted.items():
        backoff.fail(key)
    with AT_ONCE:
        person = find_by_password(server().store, name, password)
    if person is None:
        log("password refused", logging.WARNING, status=403)
        return _show(t("Name or password is wrong"), 403)
    WRONG_BY_NAME.clear(counted[WRONG_BY_NAME])
    if not browser:
        WRONG_BY_ADDRESS.forgive(counted[WRONG_BY_ADDRESS])
    entered = let_in(request, begin_session(server().store, person.person_id, "password"))
    know_browser(request, entered, name)
    return entered


def _show(problem: str = "", status: int = 200) -> Response:
    message, described = (complain(problem), DESCRIBED) if problem else ("", "")
    form = _FORM.format(
        said=message,
        longest=LONGEST,
        described=described,
        name=t("Name"),
        password=t("Password"),
        sign_in=t("Sign in"),
        forgotten=t(
            "No password, or forgotten? Ask the organiser for a new link; under <em>Account</em> "
            "you can set a password."
        ),
    )
    return answer(form, status, title=t("Sign in"))


async def _read_form(request: Request) -> tuple[str, str]:
    """Return name and password; of a form too large to be ours, nothing."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > _LARGEST_FORM:
            return "", ""
    fields = parse_qs(body.decode("utf-8", "replace"))
    return fields.get("name", [""])[0], fields.get("password", [""])[0]


def know_browser(request: Request, response: Response, name: str) -> None:
    """Mark the browser as one in which somebody of this name has signed in."""
    response.set_cookie(
        _known_cookie(),
        str(_known_signer().dumps([_digest(name), secrets.token_hex(8)])),
        max_age=_KNOWN_FOR,
        path="/sign-in",
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )


def recognise_browser(request: Request, name: str) -> str:
    """Return what stands for the browser, if somebody of this name has signed in there before."""
    try:
        known, mark = _known_signer().loads(request.cookies.get(_known_cookie(), ""))
    except (BadData, ValueError, TypeError):
        return ""
    return f"browser {mark}" if known == _digest(name) else ""


def _known_cookie() -> str:
    return f"{session_cookie(server().store.secret)}_known"


def _known_signer() -> URLSafeSerializer:
    return URLSafeSerializer(server().store.secret, salt="known browser")


def _digest(name: str) -> str:
    return hashlib.sha256(name.strip().casefold().encode()).hexdigest()[:16]
