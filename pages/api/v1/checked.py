"""Checking what was sent against the schema that the document shows for it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import BadInput
from pages.api.v1.operation import Parameter, Schema

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
