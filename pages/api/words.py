"""Words with the organiser: what assessors ask is on disk when acknowledged; what they are told."""

import json
import logging
from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from core.assessment.intake.judging import Grant
from core.assessment.intake.questions import accept_questions
from core.errors import DissentError, NotAllowed
from core.language.translate import t
from pages.api.asked_language import speak_as_asked
from pages.api.labels import (
    answer_granted,
    grant_of,
    name_giver,
    read_body,
    read_events,
    read_token,
)
from pages.server.log import log, log_error
from pages.server.running import server

MOST_READ = 1000
"""Notices that can be marked as read at once."""


async def take_questions(request: Request) -> JSONResponse:
    """Store the questions of a body ``{"events": […]}`` and acknowledge each of them."""
    speak_as_asked(request)
    try:
        token = read_token(request)
    except NotAllowed as error:
        return _refuse(error, 401)
    try:
        events = await read_events(request)
    except DissentError as error:
        return _refuse(error, 422)
    return await run_in_threadpool(_answer, token, lambda grant: _store(grant, events))


async def tell(request: Request) -> JSONResponse:
    """Answer ``{"state": …, "read": [ids]}`` with what an assessor is told.

    What was read is taken down first. Where nothing has changed since ``state``, only that
    is said.
    """
    speak_as_asked(request)
    try:
        token = read_token(request)
    except NotAllowed as error:
        return _refuse(error, 401)
    try:
        state, read = _parse(await read_body(request))
    except DissentError as error:
        return _refuse(error, 422)
    return await run_in_threadpool(_answer, token, lambda grant: _tell(grant, state, read))


def _answer(token: str, act: Callable[[Grant], dict[str, Any]]) -> JSONResponse:
    def act_logged(grant: Grant) -> dict[str, Any]:
        try:
            return act(grant)
        except DissentError:
            raise
        except Exception as error:
            log_error("words failed", error, **name_giver(grant))
            raise

    return answer_granted(token, act_logged, _refuse)


def _refuse(error: DissentError, status: int, grant: Grant | None = None) -> JSONResponse:
    whose = name_giver(grant) if grant else {}
    log("words refused", logging.WARNING, status=status, error=type(error).__name__, **whose)
    return JSONResponse({"error": str(error)}, status_code=status)


def _store(grant: Grant, events: list[Any]) -> dict[str, Any]:
    running = server()
    acks = [
        ack
        for own, group in groupby(events, key=lambda raw: grant_of(raw, grant))
        for ack in accept_questions(running.store, running.intake, own, list(group))
    ]
    became = Counter(ack["status"] for ack in acks)
    log("questions", saved=became["saved"], refused=became["refused"], **name_giver(grant))
    return {"acks": acks}


def _tell(grant: Grant, state: str, read: list[str]) -> dict[str, Any]:
    board = server().notice_board
    if read:
        board.mark(grant.collection_id, grant.assessor_id, read)
    told = board.read(grant.collection_id, grant.assessor_id)
    return {"state": state} if told["state"] == state else told


def _parse(body: bytes) -> tuple[str, list[str]]:
    try:
        asked = json.loads(body)
        state, read = asked.get("state", ""), asked.get("read", [])
    except (ValueError, AttributeError, RecursionError) as error:
        raise DissentError(t('The body has to be JSON: {"state": …, "read": […]}.')) from error
    if not isinstance(state, str) or not isinstance(read, list) or len(read) > MOST_READ:
        raise DissentError(t("'read' is a list of at most {n} ids, 'state' a text.", n=MOST_READ))
    return state, [one for one in read if isinstance(one, str)]
