"""Words in results: names shown as they are, and counts."""

import re
from collections.abc import Sequence

from core.language.translate import t, tn

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~$:&])")
_READ_LATE = re.compile(r"(https?:(?=//)|www(?=\.)|@(?=\w)|:(?=[\w+/-]+:))", re.IGNORECASE)
_LINE_ENDS = re.compile(r"\s*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_JOINER = "\u2060"
"""It has no width. Addresses, icons and emoji are looked for after Markdown is read, so that no
backslash helps; with this inside they are not found."""


def plain(text: str) -> str:
    """Return a text so that Markdown shows it as it is, in one line."""
    joined = _READ_LATE.sub(rf"\1{_JOINER}", _LINE_ENDS.sub(" ", text))
    return _MARKS.sub(r"\\\1", joined)


_FACT = ("\ue000", "\ue001")
"""They have no meaning of their own and no font shows them."""


def mark_fact(fact: str) -> str:
    """Return a key fact of a sentence, marked so that `plain_with_facts` finds it."""
    return fact.join(_FACT)


def plain_with_facts(text: str) -> str:
    """Return a text as `plain` does, with the key facts that are marked in it in bold."""
    begin, end = _FACT
    return plain(text).replace(begin, "**").replace(end, "**")


def drop_marks(text: str) -> str:
    """Return a sentence without the marks of its key facts."""
    begin, end = _FACT
    return text.replace(begin, "").replace(end, "")


NAMED = 3
"""So many are named; of the others only the number is told."""


def name_some(names: Sequence[str]) -> str:
    """Return names in words, at most three: ``a``, ``a and b``, ``a, b, c and 9 more``."""
    shown = [*names[:NAMED], f"{len(names) - NAMED:,} more"] if len(names) > NAMED else [*names]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def count(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: ``1 topic``, ``1,348 pairs``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def name_with_role(name: str, role: str) -> str:
    """Return a name with the person's role, unless the name says it already."""
    return name if role in name.lower() else f"{name}, {role}"


def tell_hours(hours: float) -> str:
    """Return a time in whole hours, or in minutes where it is shorter than two hours."""
    if hours >= 2:
        return t("{n} h", n=f"{hours:,.0f}")
    return tn(max(1, round(hours * 60)), "{n} minute", "{n} minutes")
