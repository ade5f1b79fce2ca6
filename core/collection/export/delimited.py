"""Tables as CSV and TSV files: the same rows for every reader, none of them a formula."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd

_SIGNS = r"=+\-@\uff1d\uff0b\uff0d\uff20"
_FIRST = rf"'*[{_SIGNS}\t\r\n]"
"""What a cell begins with that spreadsheets take for a formula; the wide forms in some countries,
and apostrophes before it, so that taking one away restores the text."""

_FORMULA = re.compile(_FIRST)
_INSIDE = re.compile(rf"([\t\r\n,;])('*[{_SIGNS}])")
"""Where another cell begins for who parts lines without a look at quotes, or at other marks than
the comma: spreadsheets do at semicolons, in half of Europe."""

_GUARDED = re.compile(rf"\A'({_FIRST})")
_GUARDED_INSIDE = re.compile(rf"([\t\r\n,;])'('*[{_SIGNS}])")
_BREAK = re.compile(r"\r\n?")
_UNFIT = re.compile(r"[\t\n\r\0]")


def write_table(frame: pd.DataFrame) -> bytes:
    """Return a table as CSV with unrounded numbers and every cell in quotes.

    A text that a spreadsheet would take for a formula gets an apostrophe in front, also after
    what may part cells or rows within it. Lines in a cell end by line feeds.
    """
    safe = frame.copy()
    for column in safe.select_dtypes(exclude=["number", "bool", "datetime", "datetimetz"]):
        safe[column] = [
            write_cell(value) if isinstance(value, str) else value for value in safe[column]
        ]
    safe.columns = [write_cell(str(name)) for name in safe.columns]
    return safe.to_csv(index=False, quoting=csv.QUOTE_ALL, lineterminator="\n").encode()


def write_tsv(frame: pd.DataFrame) -> bytes:
    """Return a table as TSV for programs, which has no quotes: every text is as it is.

    Raises
    ------
    BadInput
        A text holds a tab or the end of a line, which TSV cannot hold.
    """
    for name in frame.select_dtypes(exclude=["number", "bool"]):
        for text in frame[name].unique():
            if _UNFIT.search(str(text)):
                raise BadInput(f"{text!r} cannot be written in a TSV file", field=str(name))
    rows = frame.itertuples(index=False, name=None)
    lines = ["\t".join(frame.columns), *("\t".join(map(str, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode("utf-8", "replace")


def write_cell(text: str) -> str:
    """Return a text as a cell may hold it: one kind of line end, whole characters, no formula."""
    whole = text if text.isascii() else text.encode("utf-8", "replace").decode()
    return neutralise(_BREAK.sub("\n", whole).replace("\0", "\ufffd"))


def neutralise(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    inside = _INSIDE.sub(r"\1'\2", text)
    return f"'{inside}" if _FORMULA.match(text) else inside


def restore(text: str, *, inside: bool = True) -> str:
    """Return the text that `neutralise` was given; not ``inside`` only its beginning."""
    begun = _GUARDED.sub(r"\1", text)
    return _GUARDED_INSIDE.sub(r"\1\2", begun) if inside else begun
