"""An operation as a route: reads what is asked, asks the guard, acts, and answers.

Checking what was sent against the schema that the document shows for it.
"""

import json
import re
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
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
from pages.api.v1.operation import JSON, PREFIX, Asked, Body, Operation, Parameter, Schema
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


_HALF = re.compile("[\ud800-\udfff]")
_WHOLE = re.compile(r"-?\d{1,16}")
_LARGEST = 2**53
"""Beyond it a number that has a fraction in it cannot be told from its neighbours."""

_KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def check(value: Any, schema: Schema, field: str = "body") -> None:
    """Raise BadInput where a value is not as its schema says; the field is a path of keys."""
    kinds = _kinds_of(schema)
    if kinds and not any(_is_a(value, kind) for kind in kinds):
        raise BadInput(f"'{field}' has to be of type {' or '.join(kinds)}", field=field)
    if "enum" in schema and value not in schema["enum"]:
        listed = ", ".join(map(str, schema["enum"]))
        raise BadInput(f"'{field}' is one of: {listed}", field=field)
    if isinstance(value, str):
        _check_text(value, schema, field)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        _check_number(value, schema, field)
    elif isinstance(value, list):
        _check_list(value, schema, field)
    elif isinstance(value, dict):
        _check_keys(value, schema, field)


def read_number(text: str) -> int | float:
    """Return a number of JSON that is written with a fraction; 2.0 is a whole number there."""
    number = float(text)
    return int(number) if number.is_integer() and abs(number) <= _LARGEST else number


def read_values(parameters: Sequence[Parameter], given: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return what the address asks for, by name; what is left out has its default.

    Raises
    ------
    BadInput
        Something is unknown, missing, there twice, or not as it has to be.
    """
    known = {one.name: one for one in parameters}
    for name in given:
        if name not in known:
            listed = ", ".join(known) or "none"
            shown = name[:80]
            raise BadInput(f"there is no parameter '{shown}'; there are: {listed}", field="query")
    values: dict[str, Any] = {}
    for name, one in known.items():
        texts = given.get(name, [])
        if one.is_needed and not texts:
            raise BadInput(f"'{name}' is missing", field=name)
        if len(texts) > 1 and not one.many:
            raise BadInput(f"'{name}' can be given once only", field=name)
        read = [_read_text(text, one.schema, name) for text in texts]
        for value in read:
            check(value, one.schema, name)
        values[name] = tuple(read) if one.many else (read or [one.schema.get("default")])[0]
    return values


def _read_text(text: str, schema: Schema, name: str) -> Any:
    (kind,) = _kinds_of(schema)
    if kind == "integer":
        if not _WHOLE.fullmatch(text) or not text.isascii():
            raise BadInput(f"'{name}' has to be a whole number", field=name)
        return int(text)
    if kind == "boolean":
        if text not in ("true", "false"):
            raise BadInput(f"'{name}' is true or false", field=name)
        return text == "true"
    return text


def _kinds_of(schema: Schema) -> list[str]:
    kind = schema.get("type", [])
    return [kind] if isinstance(kind, str) else list(kind)


def _is_a(value: Any, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _KINDS[kind])


def _check_text(value: str, schema: Schema, field: str) -> None:
    if _HALF.search(value):
        raise BadInput(f"'{field}' has half a character", field=field)
    if "\0" in value:
        raise BadInput(f"'{field}' has a NUL character", field=field)
    least, most = schema.get("minLength", 0), schema.get("maxLength")
    if len(value) < least or (most is not None and len(value) > most):
        raise BadInput(f"'{field}' has from {least} to {most} characters", field=field)


def _check_number(value: float, schema: Schema, field: str) -> None:
    least, most = schema.get("minimum"), schema.get("maximum")
    if (
        value != value
        or (least is not None and value < least)
        or (most is not None and value > most)
    ):
        limits = " and ".join(
            f"{word} {limit}"
            for word, limit in (("at least", least), ("at most", most))
            if limit is not None
        )
        raise BadInput(f"'{field}' has to be {limits or 'a number'}", field=field)


def _check_list(value: list[Any], schema: Schema, field: str) -> None:
    least, most = schema.get("minItems", 0), schema.get("maxItems")
    if len(value) < least or (most is not None and len(value) > most):
        raise BadInput(f"'{field}' has from {least} to {most} entries", field=field)
    for place, one in enumerate(value):
        check(one, schema.get("items", {}), f"{field}[{place}]")


def _check_keys(value: dict[str, Any], schema: Schema, field: str) -> None:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            raise BadInput(f"'{field}.{name}' is missing", field=f"{field}.{name}")
    for name, one in value.items():
        if name in known:
            check(one, known[name], f"{field}.{name}")
        elif schema.get("additionalProperties") is False:
            shown = name[:80].encode("utf-8", "replace").decode()
            raise BadInput(f"'{field}' has no '{shown}'; it has {', '.join(known)}", field=field)
