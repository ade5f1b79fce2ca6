"""Signing in by invitation, entering the demo, and signing out."""

import secrets
from collections.abc import Iterator
from datetime import timedelta
from html import escape

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from core.analysis.judging.waiting import waiting_for
from core.errors import NotAllowed
from core.language.translate import speak, t
from core.store.content.collections import get_collection, list_collections
from core.store.people.members import add_member, collections_of, viewed_by
from core.store.people.people import (
    SESSION_LASTS,
    Person,
    accept_invitation,
    add_person,
    begin_session,
    end_session,
    find_invited,
    find_inviter,
    find_session,
)
from core.store.store import Store
from pages.api.asked_language import speak_as_asked
from pages.api.plain_page import answer, list_facts
from pages.server.forms import is_secure
from pages.server.log import log
from pages.server.running import server
from pages.shared.session import session_cookie
from pages.shared.throttle import Throttle, address_of

_DEMO_ROLES = ("assessor", "organiser")
DEMO_VISITS = Throttle(60, 60)
"""By address: each makes a person in the throw-away store."""


async def offer(request: Request) -> Response:
    """Show whom an invitation is for and to what; looking at it does not use it up."""
    speak_as_asked(request)
    return await run_in_threadpool(_offer, request.path_params["token"])


def _offer(token: str) -> Response:
    store = server().store
    try:
        person = find_invited(store, token)
    except NotAllowed as error:
        return _refuse(error)
    known = collections_of(store, person.person_id) if person.role == "assessor" else []
    if known:
        speak(get_collection(store, known[0]).language)
    inviter = find_inviter(store, person.person_id)
    facts = {"name": f"<strong>{escape(person.name)}</strong>", "role": _role_after(person)}
    invited = (
        t("You are invited by {inviter} as {name}{role}.", **facts, inviter=_bold(inviter))
        if inviter
        else t("You are invited as {name}{role}.", **facts)
    )
    purposes = {
        "organiser": t("Organise a study"),
        "assessor": t("Judge search results"),
        "viewer": t("See results"),
    }
    return answer(
        f"<p>{invited} {t('The link works once, in this browser.')}</p>"
        f"{''.join(_describe(store, person))}"
        f'<form method="post"><button autofocus>{t("Sign in")}</button></form>',
        title=purposes[person.role],
    )


def _bold(text: str) -> str:
    return f"<strong>{escape(text)}</strong>"


def _role_after(person: Person) -> str:
    """Return somebody's role as it follows their name, unless that says it already."""
    roles = {
        "organiser": t(", an organiser"),
        "assessor": t(", an assessor"),
        "viewer": t(", a viewer"),
    }
    return "" if person.role in person.name.lower() else roles[person.role]


def _refuse(error: NotAllowed) -> Response:
    reason = f"<p>{escape(t(str(error)))}</p>"
    return answer(reason, 403, title=t("This link does not work"))


def _describe(store: Store, person: Person) -> Iterator[str]:
    """Yield what somebody is invited to: of assessors what to do, and about how long it takes."""
    if person.role == "assessor":
        for known in collections_of(store, person.person_id):
            waiting = waiting_for(store, known, person.person_id)
            facts = {
                t("Collection"): waiting.name,
                t("What to do"): t("nothing yet: no round is open"),
            }
            if waiting.tasks:
                facts[t("What to do")] = "; ".join(waiting.tasks)
                facts[t("How much")] = waiting.tell_size()
            yield list_facts(facts)
    elif person.role == "viewer":
        names = [get_collection(store, known).name for known in viewed_by(store, person.person_id)]
        yield list_facts({t("Collections"): ", ".join(names)}) if names else ""


async def accept(request: Request) -> Response:
    """Use an invitation up and start a session."""
    speak_as_asked(request)
    try:
        token = await run_in_threadpool(
            accept_invitation, server().store, request.path_params["token"]
        )
    except NotAllowed as error:
        return _refuse(error)
    return await run_in_threadpool(let_in, request, token)


async def enter_demo(request: Request) -> Response:
    """Start a session in the demo, as an organiser or as a new assessor."""
    role, address = request.path_params["role"], address_of(request)
    speak_as_asked(request)
    if not server().demo or role not in _DEMO_ROLES:
        told = t("This server is not a demo. Ask the organiser for an invitation.")
        return answer(f"<p>{told}</p>", 403)
    if DEMO_VISITS.is_full(address):
        return answer(f"<p>{t('Too many visits. Try again in a minute.')}</p>", 429)
    DEMO_VISITS.count(address)
    token = await run_in_threadpool(_demo_session, role)
    return await run_in_threadpool(let_in, request, token)


async def sign_out(request: Request) -> Response:
    """End the session of this browser."""
    name = session_cookie(server().store.secret)
    token = request.cookies.get(name)
    if token:
        await run_in_threadpool(_end_session, token)
    farewell = RedirectResponse("/", status_code=303)
    farewell.delete_cookie(name)
    return farewell


def _end_session(token: str) -> None:
    person = find_session(server().store, token)
    if person is not None:
        end_session(server().store, token)
        log("sign out", person=person.person_id)


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
    person = find_session(server().store, token, is_use=False)
    log("sign in", person=person.person_id if person else "")
    cookie = session_cookie(server().store.secret)
    if former := request.cookies.get(cookie):
        end_session(server().store, former)
    welcome = RedirectResponse("/", status_code=303)
    welcome.set_cookie(
        cookie,
        token,
        # The demo's store ends with its server; its cookie need not outlive the browser.
        max_age=None if server().demo else int(lasts.total_seconds()),
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )
    return welcome
