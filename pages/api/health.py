"""Whether the server and its store answer, and can still write."""

import shutil
import tempfile
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse

from core.store.backing import BEHIND
from core.store.events.judged import last_sequence
from core.store.people.people import find_session
from core.store.store import Store
from pages.server.log import log_error
from pages.server.running import server
from pages.shared.session import session_cookie

LEAST_FREE = 1_000_000_000
"""Bytes on the store's disk below which its operator is warned."""


async def show_ready(request: Request) -> JSONResponse:
    """Answer with status 200 when visitors may be sent to this server, and with 503 otherwise.

    It is not ready while its store's database cannot be reached, or while what it reads is more
    than two seconds behind what other servers have saved.
    """
    is_ready = server().store.behind() <= BEHIND
    answer = {"status": "ready" if is_ready else "not ready"}
    return JSONResponse(answer, status_code=200 if is_ready else 503)


async def show_health(request: Request) -> JSONResponse:
    """Answer with status 200 when the store can be read and written, and with 503 otherwise.

    With ``?details`` it tells an organiser what was looked at: whether the store is readable and
    writable, the sequence of its last label event, and warnings. It holds nothing of its content.
    """
    facts = await run_in_threadpool(lambda: _examine(server().store, int(time.monotonic())))
    is_well = facts["readable"] and facts["writable"]
    answer: dict[str, Any] = {"status": "ok" if is_well else "failing"}
    if "details" in request.query_params and await run_in_threadpool(_is_organiser, request):
        answer |= facts
    return JSONResponse(answer, status_code=200 if is_well else 503)


def _is_organiser(request: Request) -> bool:
    store = server().store
    token = request.cookies.get(session_cookie(store.secret))
    person = find_session(store, token) if token else None
    return person is not None and person.role == "organiser"


@lru_cache(maxsize=1)
def _examine(store: Store, _second: int) -> dict[str, Any]:
    """Return what is to be said of a store; looked at once a second, whoever asks."""
    folder = store.path.parent
    last = _attempt("health: the store cannot be read", lambda: last_sequence(store))
    writable = _attempt("health: the store's disk cannot be written", lambda: _probe(folder))
    free = _attempt("health: the free space is unknown", lambda: shutil.disk_usage(folder).free)
    low = free is not None and free < LEAST_FREE
    return {
        "readable": last is not None,
        "writable": writable is not None,
        "last_sequence": last,
        "warnings": ["little disk space is left for the store"] if low else [],
    }


def _attempt(event: str, look: Callable[[], int]) -> int | None:
    try:
        return look()
    except Exception as error:
        log_error(event, error)
        return None


def _probe(folder: Path) -> int:
    """Write a block to the disk that holds the store and take it away again."""
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        return file.write(bytes(4096))
