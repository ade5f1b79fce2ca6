"""The values of a JSON file: of an array, wherever its lines end, or one on each line."""

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any

from core.collection.files.columns import check_columns
from core.collection.files.source import Source
from core.errors import BadInput

Record = tuple[int, dict[str, Any]]
"""The line on which an object begins, and the object."""

_SPACE = " \t\r\n"
_FIRST = 20
"""Values that are looked at to tell what a file holds."""


def read_values(source: Source) -> list[Record]:
    """Return the objects of a JSON array or of a JSONL file, each with its line.

    Numbers with a point stay texts, as they are written.

    Raises
    ------
    BadInput
        Something is not JSON, or no object.
    """
    if not _is_array(source):
        return _read_lines(source)
    found = []
    for line, value in _read_array(source):
        if not isinstance(value, dict):
            raise BadInput("is not a JSON object, as in {…}", file=source.name, line=line)
        found.append((line, value))
    if not found:
        raise BadInput("the array is empty", file=source.name, line=1)
    return found


def _read_lines(source: Source) -> list[Record]:
    """Return the objects of a JSONL file with their lines; blank lines are skipped."""
    records = []
    columns: set[str] = set()
    for number, line in source.lines():
        if line.strip():
            record = _read_object(line, source.name, number)
            columns.update(record)
            check_columns(len(columns), source.name, number)
            records.append((number, record))
    return records


def _read_object(line: str, file: str, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line, parse_float=str, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        reason = f"is not JSON ({error}); each line must be one whole object"
        raise BadInput(reason, file=file, line=number) from error
    if not isinstance(value, dict):
        raise BadInput('is not a JSON object, as in {"id": …}', file=file, line=number)
    if "\\" in line:
        for name in value:
            check_json_text(name, "name of a column", file, number)
    return value


def check_json_text(text: str, field: str, file: str, line: int) -> None:
    """Refuse what JSON can escape but no store can keep."""
    try:
        text.encode()
        text.index("\0")
    except UnicodeEncodeError:
        reason = "contains half a surrogate pair, which is no character"
    except ValueError:
        return
    else:
        reason = "contains a NUL, which text has not"
    raise BadInput(reason, file=file, line=line, field=field)


def first_values(sample: Source) -> list[dict[str, Any]]:
    """Return the objects at the beginning of a file; none where there is something else."""
    if not _is_array(sample) and not sample.text.lstrip().startswith("{"):
        return []
    try:
        if _is_array(sample):
            values = _take_whole(_read_array(sample))
        else:
            lines = islice((line for _, line in sample.lines() if line.strip()), _FIRST)
            values = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        return []
    return values if all(isinstance(value, dict) for value in values) else []


def _take_whole(read: Iterator[tuple[int, Any]]) -> list[Any]:
    """Return the first values; a sample may be cut within one of them."""
    values = []
    try:
        for _, value in islice(read, _FIRST):
            values.append(value)
    except BadInput:
        pass
    return values


def _is_array(source: Source) -> bool:
    return source.text.lstrip()[:1] == "["


def _read_array(source: Source) -> Iterator[tuple[int, Any]]:
    text = source.text
    decoder = json.JSONDecoder(parse_float=str, parse_constant=_refuse_constant)
    place, line, counted = _skip(text, text.index("[") + 1), 1, 0
    if text[place : place + 1] == "]":
        return
    while True:
        line, counted = line + text.count("\n", counted, place), place
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"is not JSON ({error})", file=source.name, line=line) from error
        yield line, value
        place = _skip(text, end)
        mark = text[place : place + 1]
        if mark == "]":
            if (after := _skip(text, place + 1)) < len(text):
                line += text.count("\n", counted, after)
                raise BadInput("more follows the array's end", file=source.name, line=line)
            return
        if mark != ",":
            line += text.count("\n", counted, place)
            raise BadInput("a comma or ] is missing here", file=source.name, line=line)
        place = _skip(text, place + 1)


def _skip(text: str, place: int) -> int:
    while text[place : place + 1] and text[place] in _SPACE:
        place += 1
    return place


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")
