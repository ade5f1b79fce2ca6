"""A DuckDB cursor that takes down which rows its statements write."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import pyarrow as pa

from core.store.file.database import Cursor
from core.store.file.statement import Statement, read_statement
from core.store.shared.log import Written
from core.store.shared.tables import TableSchema, quote


class Recording:
    """Runs statements in a transaction of the copy, and has what they wrote.

    New rows, those of a known key and removed ones are what the statement returns. Changed rows
    are read once they are changed: to have them returned would put them at the table's end. Where
    rows are changed that have no key, or whose key changes, the table is compared with what it was.

    Parameters
    ----------
    cursor : DuckDBPyConnection
        In a transaction.
    before : DuckDBPyConnection
        In another, of the same moment, in which nothing is written.
    tables : mapping
        The tables that are shared, by name; what is written to others is not.
    """

    def __init__(self, cursor: Cursor, before: Cursor, tables: Mapping[str, TableSchema]) -> None:
        self._cursor, self._before, self._tables = cursor, before, tables
        self.written: list[Written] = []
        self._compared: set[str] = set()
        self._counted: list[tuple[int]] | None = None

    def execute(self, sql: str, values: Any = None) -> Self:
        """Run one statement."""
        statement = read_statement(sql)
        table = self._tables.get(statement.table) if statement else None
        self._counted = None
        if statement is None or table is None:
            self._cursor.execute(sql, values)
        elif statement.kind == "update":
            self._update(statement, table, sql, values)
        else:
            self._add_or_remove(statement, table, sql, values)
        return self

    def executemany(self, sql: str, rows: Sequence[Any]) -> Self:
        """Run one statement for each of several lists of values."""
        for values in rows:
            self.execute(sql, values)
        return self

    def fetchall(self) -> list[Any]:
        """Return all rows of the latest result."""
        if self._counted is None:
            return self._cursor.fetchall()
        rows, self._counted = self._counted, []
        return list(rows)

    def fetchone(self) -> Any:
        """Return the next row of the latest result; None where there is none."""
        if self._counted is None:
            return self._cursor.fetchone()
        return self._counted.pop() if self._counted else None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cursor, name)

    def end(self) -> list[Written]:
        """Return what was written, in order."""
        self._cursor.complete()
        kept = [one for one in self.written if one.table not in self._compared]
        for name in sorted(self._compared):
            kept += _compare(self._before, self._cursor, self._tables[name])
        self.written = kept
        return kept

    def _add_or_remove(
        self, statement: Statement, table: TableSchema, sql: str, values: Any
    ) -> None:
        if statement.returns:
            raise ValueError("a statement has a result of its own; what it wrote could not be read")
        rows = self._read(f"{sql} RETURNING *", values)
        self._counted = [(rows.num_rows,)]
        if statement.kind == "remove" and table.key:
            rows = rows.select(table.key)
        self._note(statement.kind, table, rows)

    def _update(self, statement: Statement, table: TableSchema, sql: str, values: Any) -> None:
        if not table.key or statement.sets(*table.key):
            self._cursor.execute(sql, values)
            self._compared.add(table.name)
            return
        sought = self._read(*statement.find_rows(values))
        self._cursor.execute(sql, values)
        self._cursor.complete()
        self._counted = [(sought.num_rows,)]
        self._cursor.register("sought", sought)
        try:
            rows = self._read(f"FROM {table.name} WHERE rowid IN (SELECT place FROM sought)", None)
        finally:
            self._cursor.unregister("sought")
        self._note("put", table, rows)

    def _read(self, sql: str, values: Any) -> pa.Table:
        self._cursor.complete()  # nothing may be left of an earlier result
        rows: pa.Table = self._cursor.sql(sql, params=values).to_arrow_table()
        return rows

    def _note(self, kind: str, table: TableSchema, rows: pa.Table) -> None:
        if rows.num_rows:
            self.written.append(Written(kind, table.name, rows))


def _compare(before: Cursor, now: Cursor, table: TableSchema) -> list[Written]:
    """Return what has become of a table: rows that are gone, and rows that are new or changed."""
    former: pa.Table = before.sql(f"FROM {table.name}").to_arrow_table()
    now.register("former", former)
    columns = ", ".join(_as_text(table, name) for name in table.columns)
    try:
        gone = now.sql(f"FROM former EXCEPT ALL SELECT {columns} FROM {table.name}")
        gone_rows: pa.Table = gone.to_arrow_table()
        new = now.sql(f"SELECT {columns} FROM {table.name} EXCEPT ALL FROM former")
        new_rows: pa.Table = new.to_arrow_table()
    finally:
        now.unregister("former")
    if table.key:
        gone_rows = _without(now, gone_rows, new_rows, table.key)
    found = [
        Written("remove", table.name, gone_rows),
        Written("put" if table.key else "insert", table.name, new_rows),
    ]
    return [one for one in found if one.rows.num_rows]


def _without(cursor: Cursor, rows: pa.Table, others: pa.Table, key: Sequence[str]) -> pa.Table:
    """Return the keys of rows that are not among the others'."""
    cursor.register("gone", rows.select(key))
    cursor.register("come", others.select(key))
    try:
        left: pa.Table = cursor.sql(
            f"FROM gone ANTI JOIN come USING ({quote(*key)})"
        ).to_arrow_table()
    finally:
        cursor.unregister("gone")
        cursor.unregister("come")
    return left


def _as_text(table: TableSchema, name: str) -> str:
    """Return a column as Arrow holds it: ids as texts."""
    text = pa.types.is_string(table.schema.field(name).type)
    return f'"{name}"::VARCHAR AS "{name}"' if text else f'"{name}"'
