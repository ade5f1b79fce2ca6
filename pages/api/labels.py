"""The intake of judgements: what is acknowledged here is on disk."""

import json
from dataclasses import asdict, astuple
from itertools import groupby
from typing import Any

from itsdangerous import BadData, URLSafeSerializer
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from core.assessment.judging import Grant
from core.errors import DissentError, NotAllowed
from pages.shared.server import server

LARGEST_BODY = 1_000_000
_PURPOSE = "judge"


def sign_grant(grant: Grant) -> str:
    """Return the token with which an assessor's browser sends judgements."""
    return server().sign(_PURPOSE, asdict(grant))


def name_assignment(grant: Grant) -> str:
    """Return the signed name of what was handed out; it is the same every time.

    A judgement carries the name of the assignment it was made in. It can then still be taken
    when it arrives with a token for another one: after a night without network, for instance.
    """
    return str(_names().dumps(astuple(grant)))


async def take_labels(request: Request) -> JSONResponse:
    """Store the events of a body ``{"events": […]}`` and acknowledge each of them."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme != "Bearer":
        return JSONResponse({"error": "Sign in first."}, status_code=401)
    try:
        grant = Grant(**server().read_signed(_PURPOSE, token))
        events = await _read_events(request)
    except NotAllowed as error:
        return JSONResponse({"error": str(error)}, status_code=401)
    except DissentError as error:
        return JSONResponse({"error": str(error)}, status_code=422)
    try:
        acks = await run_in_threadpool(_accept, grant, events)
    except NotAllowed as error:
        return JSONResponse({"error": str(error)}, status_code=403)
    except DissentError as error:
        return JSONResponse({"error": str(error)}, status_code=422)
    return JSONResponse({"acks": acks})


def _accept(grant: Grant, events: list[Any]) -> list[dict[str, Any]]:
    groups = groupby(events, key=lambda raw: _grant_of(raw, grant))
    return [ack for own, group in groups for ack in server().intake.accept(own, list(group))]


def _grant_of(raw: Any, grant: Grant) -> Grant:
    """Return the grant that an event was judged under: its own, or else the token's."""
    name = raw.get("assignment") if isinstance(raw, dict) else None
    if not isinstance(name, str):
        return grant
    try:
        own = Grant(*_names().loads(name))
    except (BadData, TypeError):
        return grant
    whose = (own.collection_id, own.assessor_id)
    return own if whose == (grant.collection_id, grant.assessor_id) else grant


def _names() -> URLSafeSerializer:
    return URLSafeSerializer(server().store.secret, salt="assignment")


async def _read_events(request: Request) -> list[Any]:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise DissentError(f"A body has at most {LARGEST_BODY} bytes.")
    try:
        events = json.loads(body)["events"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DissentError('The body has to be JSON: {"events": […]}.') from error
    if not isinstance(events, list):
        raise DissentError("'events' has to be a list.")
    return events
