"""The intake of judgements: what is acknowledged here is on disk."""

import json
import logging
import re
import time
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Any, TypedDict

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
_HALF = re.compile("[\ud800-\udfff]")
_WORDS = ("comment", "client_time", "text")
"""Of these half a character is replaced: a label is worth more than an emoji that was cut."""


async def take_labels(request: Request) -> JSONResponse:
    """Store the events of a body ``{"events": […]}`` and acknowledge each of them."""
    speak_as_asked(request)
    try:
        # A body is read of nobody to whom nothing was handed out.
        token = read_token(request)
    except NotAllowed as error:
        return _refuse(error, 401)
    try:
        events = await read_events(request)
    except DissentError as error:
        return _refuse(error, 422)
    return await run_in_threadpool(_take, token, events)


def read_token(request: Request) -> str:
    """Return the token of a request; raises NotAllowed without one, or when it is forged."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme != "Bearer":
        raise NotAllowed(t("Sign in first."))
    read_grant(token)
    return token


def _take(token: str, events: list[Any]) -> JSONResponse:
    """Answer on a thread of its own: a change of threads takes longer than anything done here."""
    return answer_granted(token, lambda grant: {"acks": accept_timed(grant, events)}, _refuse)


def answer_granted(
    token: str, act: Callable[[Grant], dict[str, Any]], refuse: Callable[..., JSONResponse]
) -> JSONResponse:
    """Answer with what is done for the holder of a token, or refuse with the status that fits.

    ``refuse`` is given the error, the status and, once it is known, the grant.
    """
    try:
        grant, _ = check_grant(token)
    except StoreFull as error:
        return refuse(error, 507)
    except StoreUnreachable as error:
        return refuse(error, 503)
    except NotAllowed as error:
        return refuse(error, 401)
    try:
        with speaking(language_of(grant.collection_id)):
            return JSONResponse(act(grant))
    except StoreFull as error:
        return refuse(error, 507, grant)
    except StoreUnreachable as error:
        return refuse(error, 503, grant)
    except NotAllowed as error:
        return refuse(error, 403, grant)
    except DissentError as error:
        return refuse(error, 422, grant)


def _refuse(error: DissentError, status: int, grant: Grant | None = None) -> JSONResponse:
    """Answer that nothing of a body was taken; the log gets the kind of error, not its words."""
    whose = name_giver(grant) if grant else Giver()
    log("labels refused", logging.WARNING, status=status, error=type(error).__name__, **whose)
    return JSONResponse({"error": str(error)}, status_code=status)


def accept_timed(grant: Grant, events: list[Any]) -> list[dict[str, Any]]:
    """Store events and log how many there were and how long it took."""
    begun = time.perf_counter()
    whose = name_giver(grant)
    try:
        acks = _accept(grant, events)
    except DissentError:
        raise
    except Exception as error:
        log_error("labels not stored", error, **whose)
        raise
    became = Counter(ack["status"] for ack in acks)
    log(
        "labels",
        events=len(events),
        saved=became["saved"],
        stale=became["stale"],
        refused=became["refused"],
        ms=round((time.perf_counter() - begun) * 1000, 1),
        **whose,
    )
    return acks


class Giver(TypedDict, total=False):
    """Whose events these are, as a line of the log says it."""

    collection: str
    person: str


def name_giver(grant: Grant) -> Giver:
    """Return whose a grant is."""
    return {"collection": grant.collection_id, "person": grant.assessor_id}


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


def _accept(grant: Grant, events: list[Any]) -> list[dict[str, Any]]:
    groups = groupby(events, key=lambda raw: grant_of(raw, grant))
    return [ack for own, group in groups for ack in server().intake.accept(own, list(group))]


def grant_of(raw: Any, grant: Grant) -> Grant:
    """Return the grant that an event was judged under: its own, or else the token's."""
    name = raw.get("assignment") if isinstance(raw, dict) else None
    own = read_assignment(name) if isinstance(name, str) else None
    if own is None:
        return grant
    whose = (own.collection_id, own.assessor_id)
    return own if whose == (grant.collection_id, grant.assessor_id) else grant


async def read_events(request: Request) -> list[Any]:
    """Return the events of a body; raises DissentError for a body that holds none."""
    body = await read_body(request)
    try:
        events = json.loads(body)["events"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DissentError(t('The body has to be JSON: {"events": […]}.')) from error
    if not isinstance(events, list):
        raise DissentError(t("'events' has to be a list."))
    for event in events:
        check_ids(event)
    return events


async def read_body(request: Request) -> bytes:
    """Return what was sent; raises DissentError when it is too long."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise DissentError(t("A body has at most {n} bytes.", n=LARGEST_BODY))
    return bytes(body)


def check_ids(event: Any) -> None:
    """Refuse ids with half a character, which JSON can escape and no answer could name."""
    for field, text in event.items() if isinstance(event, dict) else ():
        if isinstance(text, str) and field not in _WORDS and not _is_whole(text):
            raise DissentError(
                t("A judgement has half a character as its '{name}'.", name=_show(field))
            )


def _is_whole(text: str) -> bool:
    return text.isascii() or not _HALF.search(text)


def _show(field: str) -> str:
    return field[:40].encode("utf-8", "replace").decode()
