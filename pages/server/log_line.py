"""One event, one line: whatever a text holds, it can neither end the line nor fill the disk."""

import json
from typing import Any

LONGEST = 2_000
"""Characters of a line."""

_SIZES = (300, 60, 10)
"""Characters of each text in it: the first that give a line of that length."""


def write_json(fields: dict[str, Any]) -> str:
    """Return the line for programs; all but plain ASCII is escaped."""
    lines = (json.dumps(_cut(fields, size)) for size in _SIZES)
    return next(line for line in lines if len(line) <= LONGEST)


def write_text(fields: dict[str, Any]) -> str:
    """Return the line for people; what cannot be seen is escaped."""
    lines = (_join(_cut(fields, size)) for size in _SIZES)
    return next(line for line in lines if len(line) <= LONGEST)


def show(text: str) -> str:
    """Return a text with what ends lines, turns them around or is no character made visible."""
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in text
    )


def _join(fields: dict[str, Any]) -> str:
    time, level, event, *others = fields.items()
    told = [f"{name}={value}" for name, value in others]
    return show(" ".join([time[1], level[1], event[1], *told]))


def _cut(fields: dict[str, Any], size: int) -> dict[str, Any]:
    return {
        name: f"{value[:size]}…" if isinstance(value, str) and len(value) > size else value
        for name, value in fields.items()
    }
