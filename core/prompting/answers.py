"""Reading a model's answer: one level of the scale, or the reason why there is none in it."""

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from core.collection.labels.label_options import CANNOT_JUDGE, INVALID_ANSWER, JUDGED

LONGEST = 100_000
"""Characters of an answer that is read."""

_LINE = re.compile(r"[ \t]*level[ \t]*:[ \t]*(.*?)[ \t]*", re.IGNORECASE)
_NUMBER = re.compile(r"0|-?[1-9]\d{0,8}")
_SHOWN = 60


@dataclass(frozen=True)
class ParsedAnswer:
    """What an answer says.

    ``state`` is "level", "cannot judge" or "invalid answer". ``reason`` is the model's own, or
    why no level could be read.
    """

    state: str
    level: int | None
    reason: str


def read_answer(text: str, levels: Collection[int]) -> ParsedAnswer:
    r"""Return what an answer says, and take nothing for a level that is not exactly one.

    It is a JSON object with ``level`` (and perhaps ``reason``), also among other words, or a last
    line ``level: N``. A level is a whole number of the scale, as a number or as a text, or
    *cannot judge*. Nothing is rounded, moved onto the scale or guessed.

    Parameters
    ----------
    text : str
        The answer, word for word.
    levels : collection of int
        Those of the scale.

    Examples
    --------
    >>> read_answer('{"level": "2", "reason": "It says when."}', range(4))
    ParsedAnswer(state='level', level=2, reason='It says when.')
    >>> read_answer("It says when.\nLevel: 7", range(4))
    ParsedAnswer(state='invalid answer', level=None, reason="'7' is no level of the scale")
    >>> read_answer("I would say 2 or 3.", range(4)).reason
    'there is no level in the answer'
    """
    if len(text) > LONGEST:
        return _refuse(f"the answer has more than {LONGEST:,} characters")
    try:
        given = list(_find_given(text))
    except RecursionError:
        return _refuse("the answer is nested too deeply")
    if not given:
        return _refuse("there is no level in the answer" if text.strip() else "it is empty")
    read = {_read_level(value, levels) for value, _ in given}
    if len(read) > 1:
        return _refuse("there is more than one level in the answer")
    (level,) = read
    if level is None:
        return _refuse(f"{_show(given[0][0])} is no level of the scale")
    reason = given[0][1]
    if level == CANNOT_JUDGE:
        return ParsedAnswer(CANNOT_JUDGE, None, reason)
    return ParsedAnswer(JUDGED, int(level), reason)


def _refuse(reason: str) -> ParsedAnswer:
    return ParsedAnswer(INVALID_ANSWER, None, reason)


def _find_given(text: str) -> Iterator[tuple[Any, str]]:
    """Yield each level that the answer gives, with the reason beside it."""
    found = False
    for entries in _find_objects(text):
        reason = next((value for name, value in entries if name == "reason"), "")
        for name, value in entries:
            if name == "level":
                found = True
                yield value, reason if isinstance(reason, str) else ""
    if found:
        return
    lines = text.rstrip().split("\n")
    if _LINE.fullmatch(lines[-1].rstrip("\r")):
        for line in lines:
            if match := _LINE.fullmatch(line.rstrip("\r")):
                yield match[1], ""


def _find_objects(text: str) -> Iterator[list[tuple[str, Any]]]:
    """Yield the names and values of each JSON object that is not inside another."""
    decoder = json.JSONDecoder(object_pairs_hook=_Entries)
    place = text.find("{")
    while place >= 0:
        try:
            entries, after = decoder.raw_decode(text, place)
        except ValueError:
            after = place + 1
        else:
            yield entries
        place = text.find("{", after)


class _Entries(list[tuple[str, Any]]):
    """The entries of an object, also those of one name: who gives two levels gives none."""


def _read_level(value: Any, levels: Collection[int]) -> str | None:
    """Return a level as text, or that there is none to give; None for anything else."""
    text = str(value) if type(value) is int else value
    if not isinstance(text, str):
        return None
    if text.casefold() == CANNOT_JUDGE:
        return CANNOT_JUDGE
    return text if _NUMBER.fullmatch(text) and int(text) in levels else None


def _show(value: Any) -> str:
    shown = value if isinstance(value, str) else json.dumps(value)
    return f"'{shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '…'}'"
