"""What the judging screen sends and asks for: labels, words, and what comes next.

The intake of judgements: what is acknowledged here is on disk. Words with the organiser: what
assessors ask is on disk when acknowledged; what they are told. What a machine said of the pages of
a batch, told once all of it is judged. What an assessor's device may keep, so that judging goes on
without a network.
"""

import logging
import re
import time
from collections import Counter
from functools import partial
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from core.assessment.handing_out.next_assignment import hand_out_ahead
from core.assessment.intake.judging import Grant
from core.assessment.intake.questions import accept_questions
from core.errors import DissentError, NotAllowed
from core.language.translate import speaking, t
from core.store.content.collections import get_collection
from pages.api.asked_language import speak_as_asked
from pages.api.granted import accept_each, check_grant, grant_of, granted, name_giver
from pages.judge.assignment import data_ahead
from pages.server.log import log
from pages.server.running import server
from pages.shared.intake import revealed_of

EVENTS = '{"events": […]}'
_HALF = re.compile("[\ud800-\udfff]")
_WORDS = ("comment", "client_time", "text")
"""Of these half a character is replaced: a label is worth more than an emoji that was cut."""


def parse_events(asked: Any) -> list[Any]:
    """Return the events of a body; raises DissentError where there are none, or unfit ones."""
    events = asked["events"]
    if not isinstance(events, list):
        raise DissentError(t("'events' has to be a list."))
    for event in events:
        check_ids(event)
    return events


@granted(EVENTS, parse_events, "labels refused", "labels not stored")
def take_labels(grant: Grant, events: list[Any]) -> dict[str, Any]:
    """Store events and acknowledge each of them."""
    return {"acks": accept_timed(grant, events)}


def accept_timed(grant: Grant, events: list[Any]) -> list[dict[str, Any]]:
    """Store events and log how many there were and how long it took."""
    begun = time.perf_counter()
    acks = accept_each(grant, events, server().intake.accept)
    became = Counter(ack["status"] for ack in acks)
    log(
        "labels",
        events=len(events),
        saved=became["saved"],
        stale=became["stale"],
        refused=became["refused"],
        ms=round((time.perf_counter() - begun) * 1000, 1),
        **name_giver(grant),
    )
    return acks


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


MOST_READ = 1000
"""Notices that can be marked as read at once."""


@granted(EVENTS, parse_events, "words refused", "words failed")
def take_questions(grant: Grant, events: list[Any]) -> dict[str, Any]:
    """Store questions and acknowledge each of them."""
    running = server()
    acks = accept_each(grant, events, partial(accept_questions, running.store, running.intake))
    became = Counter(ack["status"] for ack in acks)
    log("questions", saved=became["saved"], refused=became["refused"], **name_giver(grant))
    return {"acks": acks}


def _parse_state(asked: Any) -> tuple[str, list[str]]:
    state, read = asked.get("state", ""), asked.get("read", [])
    if not isinstance(state, str) or not isinstance(read, list) or len(read) > MOST_READ:
        raise DissentError(t("'read' is a list of at most {n} ids, 'state' a text.", n=MOST_READ))
    return state, [one for one in read if isinstance(one, str)]


@granted('{"state": …, "read": […]}', _parse_state, "words refused", "words failed")
def tell(grant: Grant, asked: tuple[str, list[str]]) -> dict[str, Any]:
    """Return what an assessor is told.

    What was read is taken down first. Where nothing has changed since ``state``, only that
    is said.
    """
    (state, read), board = asked, server().notice_board
    if read:
        board.mark(grant.collection_id, grant.assessor_id, read)
    notices = board.read(grant.collection_id, grant.assessor_id)
    return {"state": state} if notices["state"] == state else notices


def _parse(asked: Any) -> str:
    if not isinstance(asked["assignment"], str):
        raise TypeError
    return str(asked["assignment"])


@granted('{"assignment": …}', _parse, "nothing told", "levels not told")
def reveal_levels(grant: Grant, assignment: str) -> dict[str, Any]:
    """Return ``{"told": […]}`` of an assignment: nothing before it is judged."""
    return {"told": revealed_of(grant_of({"assignment": assignment}, grant))}


async def hand_out(request: Request) -> JSONResponse:
    """Answer ``{"assignments": […]}``: what the assessor judges now, and what comes after it."""
    speak_as_asked(request)
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return await run_in_threadpool(_answer_ahead, token if scheme == "Bearer" else "")


def _answer_ahead(token: str) -> JSONResponse:
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
