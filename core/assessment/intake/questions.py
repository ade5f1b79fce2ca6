"""Taking in what assessors ask about items: only of what was handed out, nothing twice."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.assessment.intake.event_fields import read_identifier, read_text
from core.assessment.intake.judging import MOST_EVENTS, Grant, Intake, refuse_event
from core.errors import BadInput
from core.language.translate import t
from core.store.events.questions import Question, append_question, count_open, is_asked
from core.store.store import Store

LONGEST_QUESTION = 2000
MOST_OPEN = 50
"""Questions of one assessor that wait for an answer; more can be asked once there are answers."""


def accept_questions(
    store: Store, intake: Intake, grant: Grant, events: Sequence[Any]
) -> list[dict[str, Any]]:
    """Store questions and return one acknowledgement for each, in order.

    A question is no judgement: it changes neither labels nor what is handed out.

    Parameters
    ----------
    grant : Grant
        Who asks; never taken from the events themselves.
    events : sequence
        As the judging component sends them: event_id, text, and the item like a judgement's.

    Returns
    -------
    list of dict
        event_id, status ("saved" or "refused"), reason. Saved questions are on disk.

    Raises
    ------
    NotAllowed
        The collection is closed, or the assessor no longer judges in it; nothing is stored.
    BadInput
        There are too many events.
    """
    intake.check_open(grant)
    if len(events) > MOST_EVENTS:
        raise BadInput(t("at most {n} questions can be sent at once", n=MOST_EVENTS))
    return [_accept(store, intake, grant, raw) for raw in events]


def _accept(store: Store, intake: Intake, grant: Grant, raw: Any) -> dict[str, Any]:
    try:
        question = _check(store, intake, grant, raw)
        if not is_asked(store, grant.collection_id, question):
            _check_room(store, grant)
            append_question(store, grant.collection_id, question)
    except BadInput as error:
        return refuse_event(raw, str(error))
    return {"event_id": question.question_id, "status": "saved", "reason": None}


def _check(store: Store, intake: Intake, grant: Grant, raw: Any) -> Question:
    if not isinstance(raw, Mapping):
        raise BadInput(t("a question is an object with named fields"))
    key = intake.find_item(grant, raw)
    text = read_text(raw, "text").strip()
    if not text:
        raise BadInput(t("a question has a text"), field="text")
    if len(text) > LONGEST_QUESTION:
        raise BadInput(t("a question has at most {n} characters", n=LONGEST_QUESTION), field="text")
    return Question(read_identifier(raw.get("event_id"), "event_id"), key, text)


def _check_room(store: Store, grant: Grant) -> None:
    if count_open(store, grant.collection_id, grant.assessor_id) >= MOST_OPEN:
        raise BadInput(
            t("{n} of your questions wait for an answer; ask again after some", n=MOST_OPEN)
        )
