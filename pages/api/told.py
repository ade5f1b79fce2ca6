"""What a machine said of the pages of a batch, told once all of it is judged."""

import json
import logging

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from core.assessment.intake.judging import Grant
from core.errors import DissentError, NotAllowed
from core.language.translate import t
from pages.api.asked_language import speak_as_asked
from pages.api.labels import answer_granted, grant_of, name_giver, read_body, read_token
from pages.server.log import log
from pages.shared.intake import told_of


async def tell_levels(request: Request) -> JSONResponse:
    """Answer ``{"assignment": name}`` with ``{"told": […]}``: nothing before it is judged."""
    speak_as_asked(request)
    try:
        token = read_token(request)
    except NotAllowed as error:
        return _refuse(error, 401)
    try:
        asked = _parse(await read_body(request))
    except DissentError as error:
        return _refuse(error, 422)
    return await run_in_threadpool(
        answer_granted, token, lambda grant: {"told": told_of(grant_of(asked, grant))}, _refuse
    )


def _refuse(error: DissentError, status: int, grant: Grant | None = None) -> JSONResponse:
    whose = name_giver(grant) if grant else {}
    log("nothing told", logging.WARNING, status=status, error=type(error).__name__, **whose)
    return JSONResponse({"error": str(error)}, status_code=status)


def _parse(body: bytes) -> dict[str, str]:
    try:
        asked = json.loads(body)["assignment"]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise DissentError(t('The body has to be JSON: {"assignment": …}.')) from error
    if not isinstance(asked, str):
        raise DissentError(t('The body has to be JSON: {"assignment": …}.'))
    return {"assignment": asked}
