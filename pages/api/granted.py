"""What an assessor's browser sends with the token of what was handed out: who asks, and what."""

import json
import logging
from collections.abc import Awaitable, Callable
from functools import wraps
from itertools import groupby
from typing import Any, TypedDict, TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from core.assessment.intake.judging import Grant
from core.errors import DissentError, NotAllowed, StoreFull, StoreUnreachable
from core.language.translate import speaking, t
from core.store.people.people import find_by_session
from pages.api.asked_language import language_of, speak_as_asked
from pages.server.log import log, log_error
from pages.server.running import server
from pages.shared.intake import read_assignment, read_grant

LARGEST_BODY = 1_000_000
_STATUSES = {StoreFull: 507, StoreUnreachable: 503}
_T = TypeVar("_T")
_Route = Callable[[Request], Awaitable[JSONResponse]]


class Giver(TypedDict, total=False):
    """Whose events these are, as a line of the log says it."""

    collection: str
    person: str


def name_giver(grant: Grant) -> Giver:
    """Return whose a grant is."""
    return {"collection": grant.collection_id, "person": grant.assessor_id}


def granted(
    form: str, parse: Callable[[Any], _T], refused: str, failed: str
) -> Callable[[Callable[[Grant, _T], dict[str, Any]]], _Route]:
    """Make a route of what is done for the holder of a token.

    Parameters
    ----------
    form : str
        The JSON that is sent, for whoever sends something else.
    parse : callable
        From that to what is asked; raises DissentError, or what Python raises at another form.
    refused, failed : str
        What the log calls it when nothing is done, and when it goes wrong.
    """

    def make(act: Callable[[Grant, _T], dict[str, Any]]) -> _Route:
        def refuse(error: DissentError, status: int, grant: Grant | None = None) -> JSONResponse:
            """The log gets the kind of error, not its words."""
            whose = name_giver(grant) if grant else Giver()
            log(refused, logging.WARNING, status=status, error=type(error).__name__, **whose)
            return JSONResponse({"error": str(error)}, status_code=status)

        def answer(token: str, asked: _T) -> JSONResponse:
            grant = None
            try:
                grant, _ = check_grant(token)
                with speaking(language_of(grant.collection_id)):
                    return JSONResponse(act(grant, asked))
            except NotAllowed as error:
                return refuse(error, 403 if grant else 401, grant)
            except DissentError as error:
                return refuse(error, _STATUSES.get(type(error), 422), grant)
            except Exception as error:
                log_error(failed, error, **(name_giver(grant) if grant else Giver()))
                raise

        @wraps(act)
        async def route(request: Request) -> JSONResponse:
            speak_as_asked(request)
            try:
                # A body is read of nobody to whom nothing was handed out.
                token = _read_token(request)
            except NotAllowed as error:
                return refuse(error, 401)
            try:
                asked = _read(await _read_body(request), form, parse)
            except DissentError as error:
                return refuse(error, 422)
            # On a thread of its own: a change of threads takes longer than anything done here.
            return await run_in_threadpool(answer, token, asked)

        return route

    return make


def check_grant(token: str) -> tuple[Grant, str]:
    """Return what a token allows, and its session.

    Raises
    ------
    NotAllowed
        It is forged or expired, or its session is not that of its person.
    """
    grant, session_id = read_grant(token)
    person = find_by_session(server().store, session_id)
    if person is None or person.person_id != grant.assessor_id:
        raise NotAllowed(t("You have signed out. Sign in again."))
    return grant, session_id


def grant_of(raw: Any, grant: Grant) -> Grant:
    """Return the grant that an event was judged under: its own, or else the token's."""
    name = raw.get("assignment") if isinstance(raw, dict) else None
    own = read_assignment(name) if isinstance(name, str) else None
    if own is None:
        return grant
    whose = (own.collection_id, own.assessor_id)
    return own if whose == (grant.collection_id, grant.assessor_id) else grant


def accept_each(
    grant: Grant, events: list[Any], accept: Callable[[Grant, list[Any]], list[dict[str, Any]]]
) -> list[dict[str, Any]]:
    """Give events to whoever takes them, with their grants; return what is said of each."""
    groups = groupby(events, key=lambda raw: grant_of(raw, grant))
    return [ack for own, group in groups for ack in accept(own, list(group))]


def _read_token(request: Request) -> str:
    """Return the token of a request; raises NotAllowed without one, or when it is forged."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme != "Bearer":
        raise NotAllowed(t("Sign in first."))
    read_grant(token)
    return token


async def _read_body(request: Request) -> bytes:
    """Return what was sent; raises DissentError when it is too long."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise DissentError(t("A body has at most {n} bytes.", n=LARGEST_BODY))
    return bytes(body)


def _read(body: bytes, form: str, parse: Callable[[Any], _T]) -> _T:
    try:
        return parse(json.loads(body))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise DissentError(t("The body has to be JSON: {form}.", form=form)) from error
