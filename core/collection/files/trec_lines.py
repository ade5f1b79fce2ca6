"""Lines of words, read in one go or, to name a fault, one by one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.collection.files.checks import LINE, Check, read_numbers
from core.collection.files.numbers import parse_number
from core.collection.files.plain_lines import read_plain_lines
from core.collection.files.source import Source
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

MORE = "has_more"
"""The column that says which lines have had more words; it is there if any has."""


def read_columns(
    source: Source,
    names: Mapping[str, str],
    number: str,
    check: Check,
    what: str,
    *,
    may_have_comments: bool = False,
    may_have_more: str = "",
    remedy: str = "",
) -> DataFrame:
    """Return the words of each line as columns, with LINE; one of them is a number.

    Where every line has exactly its cells between tabs, spaces are part of ids; elsewhere white
    space parts words.

    Parameters
    ----------
    names : mapping
        What each line holds, in order: the column's name and what TREC calls it.
    number : str
        The column that becomes float64.
    check : callable
        Says of numbers which are acceptable.
    what : str
        What an acceptable number is, for the message.
    may_have_comments : bool, default False
        Whether lines that begin with # are left out.
    may_have_more : str, optional
        The column that is a number, as the next one is, on lines whose words after the last column
        are left out. The column MORE says which lines have had more.
    remedy : str, optional
        What to do about a line with another number of words.

    Raises
    ------
    BadInput
        A line has too few or too many words, or a number is not acceptable.
    """
    has_comments = may_have_comments and _has_comments(source.data)
    fast = None if has_comments else _read_at_once(source.data, list(names), number)
    if fast is not None and check(fast[number].to_numpy()).all():
        fast[LINE] = np.arange(1, len(fast) + 1)
        return fast
    words = _split_lines(source, names, has_comments, may_have_more, remedy)
    return _check_lines(source, words, names, number, check, what)


_COMMENT = re.compile(rb"^[ \t\v\f]*#", re.MULTILINE)


def _has_comments(data: bytes) -> bool:
    return b"#" in data and _COMMENT.search(data) is not None


def note_comments(source: Source) -> tuple[str, ...]:
    """Return how many lines begin with #, as a note; none where none does."""
    count = len(_COMMENT.findall(source.data)) if b"#" in source.data else 0
    return (f"lines that begin with #, left out as comments: {count:,}",) if count else ()


def _read_at_once(data: bytes, names: Sequence[str], number: str) -> DataFrame | None:
    """Read lines whose words are separated by one space or one tab; None if they are not so."""
    mark = b"\t" if b"\t" in data[: data.find(b"\n")] else b" "
    others = (b"\t ", b" \t", b"\n ", b" \n") if mark == b"\t" else (b"\t",)
    if any(other in data for other in (*others, b"\v", b"\f")) or data.startswith(b" "):
        return None
    frame = read_plain_lines(data, names, mark.decode(), numbers=(number,))
    if frame is None or any((frame[name] == "").any() for name in names if name != number):
        return None
    return frame


def _split_lines(
    source: Source,
    names: Mapping[str, str],
    has_comments: bool,
    may_have_more: str,
    remedy: str,
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line that counts, and its words."""
    kept = [(line, text) for line, text in source.lines() if counts_as_line(text, has_comments)]
    if not kept:
        raise BadInput("holds nothing but comments", file=source.name, line=1)
    is_tabbed = are_tabbed((text for _, text in kept), len(names))
    for line, text in kept:
        words = split_words(text, is_tabbed)
        if len(words) != len(names) and not _is_longer(words, list(names), may_have_more):
            listed = " ".join(names.values())
            reason = f"has {len(words)} words; expected {len(names)}: {listed}"
            if len(words) > len(names):
                reason += f". {_SPACES}"
                reason += f"; {remedy}" if remedy else ""
            raise BadInput(reason, file=source.name, line=line)
        yield line, words


_SPACES = "Where an id has a space, part the columns by tabs, or write %20 for it"


def _is_longer(words: list[str], names: list[str], may_have_more: str) -> bool:
    """Whether a line has all its words and then some, which may be left out.

    It is not where words further on could be meant, as after an id with a space in it.
    """
    if len(words) < len(names) or not may_have_more:
        return False
    rest = words[names.index(may_have_more) :]
    first, *others = pairwise(np.isfinite([parse_number(word) for word in rest]))
    return all(first) and not any(map(all, others))


def _check_lines(
    source: Source,
    split: Iterable[tuple[int, list[str]]],
    names: Mapping[str, str],
    number: str,
    check: Check,
    what: str,
) -> DataFrame:
    from pandas import DataFrame

    lines, rows, longer = [], [], []
    for line, words in split:
        lines.append(line)
        rows.append(words[: len(names)])
        longer.append(len(words) > len(names))
    frame = DataFrame(rows, columns=list(names), dtype="str")
    if any(longer):
        frame[MORE] = longer
    frame[LINE] = np.asarray(lines, dtype=np.int64)
    values = read_numbers(frame, number, check, what, file=source.name)
    return frame.assign(**{number: values})


SPACE = re.compile(r"[ \t\v\f\n\r]+")
"""What separates words: ASCII white space only, as in C; other spaces may be part of an id."""

_ENDS = " \t\v\f"


def counts_as_line(text: str, has_comments: bool) -> bool:
    """Whether a line is neither blank nor, where there are comments, one that begins with #."""
    bare = text.lstrip(_ENDS)
    return bool(bare) and not (has_comments and bare.startswith("#"))


def are_tabbed(lines: Iterable[str], cells: int) -> bool:
    """Whether each line has this many cells between tabs, none of them empty.

    Then a space stands within an id, and does not part two words.
    """
    found = False
    for line in lines:
        if line.count("\t") != cells - 1 or not all(cell.strip(_ENDS) for cell in line.split("\t")):
            return False
        found = True
    return found


def split_words(line: str, is_tabbed: bool) -> list[str]:
    """Return the words of a line that is not blank."""
    if is_tabbed:
        return [cell.strip(_ENDS) for cell in line.split("\t")]
    return SPACE.split(line.strip(_ENDS))


def split_all(lines: Iterable[str], cells: int) -> Iterator[list[str]]:
    """Yield the words of some lines that are not blank."""
    kept = list(lines)
    is_tabbed = are_tabbed(kept, cells)
    return (split_words(line, is_tabbed) for line in kept)
