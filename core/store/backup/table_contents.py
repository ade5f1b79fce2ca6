"""What a table, or a file of its rows, holds: read in pieces that fit into little memory."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.collection.files.source import HARMLESS, LARGEST_RATIO
from core.errors import BadInput
from core.store.file.database import Cursor

MEMORY = "256MiB"
"""What DuckDB may hold of a backup at once; the rest waits on disk."""

_PIECE = 2**26
"""Bytes of text that are unpacked at once, unless one row has more."""

_AT_ONCE = 2048
"""Rows that DuckDB takes at once."""

_LENGTHS = {"VARCHAR": "strlen", "BLOB": "octet_length"}
"""What tells the bytes of a value, by its type."""

_FLAT = re.compile(r"[A-Z_ ]+(\(\d+,\d+\))?")
"""A type of which a value is one thing, and no list that can be of any length."""


@dataclass(frozen=True)
class Content:
    """What a table holds: ``content`` is a sum of hashes of its rows, whatever their order."""

    rows: int
    content: str


@dataclass(frozen=True)
class Held:
    """Rows that can be read: those of a table, or those of a Parquet file.

    Attributes
    ----------
    source : str
        What SQL reads them from.
    number : str
        The column that numbers them, and is none of theirs.
    """

    source: str
    number: str

    @classmethod
    def in_table(cls, name: str) -> "Held":
        """Return the rows of a table."""
        return cls(f"(SELECT *, rowid AS held_at FROM {name})", "held_at")

    @classmethod
    def in_file(cls, file: Path) -> "Held":
        """Return the rows of a Parquet file."""
        return cls(f"read_parquet({quote(file)}, file_row_number = true)", "file_row_number")

    def measure(self, cursor: Cursor) -> tuple[int, int, int]:
        """Return how many rows there are, the bytes of their texts, and those of the longest row.

        No text is unpacked for that: one that stands once for many rows is counted for each.

        Raises
        ------
        BadInput
            A column has lists.
        """
        sizes = ["0"]
        for column, kind, *_ in cursor.execute(f"DESCRIBE FROM {self.source}").fetchall():
            if not _FLAT.fullmatch(kind):
                raise BadInput(f"column {column} holds {kind}, as no table does")
            if count := _LENGTHS.get(kind):
                sizes.append(f"coalesce({count}({_name(column)}), 0)")
        size = " + ".join(sizes)
        row = cursor.execute(
            f"SELECT count(*), coalesce(sum({size}), 0), coalesce(max({size}), 0) "
            f"FROM {self.source}"
        ).fetchone()
        rows, total, longest = map(int, row or (0, 0, 0))
        return rows, total, longest

    def pieces(self, cursor: Cursor) -> Iterator[str]:
        """Yield what SQL reads them from, piece by piece."""
        _, total, longest = self.measure(cursor)
        step = max(1, _PIECE // max(longest, 1))
        plain = f"SELECT * EXCLUDE ({self.number}) FROM {self.source}"
        if step >= _AT_ONCE or total <= _PIECE:
            yield f"({plain})"
            return
        numbers = cursor.execute(
            f"SELECT {self.number} FROM {self.source} ORDER BY {self.number}"
        ).fetchall()
        for start in range(0, len(numbers), step):
            first, last = numbers[start][0], numbers[start : start + step][-1][0]
            yield f"({plain} WHERE {self.number} BETWEEN {first} AND {last})"


def read_content(cursor: Cursor, table: str) -> Content:
    """Return what a table holds."""
    return _read(cursor, Held.in_table(table))


def check_file(cursor: Cursor, name: str, file: Path, facts: dict[str, Any]) -> None:
    """Raise BadInput where a file tells of more than was backed up, or than it can hold.

    Asked before the rows are read: a few thousand bytes can stand for any number of equal rows, and
    for any number of equal texts.
    """
    told = cursor.execute(f"SELECT num_rows FROM parquet_file_metadata({quote(file)})").fetchone()
    most = HARMLESS + LARGEST_RATIO * file.stat().st_size
    if not told or told[0] != facts["rows"] or told[0] > most:
        raise _other(name)
    _, total, _ = Held.in_file(file).measure(cursor)
    if total > most:
        raise BadInput(f"table {name} unpacks to far more than a table packs to")


def check_content(cursor: Cursor, name: str, held: Held, facts: dict[str, Any]) -> None:
    """Raise BadInput where rows are not those that were backed up."""
    found = _read(cursor, held)
    # Backups of the first releases tell the number of rows only.
    if found != Content(int(facts["rows"]), facts.get("content", found.content)):
        raise _other(name)


def quote(path: Path) -> str:
    """Return a path as SQL reads it."""
    return "'" + str(path).replace("'", "''") + "'"


def _read(cursor: Cursor, held: Held) -> Content:
    rows, content = 0, 0
    for piece in held.pieces(cursor):
        row = cursor.execute(
            "SELECT count(*), coalesce(sum(md5_number_lower(held::VARCHAR)::HUGEINT), 0)::VARCHAR "
            f"FROM {piece} AS held"
        ).fetchone()
        if row:
            rows, content = rows + int(row[0]), content + int(row[1])
    return Content(rows, str(content))


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _other(name: str) -> BadInput:
    return BadInput(f"the rows of table {name} are not those that were backed up")
