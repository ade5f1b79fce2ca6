"""What stands in a line of the log, and how many lines each source may have.

What the log tells of a record that other programs' code makes: their words, nobody else's. One
event, one line: whatever a text holds, it can neither end the line nor fill the disk. How often
each source is heard in the log: the rest of a minute is counted and summed up.
"""

import json
import logging
import sys
import time
import traceback
from collections.abc import Callable, Hashable, Iterator, Mapping
from types import CodeType, TracebackType
from typing import Any

WITHHELD = "message withheld"
"""Stands for a message that is not, as it is, a text in the code: it may quote a stranger."""

_LOOKED_AT = 8
"""Callers whose code may hold the text; asyncio logs in one place what is found in others."""
_STEPS = 40
_HIGHEST = 10**15


def describe_record(record: logging.LogRecord) -> tuple[Hashable, dict[str, Any]]:
    """Return what a record comes from, and what is told of it.

    Of a message only the template is told, with numbers filled in; every other argument may be
    what a stranger sent. Of an error its type and its place are.
    """
    template, place = _find_template(record)
    error = find_error(record)
    fields = {"event": _fill(template, record).strip() or WITHHELD, "logger": record.name}
    if error is not None:
        fields |= {"error": type(error).__name__, "at": find_place(error) or place}
    elif not template:
        fields |= {"at": place}
    return (template, record.name, fields.get("error"), fields.get("at")), fields


def find_error(record: logging.LogRecord) -> BaseException | None:
    """Return the error that a record is about."""
    return record.exc_info[1] if record.exc_info else None


def find_place(error: BaseException) -> str:
    """Return where an error arose: module and line."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace else ""


def list_steps(trace: TracebackType | None) -> list[str]:
    """Return the way to an error through the code, last step last, without a word of its own."""
    steps = [
        f"    {frame.f_globals.get('__name__')}:{line} {frame.f_code.co_qualname}"
        for frame, line in traceback.walk_tb(trace)
    ]
    return steps[-_STEPS:]


def _find_template(record: logging.LogRecord) -> tuple[str, str]:
    """Return the message if it stands in the code that logs it, else "", and where that is.

    A message that was put together before it was logged stands in no code, except for the
    first line of what asyncio reports.
    """
    template = record.msg if isinstance(record.msg, str) else ""
    place = f"{record.module}:{record.lineno}"
    for number, (name, code) in enumerate(_callers(record)):
        if not number:
            place = f"{name}:{record.lineno}"
        for text in (template, template.partition("\n")[0]):
            if text and text in code.co_consts:
                return text, place
    return "", place


def _callers(record: logging.LogRecord) -> Iterator[tuple[str, CodeType]]:
    """Iterate over module and code of who logs and of who called that, for some steps."""
    left = 0
    for frame, line in traceback.walk_stack(sys._getframe().f_back):
        if not left and (frame.f_code.co_filename, line) == (record.pathname, record.lineno):
            left = _LOOKED_AT
        if left:
            yield str(frame.f_globals.get("__name__")), frame.f_code
            left -= 1
            if not left:
                return


def _fill(template: str, record: logging.LogRecord) -> str:
    """Return a template with its numbers, and a gap for everything else."""
    given: Any = record.args
    if not given or template != record.msg:
        return template
    try:
        if isinstance(given, Mapping):
            return template % {name: _number(value) for name, value in given.items()}
        return template % tuple(map(_number, given))
    except (TypeError, ValueError, KeyError, OverflowError):
        return template


def _number(value: object) -> object:
    return value if isinstance(value, int | float) and abs(value) < _HIGHEST else _Gap()


class _Gap:
    def __repr__(self) -> str:
        return "…"


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
    facts = [f"{name}={value}" for name, value in others]
    return show(" ".join([time[1], level[1], event[1], *facts]))


def _cut(fields: dict[str, Any], size: int) -> dict[str, Any]:
    return {
        name: f"{value[:size]}…" if isinstance(value, str) and len(value) > size else value
        for name, value in fields.items()
    }


MINUTE = 60.0
SOURCES = 1_000
"""So many sources are told apart in a minute; all others are one, so strangers fill no memory."""

OTHERS: dict[str, Any] = {"event": "too many different events", "level": "warning"}
_OTHERS_ALLOWED = 20


class Rate:
    """Counts what each source says in a minute, and keeps what it said last when it was too much.

    Parameters
    ----------
    clock : callable
        Seconds that never go back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._ends = 0.0
        self._said: dict[Hashable, int] = {}
        self._last: dict[Hashable, dict[str, Any]] = {}

    @property
    def is_over(self) -> bool:
        """Whether the minute has passed."""
        return self._clock() >= self._ends

    def admit(self, source: Hashable, allowed: int, fields: dict[str, Any]) -> bool:
        """Count one event and tell whether it is to be written."""
        if source not in self._said and len(self._said) >= SOURCES:
            source, allowed, fields = None, _OTHERS_ALLOWED, OTHERS
        count = self._said[source] = self._said.get(source, 0) + 1
        if count <= allowed:
            return True
        self._last[source] = {**fields, "more": count - allowed}
        return False

    def begin_minute(self) -> list[dict[str, Any]]:
        """Return a sum for each source that said more than was written, and count anew."""
        sums = list(self._last.values())
        self._said.clear()
        self._last.clear()
        self._ends = self._clock() + MINUTE
        return sums
