"""Words with the organiser: what assessors ask is on disk when acknowledged; what they are told."""

from collections import Counter
from functools import partial
from typing import Any

from core.assessment.intake.judging import Grant
from core.assessment.intake.questions import accept_questions
from core.errors import DissentError
from core.language.translate import t
from pages.api.granted import accept_each, granted, name_giver
from pages.api.labels import EVENTS, parse_events
from pages.server.log import log
from pages.server.running import server

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
    told = board.read(grant.collection_id, grant.assessor_id)
    return {"state": state} if told["state"] == state else told
