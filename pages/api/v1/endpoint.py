"""An operation as a route: reads what is asked, asks the guard, acts, and answers."""

import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from streamlit import config

from core.errors import BadInput, DissentError
from core.language.translate import ENGLISH, speaking
from core.store.file.disk import expect_room
from core.store.file.scratch import scratch_folder
from core.store.people.people import Person
from core.store.people.tokens import Token
from pages.api.v1 import guard
from pages.api.v1.checked import check, read_number, read_values
from pages.api.v1.operation import JSON, PREFIX, Asked, Body, Operation
from pages.api.v1.problem import Busy, NoToken, TooLarge, tell_failure, tell_problem
from pages.server.log import log, log_error
from pages.server.running import server

LARGEST_JSON = 1_000_000
MOST_UPLOADS = 2
"""Files that are taken in at once: each may be held in memory when it is read."""

_UPLOADS = threading.BoundedSemaphore(MOST_UPLOADS)


def make_route(operation: Operation) -> Route:
    """Return the route of an operation."""

    async def answer(request: Request) -> Response:
        try:
            return await _answer(operation, request)
        except ClientDisconnect:
            return Response(status_code=400)
        except DissentError as error:
            return tell_problem(error, operation.name)
        except Exception as error:  # the log has what it was; who asks learns nothing of it
            log_error("api failed", error)
            return tell_failure()

    answer.__name__ = operation.name
    return Route(PREFIX + operation.path, answer, methods=[operation.method])


async def _answer(operation: Operation, request: Request) -> Response:
    token, person = None, None
    if operation.scope is not None:
        bearer = guard.read_bearer(request)
        token, person = await run_in_threadpool(guard.find_asker, server().store, bearer)
        guard.require_role(operation, person)
        guard.require_scope(operation, token, person)
    given = {name: request.query_params.getlist(name) for name in request.query_params}
    given |= {name: [str(value)] for name, value in request.path_params.items()}
    values = read_values(operation.parameters, given)
    if person is not None:
        guard.refuse_names(bool(values.get("names")), person)
    collection_id = await run_in_threadpool(_find_collection, values, token, person)
    async with _read_body(operation.body, request) as body:
        asked = Asked(
            server().store,
            person,
            token,
            collection_id,
            values,
            body,
            str(request.base_url).rstrip("/"),
        )
        return await run_in_threadpool(_act, operation, asked)


def _find_collection(values: dict[str, Any], token: Token | None, person: Person | None) -> str:
    if "collection" not in values:
        return ""
    if token is None or person is None:
        raise NoToken("There is no token in the header.")
    return guard.find_reached(server().store, person, token, values["collection"])


def _act(operation: Operation, asked: Asked) -> Response:
    with speaking(ENGLISH):
        done = operation.act(asked)
    log("api", at=operation.name, person=asked.by, collection=asked.collection_id)
    headers = {"Cache-Control": "no-store"}
    if operation.answer.kind != JSON:
        return Response(done, operation.answer.status, headers, operation.answer.kind)
    content = json.dumps(done, ensure_ascii=False, allow_nan=False)
    return Response(content.encode("utf-8", "replace"), operation.answer.status, headers, JSON)


@asynccontextmanager
async def _read_body(body: Body | None, request: Request) -> AsyncIterator[Any]:
    """Yield what was sent: nothing, JSON, or the place of a file, which goes afterwards."""
    if body is None:
        yield None
    elif body.schema is not None:
        yield await _read_json(body, request)
    else:
        async with _keep_file(request) as file:
            yield file


async def _read_json(body: Body, request: Request) -> Any:
    content = bytearray()
    async for chunk in request.stream():
        content += chunk
        if len(content) > LARGEST_JSON:
            raise TooLarge(f"A body has at most {LARGEST_JSON:,} bytes.")
    try:
        sent = json.loads(bytes(content), parse_float=read_number)
    except (ValueError, RecursionError) as error:
        raise BadInput("the body has to be JSON", field="body") from error
    assert body.schema is not None
    check(sent, body.schema)
    return sent


@asynccontextmanager
async def _keep_file(request: Request) -> AsyncIterator[Path]:
    """Write what is sent to the disk, as far as it goes; at most as much as pages take."""
    if not _UPLOADS.acquire(blocking=False):
        raise Busy(f"{MOST_UPLOADS} files are being taken in already.")
    try:
        place = server().store.path.absolute().parent
        most = int(config.get_option("server.maxUploadSize")) * 2**20
        with expect_room(place), scratch_folder(place) as folder:
            file = folder / "sent"
            size = 0
            with file.open("wb") as stream:
                async for chunk in request.stream():
                    size += len(chunk)
                    if size > most:
                        raise TooLarge(f"A file has at most {most // 2**20} MiB.")
                    stream.write(chunk)
            yield file
    finally:
        _UPLOADS.release()
