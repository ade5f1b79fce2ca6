"""The document of the API: OpenAPI for programs, and a page of the same for people."""

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from core.version import __version__
from pages.api.plain_page import answer
from pages.api.v1.operation import JSON, PREFIX, Operation, Parameter
from pages.api.v1.problem import KIND, SCHEMA, STATUSES

DOCUMENT, PAGE = f"{PREFIX}/openapi.json", f"{PREFIX}/"
_BEARER = "token"


def describe_api(operations: Sequence[Operation]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of these operations."""
    paths: dict[str, dict[str, Any]] = {}
    for one in operations:
        paths.setdefault(PREFIX + one.path, {})[one.method.lower()] = _describe(one)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Dissent",
            "version": "1",
            "summary": "What programs can ask of a server, in somebody's name.",
            "description": f"Served by Dissent {__version__}. Version 1 of the API only grows.",
        },
        "servers": [{"url": "/"}],
        "tags": [{"name": name} for name in dict.fromkeys(one.subject for one in operations)],
        "paths": paths,
        "components": {
            "securitySchemes": {
                _BEARER: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A personal token, made under Account or by 'dissent token'.",
                }
            },
            "schemas": {"Problem": SCHEMA},
            "responses": {
                str(status): {
                    "description": title,
                    "content": {KIND: {"schema": {"$ref": "#/components/schemas/Problem"}}},
                }
                for status, title in STATUSES.items()
            },
        },
    }


def document_routes(operations: Sequence[Operation]) -> list[Route]:
    """Return the routes that show the document and its page, which are open to everybody."""

    @cache
    def made() -> dict[str, Any]:
        return describe_api(operations)

    async def show_document(_: Request) -> Response:
        return JSONResponse(made())

    async def show_reference(_: Request) -> Response:
        return answer(_write_page(operations), title="API")

    return [
        Route(DOCUMENT, show_document, methods=["GET"]),
        Route(PAGE, show_reference, methods=["GET"]),
    ]


def _describe(one: Operation) -> dict[str, Any]:
    shown = {} if one.answer.schema is None else {"schema": one.answer.schema}
    if one.answer.schema is None:
        shown = {"schema": {"type": "string", "contentMediaType": one.answer.kind}}
    operation: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.summary,
        "description": _tell_who(one),
        "tags": [one.subject],
        "parameters": [_describe_parameter(one, each) for each in one.parameters],
        "responses": {
            str(one.answer.status): {
                "description": one.answer.description,
                "content": {one.answer.kind: shown},
            },
            **{
                status: {"$ref": f"#/components/responses/{status}"}
                for status in map(str, sorted(_list_statuses(one)))
            },
        },
        "security": [] if one.scope is None else [{_BEARER: []}],
    }
    if one.body is not None:
        kind = JSON if one.body.schema is not None else "application/octet-stream"
        schema = one.body.schema or {"type": "string", "contentMediaType": kind}
        operation["requestBody"] = {
            "description": one.body.description,
            "required": True,
            "content": {kind: {"schema": schema}},
        }
    return operation


def _describe_parameter(one: Operation, parameter: Parameter) -> dict[str, Any]:
    in_path = f"{{{parameter.name}}}" in one.path
    schema = {"type": "array", "items": parameter.schema} if parameter.many else parameter.schema
    return {
        "name": parameter.name,
        "in": "path" if in_path else "query",
        "required": parameter.is_needed,
        "description": parameter.description,
        "schema": schema,
    }


def _list_statuses(one: Operation) -> set[int]:
    """Return the statuses with which an operation may refuse."""
    statuses = {422, 507}
    if one.scope is not None:
        statuses |= {401, 403, 404}
    else:
        statuses |= {403}
    if one.body is not None:
        statuses |= {413} | ({503} if one.body.schema is None else set())
    return statuses


def _tell_who(one: Operation) -> str:
    if one.scope is None:
        return "Needs no token."
    scope = f" that allows to {one.scope}" if one.scope else ""
    return f"Needs a token{scope}, of: {', '.join(one.allowed)}."


def _write_page(operations: Sequence[Operation]) -> str:
    """Return the reference as HTML, without a script and without anything from elsewhere."""
    parts = [
        "<p>Programs ask this server in somebody's name, with a personal token that is made under "
        "<i>Account</i> or by <code>dissent token</code> and sent as <code>Authorization: Bearer "
        f"…</code>. For programs there is the <a href='{DOCUMENT}'>OpenAPI document</a>; from "
        "Python there is <code>dissent.connect(url, token)</code>.</p>"
    ]
    for subject in dict.fromkeys(one.subject for one in operations):
        parts.append(f"<h2>{escape(subject)}</h2>")
        parts += [_write_operation(one) for one in operations if one.subject == subject]
    return "".join(parts)


def _write_operation(one: Operation) -> str:
    listed = "".join(
        f"<dt><code>{escape(each.name)}</code></dt><dd>{escape(_tell_parameter(each))}</dd>"
        for each in one.parameters
    )
    body = f"<p>Sent: {escape(one.body.description)}{_list_keys(one)}</p>" if one.body else ""
    return (
        f"<section id='{escape(one.name)}'><h3>{escape(one.summary)}</h3>"
        f"<p><code>{one.method} {escape(PREFIX + one.path)}</code></p>"
        f"<p>{escape(_tell_who(one))}</p>"
        f"{f'<dl>{listed}</dl>' if listed else ''}{body}"
        f"<p>Answered: {escape(one.answer.description)}</p></section>"
    )


def _list_keys(one: Operation) -> str:
    keys = (one.body.schema or {}).get("properties", {}) if one.body else {}
    return "" if not keys else f" Keys: <code>{escape(', '.join(keys))}</code>."


def _tell_parameter(one: Parameter) -> str:
    choices = one.schema.get("enum")
    listed = f" One of: {', '.join(map(str, choices))}." if choices else ""
    return f"{one.description}{listed}"
