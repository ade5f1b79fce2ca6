"""Lines of words separated by white space, read in one go or, to name a fault, one by one."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from pandas import DataFrame

from core.collection.checks import LINE, refuse_where
from core.collection.numbers import parse_numbers
from core.collection.plain_lines import read_plain_lines
from core.collection.source import Source
from core.errors import BadInput

Check = Callable[[NDArray[np.float64]], NDArray[np.bool_]]

SPACE = re.compile(r"[ \t\v\f\n\r]+")
"""What separates words: ASCII white space only, as in C; other spaces may be part of an id."""


def read_columns(
    source: Source, names: Mapping[str, str], number: str, check: Check, what: str
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

    Raises
    ------
    BadInput
        A line has too few or too many words, or a number is not acceptable.
    """
    fast = _read_at_once(source.data, list(names), number)
    if fast is not None and check(fast[number].to_numpy()).all():
        fast[LINE] = np.arange(1, len(fast) + 1)
        return fast
    return _read_line_by_line(source, names, number, check, what)


def _read_at_once(data: bytes, names: Sequence[str], number: str) -> DataFrame | None:
    """Read lines whose words are separated by one space or one tab; None if they are not so."""
    mark = b"\t" if b"\t" in data[: data.find(b"\n")] else b" "
    if any(other in data for other in (b" ", b"\t", b"\v", b"\f") if other != mark):
        return None
    frame = read_plain_lines(data, names, mark.decode(), numbers=(number,))
    if frame is None or any((frame[name] == "").any() for name in names if name != number):
        return None
    return frame


def _read_line_by_line(
    source: Source, names: Mapping[str, str], number: str, check: Check, what: str
) -> DataFrame:
    rows, lines = [], []
    for line, text in source.lines():
        words = SPACE.split(text.strip(" \t\v\f"))
        if words == [""]:
            continue
        if len(words) != len(names):
            listed = " ".join(names.values())
            raise BadInput(
                f"has {len(words)} words; expected {len(names)}: {listed}",
                file=source.name,
                line=line,
            )
        rows.append(words)
        lines.append(line)
    frame = DataFrame(rows, columns=list(names), dtype="str")
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
