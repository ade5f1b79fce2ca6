"""A process's own copy of the store, in a DuckDB file that is thrown away at the end."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack

import pyarrow as pa
import pyarrow.csv

from core.store.file.database import Cursor, Database, transaction, write_insert
from core.store.file.scratch import scratch_folder
from core.store.schema.migrations import MIGRATIONS, Migration, define
from core.store.shared.connections import SCHEMA, Link
from core.store.shared.log import Written, as_rows, read_head
from core.store.shared.tables import PLACE, TableSchema, quote, read_tables

_FEW = 100
"""Rows up to which a statement with values is faster than Arrow."""

_PATIENCE = 600.0

_AT_ONCE = 4 << 20
"""Bytes of rows that are read together, and of the last of them as many as it has."""


class Mirror:
    """A copy as of one position of the log; whoever holds it moves it on.

    Parameters
    ----------
    name : str
        How the store is called.
    steps : sequence of Migration
        What defines its tables.

    Attributes
    ----------
    database : Database
        The copy.
    position : int
        What it holds of the log.
    """

    def __init__(self, name: str, steps: Sequence[Migration] = MIGRATIONS) -> None:
        self._folder = ExitStack()
        self.position, self.store_id = 0, ""
        try:
            folder = self._folder.enter_context(scratch_folder())
            self.database = Database(folder / f"{name}.duckdb")
            self._folder.callback(self.database.close)
            with transaction(self.database.cursor()) as cursor:
                define(cursor, steps)
            self.tables: Mapping[str, TableSchema] = read_tables(self.database.cursor())
        except BaseException:
            self._folder.close()
            raise

    def fill(self, link: Link) -> None:
        """Copy everything as of one moment."""
        head = copy_all(link, self.database.cursor(), self.tables.values())
        self.position, self.store_id = head

    def apply(self, written: Iterable[Written], position: int) -> None:
        """Take over what was written up to a position, in one transaction."""
        with transaction(self.database.cursor()) as cursor:
            for one in _join(written):
                if one.table in self.tables:  # a newer version may have more of them
                    apply_to_mirror(cursor, self.tables[one.table], one)
        self.position = position

    def close(self) -> None:
        """Throw the copy away."""
        self._folder.close()


def apply_to_mirror(cursor: Cursor, table: TableSchema, written: Written) -> None:
    """Write the same rows to DuckDB; columns that it does not have are left out."""
    known = [name for name in written.rows.column_names if name in table.columns]
    rows = written.rows.select(known)
    if written.kind == "insert" and rows.num_rows <= _FEW:
        cursor.execute(*write_insert(as_rows(table.name, rows)))
        return
    cursor.register("followed", rows)
    try:
        if written.kind == "insert":
            cursor.execute(f"INSERT INTO {table.name} BY NAME FROM followed")
        elif written.kind == "remove":
            _remove(cursor, table, known)
        else:
            _put(cursor, table, known)
    finally:
        cursor.unregister("followed")


def _put(cursor: Cursor, table: TableSchema, columns: Sequence[str]) -> None:
    """Change the rows that are there, in their places, and add those that are not."""
    same = _match(cursor, table, table.key)
    rest = [name for name in columns if name not in table.key]
    if rest:
        update = ", ".join(f'"{name}" = followed."{name}"' for name in rest)
        cursor.execute(f"UPDATE {table.name} SET {update} FROM followed WHERE {same}")
    cursor.execute(
        f"INSERT INTO {table.name} BY NAME FROM followed "
        f"WHERE NOT EXISTS (FROM {table.name} WHERE {same})"
    )


def _remove(cursor: Cursor, table: TableSchema, columns: Sequence[str]) -> None:
    if table.key:
        same = _match(cursor, table, table.key)
        cursor.execute(f"DELETE FROM {table.name} USING followed WHERE {same}")
        return
    # Of equal rows as many as are given: both are numbered among their equals.
    equals = quote(*columns)
    same = " AND ".join(f'held."{name}" IS NOT DISTINCT FROM gone."{name}"' for name in columns)
    place = f"row_number() OVER (PARTITION BY {equals}) AS place"
    cursor.execute(
        f"DELETE FROM {table.name} WHERE rowid IN (SELECT held.place_of FROM "
        f"(SELECT *, rowid AS place_of, {place} FROM {table.name}) AS held JOIN "
        f"(SELECT *, {place} FROM followed) AS gone ON held.place = gone.place AND {same})"
    )


def _match(cursor: Cursor, table: TableSchema, key: Sequence[str]) -> str:
    return " AND ".join(
        f'{table.name}."{name}"{_cast(table, name)} = followed."{name}"' for name in key
    )


def _cast(table: TableSchema, name: str) -> str:
    """Return the cast that makes an id, which Arrow holds as a text, one to compare with."""
    return "::VARCHAR" if pa.types.is_string(table.schema.field(name).type) else ""


def _join(written: Iterable[Written]) -> Iterator[Written]:
    """Put new rows of one table that follow each other together: each statement costs the same."""
    held: list[Written] = []
    for one in written:
        if held and not (
            one.kind == "insert" == held[0].kind
            and one.table == held[0].table
            and one.rows.schema == held[0].rows.schema
        ):
            yield _unite(held)
            held = []
        held.append(one)
    if held:
        yield _unite(held)


def _unite(held: Sequence[Written]) -> Written:
    if len(held) == 1:
        return held[0]
    return Written(held[0].kind, held[0].table, pa.concat_tables([one.rows for one in held]))


def copy_all(link: Link, cursor: Cursor, tables: Iterable[TableSchema]) -> tuple[int, str]:
    """Copy all rows, as of one moment, to empty tables; returns the head of the log then."""
    with link.transaction():
        link.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        head = read_head(link)
        with transaction(cursor):
            for table in tables:
                copy_table(link, cursor, table)
    return head


def copy_table(link: Link, cursor: Cursor, table: TableSchema) -> None:
    """Copy the rows of a table from PostgreSQL to an empty one in DuckDB."""
    columns = ", ".join(_write_column(table, name) for name in table.columns)
    order = "sequence" if table.name == "labels" else PLACE
    copying = (
        f'COPY (SELECT {columns} FROM {SCHEMA}."{table.name}" ORDER BY {order}) TO STDOUT '
        "(FORMAT csv, FORCE_QUOTE *)"
    )
    options = pyarrow.csv.ConvertOptions(
        column_types={name: _read_type(table, name) for name in table.columns},
        null_values=[""],
        true_values=["t"],
        false_values=["f"],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    with link.patient(_PATIENCE), link.cursor() as source, source.copy(copying) as copy:
        for part in _join_rows(copy):
            # One block for all of it: a reader refuses a row that is longer than its blocks.
            given = pyarrow.csv.ReadOptions(column_names=table.columns, block_size=len(part) + 1)
            parsing = pyarrow.csv.ParseOptions(newlines_in_values=True)
            rows = pyarrow.csv.read_csv(pa.BufferReader(part), given, parsing, options)
            cursor.register("copied", rows.cast(table.schema))
            cursor.execute(f"INSERT INTO {table.name} BY NAME FROM copied")
            cursor.unregister("copied")


def _join_rows(copy: Iterable[bytes | bytearray | memoryview]) -> Iterator[bytes]:
    """Yield rows as they come, one each time, so many together that reading them is fast."""
    held, size = [], 0
    for row in copy:
        held.append(row)
        size += len(row)
        if size >= _AT_ONCE:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


def _write_column(table: TableSchema, name: str) -> str:
    if pa.types.is_timestamp(table.schema.field(name).type):
        return f'(extract(epoch FROM "{name}") * 1000000)::bigint AS "{name}"'
    return f'"{name}"'


def _read_type(table: TableSchema, name: str) -> pa.DataType:
    kind = table.schema.field(name).type
    return pa.int64() if pa.types.is_timestamp(kind) else kind
