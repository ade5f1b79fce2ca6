"""Signing in by invitation, entering the demo, and signing out."""

import logging
import secrets
from datetime import timedelta
from html import escape
from urllib.parse import urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from core.errors import NotAllowed
from core.store.collection import list_collections
from core.store.members import add_member
from core.store.people import (
    SESSION_LASTS,
    accept_invitation,
    add_person,
    begin_session,
    end_session,
    find_invited,
    find_session,
)
from pages.shared.log import log
from pages.shared.server import server
from pages.shared.session import COOKIE

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    # Not "no-referrer": the form's own Origin would then be "null".
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_IDENTITY = "_streamlit_user"
"""What the names of Streamlit's own cookies about an identity begin with."""

_DEMO_ROLES = ("assessor", "organiser")
ELSEWHERE = "<p>This was sent from another site. Open the link yourself.</p>"
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Dissent</title>
<style>:root{{color-scheme:light dark}}body{{font:1.1rem/1.6 system-ui,sans-serif;max-width:32rem;
margin:15vh auto;padding:0 1rem}}
button,input{{font:inherit;padding:.6rem 1.4rem}}button{{cursor:pointer}}
input{{padding:.6rem;width:100%;box-sizing:border-box;margin:.3rem 0 1rem}}</style>
<h1>Dissent</h1>{body}</html>"""


async def offer(request: Request) -> Response:
    """Show whom an invitation is for; looking at it does not use it up."""
    try:
        person = await run_in_threadpool(find_invited, server().store, request.path_params["token"])
    except NotAllowed as error:
        return answer(f"<p>{escape(str(error))}</p>", 403)
    article = "an" if person.role[0] in "aeo" else "a"
    role = "" if person.role in person.name.lower() else f", {article} {person.role}"
    return answer(
        f"<p>You are invited as <strong>{escape(person.name)}</strong>{escape(role)}. "
        "The link works once, in this browser.</p>"
        '<form method="post"><button autofocus>Sign in</button></form>'
    )


async def accept(request: Request) -> Response:
    """Use an invitation up and start a session."""
    if not comes_from_here(request):
        return answer(ELSEWHERE, 403)
    try:
        token = await run_in_threadpool(
            accept_invitation, server().store, request.path_params["token"]
        )
    except NotAllowed as error:
        return answer(f"<p>{escape(str(error))}</p>", 403)
    return let_in(request, token)


async def enter_demo(request: Request) -> Response:
    """Start a session in the demo, as an organiser or as a new assessor."""
    if not comes_from_here(request):
        return answer(ELSEWHERE, 403)
    role = request.path_params["role"]
    if not server().demo or role not in _DEMO_ROLES:
        return answer("<p>This server is not a demo. Ask the organiser for an invitation.</p>", 403)
    return let_in(request, await run_in_threadpool(_demo_session, role))


async def sign_out(request: Request) -> Response:
    """End the session of this browser."""
    if not comes_from_here(request):
        return answer(ELSEWHERE, 403)
    token = request.cookies.get(COOKIE)
    if token:
        await run_in_threadpool(_end_session, token)
    farewell = RedirectResponse("/", status_code=303)
    farewell.delete_cookie(COOKIE)
    # Who came by single sign-on would otherwise be a click away for the next one at this screen.
    for name in request.cookies:
        if name.startswith(_IDENTITY):
            farewell.delete_cookie(name, httponly=True)
    return farewell


def _end_session(token: str) -> None:
    person = find_session(server().store, token)
    end_session(server().store, token)
    log("sign out", person=person.person_id if person else "")


def comes_from_here(request: Request) -> bool:
    """Tell whether a form was sent from a page of this server, as far as the browser says.

    Otherwise any site could sign a visitor out, or in as somebody else.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def is_secure(request: Request) -> bool:
    """Tell whether the browser speaks TLS, to this server or to a proxy in front of it."""
    nearest = request.headers.get("x-forwarded-proto", "").partition(",")[0].strip().lower()
    return "https" in (request.url.scheme, nearest)


def _demo_session(role: str) -> str:
    store = server().store
    name = f"{'Guest' if role == 'assessor' else 'Demo organiser'} {secrets.token_hex(2)}"
    person_id = add_person(store, name, role)
    if role == "assessor":
        for collection in list_collections(store):
            add_member(store, collection.collection_id, person_id, name, group="guest")
    return begin_session(store, person_id)


def let_in(request: Request, token: str, lasts: timedelta = SESSION_LASTS) -> Response:
    """Send a visitor to the app with the cookie of their session."""
    person = find_session(server().store, token)
    log("sign in", person=person.person_id if person else "")
    if former := request.cookies.get(COOKIE):
        end_session(server().store, former)
    welcome = RedirectResponse("/", status_code=303)
    welcome.set_cookie(
        COOKIE,
        token,
        max_age=int(lasts.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )
    return welcome


def answer(body: str, status: int = 200) -> HTMLResponse:
    """Return a small page of its own, outside the app; a refusal is logged."""
    if status >= 400:
        log("visitor refused", logging.WARNING, status=status)
    return HTMLResponse(_PAGE.format(body=body), status_code=status, headers=_HEADERS)
