"""How much the beginning of a file looks like a format: shares that formats can compare.

A detector beside each reader returns a `Likeness`. 1 is a file in which everything is as the
format has it; from ``CLEAR`` on the format can be read as it is or with other names of columns;
below, something that it needs is missing.
"""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from core.collection.files.columns import FileColumn, find_columns
from core.collection.files.json_values import first_values
from core.collection.files.source import Source
from core.collection.files.trec_lines import counts_as_line, split_all

CLEAR = 0.55
"""From here on a file has all that a format needs."""

_LINES = 200
_MANY = 50_000


@dataclass(frozen=True)
class Likeness:
    """How much a file looks like a format.

    Parameters
    ----------
    share : float
        From 0, not at all, to 1.
    header : tuple of str
        The names of the file's columns, where it has such.
    found : mapping
        By column, the header's name for it, as known or as guessed.
    """

    share: float
    header: tuple[str, ...] = ()
    found: Mapping[str, str] = field(default_factory=dict)


UNLIKE = Likeness(0.0)


def first_rows(sample: Source, most: int = _LINES) -> list[list[str]]:
    """Return the cells of the first lines that are not blank; see ``tables.read_cells``."""
    lines = list(islice((line for _, line in sample.lines() if line.strip()), most))
    mark = next((mark for mark in "\t,;" if mark in lines[0]), "\t")
    if mark == "\t":
        return [line.split(mark) for line in lines]
    try:
        return list(csv.reader((f"{line}\n" for line in lines), delimiter=mark))
    except csv.Error:
        return [line.split(mark) for line in lines]


def table_header(sample: Source) -> tuple[str, ...]:
    """Return the cells of the first line of a table; none of JSON or XML."""
    if sample.text.lstrip()[:1] in ("{", "[", "<"):
        return ()
    return tuple(cell.strip() for cell in first_rows(sample, 1)[0])


def column_values(sample: Source, name: str) -> list[str]:
    """Return the distinct values of a column at the beginning of a file, as they first occur."""
    if records := first_values(sample):
        return list(dict.fromkeys(str(one[name]) for one in records if name in one))
    header, *rows = first_rows(sample, _MANY)
    place = [cell.strip() for cell in header].index(name)
    return list(dict.fromkeys(row[place].strip() for row in rows if len(row) > place))


def object_names(records: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the names in JSON objects, in the order in which they occur."""
    return tuple(dict.fromkeys(name for record in records for name in record))


def rate_columns(
    header: Sequence[str],
    columns: Sequence[FileColumn],
    *,
    any_of: Sequence[FileColumn] = (),
    strangers: Sequence[FileColumn] = (),
) -> Likeness:
    """Return how far a header is one of these columns.

    Parameters
    ----------
    columns : sequence of FileColumn
        What the format knows. A name that is only guessed counts a little less.
    any_of : sequence of FileColumn
        Those of which at least one has to be there, besides the required ones.
    strangers : sequence of FileColumn
        Those that a file of this kind has not: then it is a file of another kind.
    """
    found = find_columns(header, columns)
    needed = [column.name for column in columns if column.required]
    there = sum(name in found for name in needed)
    kept = Likeness(0.0, tuple(header), found)
    foreign = any(column.find_in(header) for column in strangers)
    if there < len(needed) or foreign or not _has_any(found, any_of):
        share = 0.4 * there / (len(needed) + bool(any_of))
        return Likeness(share, kept.header, found)
    guessed = sum(not column.is_called(found[column.name]) for column in columns if column.required)
    known = len(set(found.values())) / len(header)
    return Likeness(0.6 + 0.4 * known - 0.2 * guessed / len(needed), kept.header, found)


def _has_any(found: Mapping[str, str], columns: Sequence[FileColumn]) -> bool:
    return not columns or any(column.name in found for column in columns)


def like_table(
    columns: Sequence[FileColumn], **known: Sequence[FileColumn]
) -> Callable[[Source], Likeness]:
    """Return a detector of tables whose header names these columns; see `rate_columns`."""

    def detect(sample: Source) -> Likeness:
        header = table_header(sample)
        return rate_columns(header, columns, **known) if len(header) > 1 else UNLIKE

    return detect


def like_objects(
    columns: Sequence[FileColumn], **known: Sequence[FileColumn]
) -> Callable[[Source], Likeness]:
    """Return a detector of JSON objects, one a line, that name these columns."""

    def detect(sample: Source) -> Likeness:
        names = object_names(first_values(sample))
        return rate_columns(names, columns, **known) if names else UNLIKE

    return detect


def first_words(sample: Source, cells: int) -> list[list[str]]:
    """Return the words of the first lines that are neither blank nor comments.

    They are split as the lines of a format with this many cells are.
    """
    lines = (line for _, line in sample.lines() if counts_as_line(line, has_comments=True))
    return list(split_all(islice(lines, _LINES), cells))


def lines_of_words(sample: Source, cells: int) -> list[list[str]]:
    """Return the same; none where a line has another number of words."""
    rows = first_words(sample, cells)
    return rows if all(len(row) == cells for row in rows) else []
