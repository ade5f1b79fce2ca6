"""What a program is told when something cannot be done: what, where, and what to do."""

import json
import logging
from typing import Any

from starlette.responses import Response

from core.errors import (
    BadInput,
    DissentError,
    NotAllowed,
    NotFound,
    StoreFull,
    StoreUnreachable,
    TooLittleData,
)
from pages.server.log import log

KIND = "application/problem+json"


class NoToken(DissentError):
    """Nothing was sent that proves who asks, or it proves nothing any more."""


class Busy(DissentError):
    """As much is being done as can be at once."""


class TooLarge(DissentError):
    """More was sent than is taken."""


_KINDS: tuple[tuple[type[DissentError], int, str, str], ...] = (
    (
        NoToken, 401, "No token that holds",
        "Send one as 'Authorization: Bearer …'. It is made under Account, or with 'dissent token'.",
    ),
    (
        NotAllowed, 403, "Not allowed",
        "Use a token of somebody who may do this, with the scope that the document names for it.",
    ),
    (NotFound, 404, "Not found", "Ask for a list of what there is first."),
    (TooLarge, 413, "Too large", "Send less at once."),
    (BadInput, 422, "Cannot be used", "Mend it and send all of it again: nothing was stored."),
    (TooLittleData, 422, "Too little data", "Ask again when more has been judged."),
    (StoreUnreachable, 503, "Database away", "Try again: it goes on by itself once it is back."),
    (Busy, 503, "Busy", "Try again in a moment."),
    (StoreFull, 507, "No room left", "Tell whoever runs the server; what was stored is safe."),
    (DissentError, 422, "Cannot be done", "Mend it and ask again."),
)  # fmt: skip
"""By kind of error: status, what it is, and what to do."""

STATUSES = {status: title for _, status, title, _ in _KINDS}

SCHEMA = {
    "type": "object",
    "description": "What went wrong, where, and what to do (RFC 9457).",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string", "description": "What kind of problem it is."},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong, as a sentence."},
        "advice": {"type": "string", "description": "What to do."},
        "file": {"type": "string", "description": "The file at fault, as it was called."},
        "line": {"type": "integer", "description": "The line in it, from 1."},
        "field": {"type": "string", "description": "The column, key or parameter at fault."},
    },
    "required": ["type", "title", "status", "detail", "advice"],
}


def tell_problem(error: DissentError, operation: str = "") -> Response:
    """Return what a program is told of an error; the log gets its kind, not its words."""
    status, title, advice = next(
        (status, title, advice) for kind, status, title, advice in _KINDS if isinstance(error, kind)
    )
    fields: dict[str, Any] = {
        "type": f"urn:dissent:{type(error).__name__}",
        "title": title,
        "status": status,
        "detail": str(error),
        "advice": advice,
    }
    if isinstance(error, BadInput):
        fields |= {
            name: value for name in ("file", "line", "field") if (value := vars(error)[name])
        }
    name = type(error).__name__
    log("api refused", logging.WARNING, status=status, error=name, at=operation)
    headers = {"Cache-Control": "no-store"}
    if status == 401:
        headers["WWW-Authenticate"] = 'Bearer realm="dissent"'
    if status == 503:
        headers["Retry-After"] = "2"
    content = json.dumps(fields, ensure_ascii=False).encode("utf-8", "replace")
    return Response(content, status, headers, KIND)


def tell_failure() -> Response:
    """Return what a program is told where something failed that nobody expected."""
    fields = {
        "type": "urn:dissent:Failure",
        "title": "Something went wrong",
        "status": 500,
        "detail": "Something went wrong on the server, and was noted there.",
        "advice": "Try again in a moment; if it happens again, tell whoever runs the server.",
    }
    return Response(json.dumps(fields), 500, {"Cache-Control": "no-store"}, KIND)
