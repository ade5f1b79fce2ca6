"""The intake of judgements: what is acknowledged here is on disk."""

import json
from dataclasses import asdict
from typing import Any

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


async def take_labels(request: Request) -> JSONResponse:
    """Store the events of a body ``{"events": […]}`` and acknowledge each of them."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme != "Bearer":
        return JSONResponse({"error": "Sign in first."}, status_code=401)
    try:
        grant = Grant(**server().read_signed(_PURPOSE, token))
        events = await _read_events(request)
        acks = await run_in_threadpool(server().intake.accept, grant, events)
    except NotAllowed as error:
        return JSONResponse({"error": str(error)}, status_code=401)
    except DissentError as error:
        return JSONResponse({"error": str(error)}, status_code=422)
    return JSONResponse({"acks": acks})


async def _read_events(request: Request) -> list[Any]:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise DissentError(f"A body has at most {LARGEST_BODY} bytes.")
    try:
        events = json.loads(body)["events"]
    except (ValueError, TypeError, KeyError) as error:
        raise DissentError('The body has to be JSON: {"events": […]}.') from error
    if not isinstance(events, list):
        raise DissentError("'events' has to be a list.")
    return events
