"""Rows written to the tables in PostgreSQL, as they were written in DuckDB."""

import io
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.csv

from core.store.file.database import Rows
from core.store.shared.connections import SCHEMA, Link
from core.store.shared.log import Written, as_rows
from core.store.shared.tables import TableSchema, quote

FEW = 200
"""Rows up to which a statement with values is faster than a copy."""

_PATIENCE = 600.0
"""Seconds that many rows may take."""

_READERS = 30.0
"""Seconds to wait for who reads what was there before."""

_OLDER = """
    SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
    AND age(backend_xmin) > age(%s::xid)"""


def apply_to_postgres(
    link: Link, tables: Mapping[str, TableSchema], written: Sequence[Written]
) -> None:
    """Write the same rows, in the same order."""
    for one in written:
        table = tables[one.table]
        if one.rows.num_rows > FEW and one.kind == "insert":
            copy_rows(link, table, one.rows)
            continue
        rows = as_rows(one.table, one.rows)
        for start in range(0, len(rows.rows), FEW):
            few = Rows(rows.table, rows.columns, rows.rows[start : start + FEW])
            if one.kind == "remove":
                _remove(link, table, few)
            else:
                _insert(link, table, few, replace=one.kind == "put")


def copy_rows(link: Link, table: TableSchema, rows: pa.Table) -> None:
    """Add many rows."""
    copying = f"COPY {_place(table)} ({quote(*rows.column_names)}) FROM STDIN (FORMAT csv, NULL '')"
    with link.patient(_PATIENCE), link.cursor() as cursor, cursor.copy(_ours(copying)) as copy:
        for batch in rows.to_batches(max_chunksize=20_000):
            copy.write(write_csv(batch))


def write_csv(batch: pa.RecordBatch) -> bytes:
    """Return rows as CSV in which every text is in quotes, and nothing stands for NULL."""
    sink = io.BytesIO()
    options = pyarrow.csv.WriteOptions(include_header=False, quoting_style="needed")
    pyarrow.csv.write_csv(batch, sink, options)
    return sink.getvalue()


def _insert(link: Link, table: TableSchema, few: Rows, *, replace: bool) -> None:
    row = f"({', '.join(['%s'] * len(few.columns))})"
    statement = f"INSERT INTO {_place(table)} ({quote(*few.columns)}) VALUES " + ", ".join(
        [row] * len(few.rows)
    )
    if replace:
        given = [name for name in few.columns if name not in table.key]
        update = ", ".join(f'"{name}" = excluded."{name}"' for name in given)
        do = f"DO UPDATE SET {update}" if given else "DO NOTHING"
        statement += f" ON CONFLICT ({quote(*table.key)}) {do}"
    link.execute(_ours(statement), [value for values in few.rows for value in values])


def _remove(link: Link, table: TableSchema, few: Rows) -> None:
    """Remove rows by their key; of equal rows of a table without one, as many as are given."""
    if table.key:
        places = ", ".join([f"({', '.join(['%s'] * len(few.columns))})"] * len(few.rows))
        statement = f"DELETE FROM {_place(table)} WHERE ({quote(*few.columns)}) IN ({places})"
        link.execute(_ours(statement), [value for values in few.rows for value in values])
        return
    same = " AND ".join(f'"{name}" IS NOT DISTINCT FROM %s' for name in few.columns)
    for row in few.rows:
        statement = (
            f"DELETE FROM {_place(table)} WHERE ctid = "
            f"(SELECT ctid FROM {_place(table)} WHERE {same} LIMIT 1)"
        )
        link.execute(_ours(statement), list(row))


def write_vacuum(table: str) -> Any:
    """Return the statement that writes a table anew, without what was removed from it."""
    return _ours(f'VACUUM FULL {SCHEMA}."{table}"')


def wait_for_readers(link: Link) -> bool:
    """Wait until nobody reads what was there before now: a table written anew keeps it for them.

    Who cannot be seen, as another role's connections cannot, is not waited for. False where
    somebody goes on reading.
    """
    ((now,),) = link.execute("SELECT pg_current_xact_id()::xid::text").fetchall()
    end = time.monotonic() + _READERS
    while link.execute(_OLDER, [now]).fetchall():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def _place(table: TableSchema) -> str:
    return f'{SCHEMA}."{table.name}"'


def _ours(statement: str) -> Any:
    """Return a statement whose names are those of the schema."""
    return statement
