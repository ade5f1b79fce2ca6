"""Rows with named columns, from TSV, CSV or JSONL, each row knowing its line."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.collection.files.checks import LINE, refuse_where
from core.collection.files.columns import FileColumn, check_columns, match_columns
from core.collection.files.json_values import Record, check_json_text, read_values
from core.collection.files.plain_lines import read_plain_lines
from core.collection.files.source import LARGEST, Source
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Table:
    """The known columns of a file as text, plus LINE; and the names of those left aside."""

    frame: DataFrame
    ignored: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """What to tell about the columns left aside."""
        listed = ", ".join(self.ignored)
        return (f"not used: the column(s) {listed}",) if self.ignored else ()


Cells = tuple[list[int], list[list[str]]]


def is_json(source: Source) -> bool:
    """Whether the content is JSON, not a table."""
    return source.text.lstrip()[:1] in ("{", "[")


def delimiter_of(source: Source) -> str:
    """Return what separates cells: a tab, comma or semicolon, whichever the first line has."""
    first = source.text.lstrip("\n").partition("\n")[0]
    return next((mark for mark in "\t,;" if mark in first), "\t")


def read_cells(source: Source) -> Cells:
    """Return the line numbers and the cells of the rows that are not blank.

    Cells separated by tabs have no quotes: a query may well begin with one.
    """
    csv.field_size_limit(LARGEST)  # Python's own limit is less than a long page
    mark = delimiter_of(source)
    lines = (f"{line}\n" for _, line in source.lines())
    reader = csv.reader(
        lines,
        delimiter=mark,
        quoting=csv.QUOTE_NONE if mark == "\t" else csv.QUOTE_MINIMAL,
        strict=True,
    )
    numbers, rows, start = [], [], 1
    try:
        for row in reader:
            check_columns(len(row), source.name, start)
            if any(map(str.strip, row)):
                numbers.append(start)
                rows.append(row)
            start = reader.line_num + 1
    except csv.Error as error:
        reason = f"the quotes of this row do not match ({error})"
        raise BadInput(reason, file=source.name, line=start) from error
    if not rows:
        raise BadInput("no cell of this table holds anything", file=source.name, line=1)
    return numbers, rows


def read_table(
    source: Source, columns: Sequence[FileColumn], names: Mapping[str, str] | None = None
) -> Table:
    """Read a TSV, CSV or JSONL file whose columns have names.

    Parameters
    ----------
    columns : sequence of FileColumn
        What the format knows; anything else in the file is left aside.
    names : mapping, optional
        The file's name for a column, where it differs: ``{"assessor": "workerID"}``.

    Raises
    ------
    BadInput
        A required column or cell is missing, or a row has too few or too many cells.
    """
    if is_json(source):
        return table_of_records(source, read_values(source), columns, names)
    fast = _read_at_once(source, columns, names)
    return fast or table_of_cells(source, read_cells(source), columns, names)


def _read_at_once(
    source: Source, columns: Sequence[FileColumn], names: Mapping[str, str] | None
) -> Table | None:
    """Read a table without quotes, blank lines or empty required cells; None if it has any."""
    from pandas import DataFrame

    mark = delimiter_of(source)
    header = source.text.partition("\n")[0].split(mark)
    check_columns(len(header), source.name, 1)
    if (mark != "\t" and b'"' in source.data) or len(set(header)) < len(header):
        return None
    cells = read_plain_lines(source.data, header, mark, skip=1)
    if cells is None or cells.empty:
        return None
    chosen = match_columns(source, header, columns, names)
    frame = DataFrame(
        {
            column.name: cells[actual] if column.exact else cells[actual].str.strip()
            for column, actual in chosen
        }
    )
    if any((frame[column.name] == "").any() for column, _ in chosen if column.filled):
        return None
    frame[LINE] = np.arange(2, len(frame) + 2)
    return Table(frame, _ignored(header, chosen))


def _ignored(header: Sequence[str], chosen: list[tuple[FileColumn, str]]) -> tuple[str, ...]:
    used = {actual for _, actual in chosen}
    return tuple(name for name in header if name and name not in used)


def table_of_cells(
    source: Source,
    cells: Cells,
    columns: Sequence[FileColumn],
    names: Mapping[str, str] | None = None,
) -> Table:
    """Return the rows below a header; see ``read_table``."""
    numbers, (header, *rows) = cells
    chosen = match_columns(source, header, columns, names)
    for number, row in zip(numbers[1:], rows, strict=True):
        if len(row) != len(header):
            reason = f"has {len(row)} cells where the header has {len(header)}"
            raise BadInput(reason, file=source.name, line=number)
    values = dict(zip(header, zip(*rows, strict=True), strict=True)) if rows else {}
    data = {
        column.name: [cell if column.exact else cell.strip() for cell in values.get(actual, ())]
        for column, actual in chosen
    }
    return _table(source, numbers[1:], data, chosen, header)


def table_of_records(
    source: Source,
    records: Sequence[Record],
    columns: Sequence[FileColumn],
    names: Mapping[str, str] | None = None,
) -> Table:
    """Return JSON objects as rows; see ``read_table``."""
    header = list(dict.fromkeys(key for _, record in records for key in record))
    chosen = match_columns(source, header, columns, names)
    data = {
        column.name: [
            _json_text(record.get(actual), column, source.name, number)
            for number, record in records
        ]
        for column, actual in chosen
    }
    return _table(source, [number for number, _ in records], data, chosen, header)


def _json_text(value: Any, column: FileColumn, file: str, line: int) -> Any:
    if column.nested:
        return value
    if isinstance(value, bool | list | dict):
        raise BadInput("must be a text or a number", file=file, line=line, field=column.name)
    text = "" if value is None else str(value)
    if not text.isascii() or "\0" in text:
        check_json_text(text, column.name, file, line)
    return text if column.exact else text.strip()


def _table(
    source: Source,
    numbers: list[int],
    data: dict[str, list[Any]],
    chosen: list[tuple[FileColumn, str]],
    header: Sequence[str],
) -> Table:
    from pandas import DataFrame, Series

    if not numbers:
        raise BadInput("has a header but no rows below it", file=source.name, line=1)
    frame = DataFrame(
        {
            column.name: Series(data[column.name], dtype="object" if column.nested else "str")
            for column, _ in chosen
        }
    )
    frame[LINE] = np.asarray(numbers, dtype=np.int64)
    for column, _ in chosen:
        if column.filled:
            empty = frame[column.name] == ""
            refuse_where(frame, empty, lambda _: "is empty", file=source.name, field=column.name)
    return Table(frame, _ignored(header, chosen))
