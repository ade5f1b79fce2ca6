"""What a judging page and the intake agree on: the right to judge, signed, and who takes events."""

from collections.abc import Collection, Mapping
from dataclasses import asdict, astuple
from typing import Any

from itsdangerous import BadData, URLSafeSerializer

from core.assessment.intake.judging import Grant, refuse_event
from core.assessment.intake.questions import accept_questions
from core.errors import NotAllowed
from pages.server.running import server

_PURPOSE = "judge in a session"


def sign_grant(grant: Grant, session_id: str) -> str:
    """Return the token with which an assessor's browser sends judgements.

    It holds for as long as the session it was made in.
    """
    return server().sign(_PURPOSE, [asdict(grant), session_id])


def read_grant(token: str) -> tuple[Grant, str]:
    """Return what a token allows, and the session it was made in.

    Raises
    ------
    NotAllowed
        It is forged or expired.
    """
    content, session_id = server().read_signed(_PURPOSE, token)
    return Grant(**content), session_id


def name_assignment(grant: Grant) -> str:
    """Return the signed name of what was handed out; it is the same every time.

    A judgement carries the name of the assignment it was made in. It can then still be taken
    when it arrives with a token for another one: after a night without network, for instance.
    """
    return str(_names().dumps(astuple(grant)))


def read_assignment(name: str) -> Grant | None:
    """Return what was handed out under a name; None when it is forged."""
    try:
        return Grant(*_names().loads(name))
    except (BadData, TypeError):
        return None


def accept_event(grant: Grant, event: Mapping[str, Any]) -> dict[str, Any]:
    """Give one event to the server's intake and return its acknowledgement."""
    (ack,) = server().intake.accept(grant, [event])
    return ack


def revealed_of(grant: Grant) -> list[dict[str, Any]]:
    """Return what a machine said of a batch, as ``Intake.tell`` has it: nothing before its end."""
    return server().intake.tell(grant)


def accept_question(grant: Grant, event: Mapping[str, Any]) -> dict[str, Any]:
    """Store one question to the organiser and return its acknowledgement."""
    running = server()
    try:
        (ack,) = accept_questions(running.store, running.intake, grant, [event])
    except NotAllowed as error:
        return refuse_event(event, str(error))
    return ack


def read_board(collection_id: str, assessor_id: str) -> dict[str, Any]:
    """Return what an assessor is told, as ``NoticeBoard.read`` has it."""
    return server().notice_board.read(collection_id, assessor_id)


def mark_read(collection_id: str, assessor_id: str, notices: Collection[str]) -> None:
    """Take down that an assessor has read these notices, by id."""
    server().notice_board.mark(collection_id, assessor_id, notices)


def _names() -> URLSafeSerializer:
    return URLSafeSerializer(server().store.secret, salt="assignment")
