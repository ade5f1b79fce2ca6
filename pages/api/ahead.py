"""What an assessor's device may keep, so that judging goes on without a network."""

import logging

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from core.assessment.handing_out.ahead import hand_out_ahead
from core.errors import DissentError, NotAllowed
from core.language.translate import speaking
from core.store.content.collections import get_collection
from pages.api.asked_language import speak_as_asked
from pages.api.granted import check_grant
from pages.judge.assignment import data_ahead
from pages.server.log import log
from pages.server.running import server


async def hand_out(request: Request) -> JSONResponse:
    """Answer ``{"assignments": […]}``: what the assessor judges now, and what comes after it."""
    speak_as_asked(request)
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return await run_in_threadpool(_answer, token if scheme == "Bearer" else "")


def _answer(token: str) -> JSONResponse:
    try:
        grant, session_id = check_grant(token)
        store = server().store
        collection = get_collection(store, grant.collection_id)
        handed_out = hand_out_ahead(store, grant.collection_id, grant.assessor_id)
        with speaking(collection.language):
            data = data_ahead(store, collection, handed_out, session_id)
    except DissentError as error:
        status = 401 if isinstance(error, NotAllowed) else 503
        log("nothing handed out ahead", logging.WARNING, status=status)
        return JSONResponse({"error": str(error)}, status_code=status)
    return JSONResponse({"assignments": data}, headers={"Cache-Control": "no-store"})
