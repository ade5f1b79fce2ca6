"""What a table, or a file of its rows, holds: read in pieces that fit into little memory."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.collection.files.source import HARMLESS, LARGEST_RATIO
from core.errors import BadInput
from core.store.file.database import Cursor

PIECE = 2**26
"""Bytes of text that are unpacked at once, unless one row has more."""

_AT_ONCE = 2048
"""Rows that DuckDB takes at once."""

_LENGTHS = {"VARCHAR": "strlen", "BLOB": "octet_length"}
"""What tells the bytes of a value, by its type."""

_FLAT = re.compile(r"[A-Z_ ]+(\(\d+,\d+\))?")
"""A type of which a value is one thing, and no list that can be of any length."""


@dataclass(frozen=True)
class TableChecksum:
    """What a table holds: ``content`` is a sum of hashes of its rows, whatever their order."""

    rows: int
    content: str


@dataclass(frozen=True)
class Size:
    """How many rows there are, the bytes of their texts, and those of the longest row."""

    rows: int
    total: int
    longest: int


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

    def measure(self, cursor: Cursor) -> Size:
        """Return how large they are.

        No text is unpacked for that: one that stands once for many rows is counted for each.

        Raises
        ------
        BadInput
            A column has lists.
        """
        size = self._size(cursor)
        row = cursor.execute(
            f"SELECT count(*), coalesce(sum({size}), 0), coalesce(max({size}), 0) "
            f"FROM {self.source}"
        ).fetchone()
        return Size(*map(int, row or (0, 0, 0)))

    def pieces(self, cursor: Cursor, size: Size, most: int) -> Iterator[str]:
        """Yield what SQL reads them from, piece by piece: rows with so many bytes, or one row."""
        plain = f"SELECT * EXCLUDE ({self.number}) FROM {self.source}"
        if size.total <= most or size.longest * _AT_ONCE <= most:
            yield f"({plain})"
            return
        ends = cursor.execute(
            f"SELECT min(place), max(place) FROM (SELECT {self.number} AS place, "
            f"sum({self._size(cursor)}) OVER (ORDER BY {self.number}) // {most} AS piece "
            f"FROM {self.source}) GROUP BY piece ORDER BY 1"
        ).fetchall()
        for first, last in ends:
            yield f"({plain} WHERE {self.number} BETWEEN {first} AND {last})"

    def ends(self, cursor: Cursor, begin: int, rows: int, most: int) -> Iterator[int]:
        """Yield up to which number, from one on, to read: so many rows and bytes, or one row."""
        size = self.measure(cursor)
        if size.longest * rows <= most:
            sql = f"SELECT coalesce(max({self.number}), -1) + 1 FROM {self.source}"
            ((end,),) = cursor.execute(sql).fetchall()
            yield from range(begin + rows, end + rows, rows)
            return
        found = cursor.execute(
            f"SELECT max(place) + 1 FROM (SELECT {self.number} AS place, "
            f"sum({self._size(cursor)}) OVER (ORDER BY {self.number}) // {most} AS piece "
            f"FROM {self.source} WHERE {self.number} >= {begin}) "
            f"GROUP BY piece, place // {rows} ORDER BY 1"
        ).fetchall()
        yield from (int(end) for (end,) in found)

    def _size(self, cursor: Cursor) -> str:
        """Return what SQL tells the bytes of a row's texts by."""
        sizes = ["0"]
        for column, kind, *_ in cursor.execute(f"DESCRIBE FROM {self.source}").fetchall():
            if not _FLAT.fullmatch(kind):
                raise BadInput(f"column {column} holds {kind}, as no table does")
            if count := _LENGTHS.get(kind):
                sizes.append(f"coalesce({count}({_name(column)}), 0)")
        return " + ".join(sizes)


def limit_piece(archive: Path) -> int:
    """Return how many bytes of text of a backup are unpacked at once."""
    return max(PIECE, 2 * archive.stat().st_size)


def read_content(cursor: Cursor, table: str) -> TableChecksum:
    """Return what a table holds."""
    held = Held.in_table(table)
    return _read(cursor, held.pieces(cursor, held.measure(cursor), PIECE))


def check_file(cursor: Cursor, name: str, file: Path, facts: dict[str, Any]) -> Size:
    """Return how large a table is; raise BadInput for more than was backed up, or can be held.

    Asked before the rows are read: a few thousand bytes can stand for any number of equal rows, and
    for any number of equal texts.
    """
    counted = cursor.execute(
        f"SELECT num_rows FROM parquet_file_metadata({quote(file)})"
    ).fetchone()
    most = HARMLESS + LARGEST_RATIO * file.stat().st_size
    if not counted or counted[0] != facts["rows"] or counted[0] > most:
        raise _other(name)
    size = Held.in_file(file).measure(cursor)
    if size.total > most:
        raise BadInput(f"table {name} unpacks to far more than a table packs to")
    return size


def check_content(cursor: Cursor, name: str, pieces: Iterable[str], facts: dict[str, Any]) -> None:
    """Raise BadInput where rows are not those that were backed up."""
    found = _read(cursor, pieces)
    # Backups of the first releases tell the number of rows only.
    if found != TableChecksum(int(facts["rows"]), facts.get("content", found.content)):
        raise _other(name)


def quote(path: Path) -> str:
    """Return a path as SQL reads it."""
    return "'" + str(path).replace("'", "''") + "'"


def _read(cursor: Cursor, pieces: Iterable[str]) -> TableChecksum:
    rows, content = 0, 0
    for piece in pieces:
        row = cursor.execute(
            "SELECT count(*), coalesce(sum(md5_number_lower(held::VARCHAR)::HUGEINT), 0)::VARCHAR "
            f"FROM {piece} AS held"
        ).fetchone()
        if row:
            rows, content = rows + int(row[0]), content + int(row[1])
    return TableChecksum(rows, str(content))


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _other(name: str) -> BadInput:
    return BadInput(f"the rows of table {name} are not those that were backed up")
