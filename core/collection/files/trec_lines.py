"""Lines of words separated by white space, read in one go or, to name a fault, one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.collection.files.checks import LINE, refuse_where
from core.collection.files.numbers import parse_numbers
from core.collection.files.plain_lines import read_plain_lines
from core.collection.files.source import Source
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

Check = Callable[[NDArray[np.float64]], NDArray[np.bool_]]

MORE = "has_more"
"""The column that says which lines have had more words; it is there if any has."""

SPACE = re.compile(r"[ \t\v\f\n\r]+")
"""What separates words: ASCII white space only, as in C; other spaces may be part of an id."""


def read_columns(
    source: Source,
    names: Mapping[str, str],
    number: str,
    check: Check,
    what: str,
    *,
    may_have_comments: bool = False,
    may_have_more: str = "",
) -> DataFrame:
    """Return the words of each line as columns, with LINE; one of them is a number.

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
        The column that is a number on lines whose words after the last column are left out: on
        other such lines an id has a space in it. The column MORE says which lines have had more.

    Raises
    ------
    BadInput
        A line has too few or too many words, or a number is not acceptable.
    """
    has_comments = may_have_comments and _COMMENT.search(source.data) is not None
    fast = None if has_comments else _read_at_once(source.data, list(names), number)
    if fast is not None and check(fast[number].to_numpy()).all():
        fast[LINE] = np.arange(1, len(fast) + 1)
        return fast
    words = _split_lines(source, names, has_comments, may_have_more)
    return _check_lines(source, words, names, number, check, what)


_COMMENT = re.compile(rb"^[ \t\v\f]*#", re.MULTILINE)


def _read_at_once(data: bytes, names: Sequence[str], number: str) -> DataFrame | None:
    """Read lines whose words are separated by one space or one tab; None if they are not so."""
    mark = b"\t" if b"\t" in data[: data.find(b"\n")] else b" "
    if any(other in data for other in (b" ", b"\t", b"\v", b"\f") if other != mark):
        return None
    frame = read_plain_lines(data, names, mark.decode(), numbers=(number,))
    if frame is None or any((frame[name] == "").any() for name in names if name != number):
        return None
    return frame


def _split_lines(
    source: Source, names: Mapping[str, str], has_comments: bool, may_have_more: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield the number of each line that counts, and its words."""
    for line, text in source.lines():
        words = SPACE.split(text.strip(" \t\v\f"))
        if words == [""] or (has_comments and words[0].startswith("#")):
            continue
        if len(words) != len(names) and not _is_longer(words, list(names), may_have_more):
            listed = " ".join(names.values())
            raise BadInput(
                f"has {len(words)} words; expected {len(names)}: {listed}",
                file=source.name,
                line=line,
            )
        yield line, words


def _is_longer(words: list[str], names: list[str], may_have_more: str) -> bool:
    """Whether a line has all its words and then some, which may be left out."""
    from pandas import Series

    if len(words) < len(names) or not may_have_more:
        return False
    return bool(np.isfinite(parse_numbers(Series([words[names.index(may_have_more)]]))[0]))


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
    values = parse_numbers(frame[number])
    refuse_where(
        frame,
        ~check(values),
        lambda row: f"'{row[number]}' is not {what}",
        file=source.name,
        field=number,
    )
    return frame.assign(**{number: values})
