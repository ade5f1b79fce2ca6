"""Stores as older versions left them: the schema of some step, with rows in every table."""

from contextlib import closing
from pathlib import Path
from typing import Any

import duckdb

from core.store.file.database import Cursor, Database
from core.store.schema.migrations import MIGRATIONS, migrate

ROWS = 100
Schema = list[tuple[Any, ...]]
_VALUES = {
    "VARCHAR": "'{column} ' || n",
    "INTEGER": "n",
    "BIGINT": "n",
    "DOUBLE": "n / 7.0",
    "BOOLEAN": "n % 2 = 0",
    "TIMESTAMP": "TIMESTAMP '2026-03-02 09:00:00' + n * INTERVAL 1 SECOND",
    "UUID": "md5('{column} ' || n)::UUID",
}


def make_old_store(path: Path, steps: int) -> None:
    """Make a store that only the first steps were taken of, and leave some of it in its log."""
    database = Database(path)
    migrate(database, MIGRATIONS[:steps])
    for first in (0, ROWS // 2):
        with database.write() as cursor:
            for table, columns in _columns(cursor).items():
                values = ", ".join(
                    _VALUES[kind].format(column=name) for name, kind in columns.items()
                )
                cursor.execute(f"INSERT INTO {table} SELECT {values} FROM range({ROWS // 2}) "
                               f"AS r(m), LATERAL (SELECT m + {first} AS n)")  # fmt: skip
        if not first:
            database.cursor().execute("CHECKPOINT")
    log = path.with_name(path.name + ".wal")
    kept = {file: file.read_bytes() for file in (path, log) if file.exists()}
    database.close()
    for file, content in kept.items():
        file.write_bytes(content)


def rows_of(cursor: Cursor, columns: dict[str, dict[str, str]]) -> dict[str, tuple[Any, ...]]:
    """Return count and hash of the rows of tables, of some of their columns only."""
    return {
        table: cursor.execute(
            f"SELECT count(*), sum(hash({', '.join(map(_quoted, names))})) FROM {table}"
        ).fetchone()
        or ()
        for table, names in columns.items()
    }


def schema_of(cursor: Cursor) -> Schema:
    """Return everything that a step could have made or changed."""
    return cursor.execute(
        "SELECT table_name, sql FROM duckdb_tables() UNION ALL "
        "SELECT view_name, sql FROM duckdb_views() WHERE NOT internal UNION ALL "
        "SELECT index_name, sql FROM duckdb_indexes() UNION ALL "
        "SELECT sequence_name, sql FROM duckdb_sequences() ORDER BY ALL"
    ).fetchall()


def list_schemas(folder: Path) -> list[Schema]:
    """Return the schema after each number of steps; stores are made in an empty folder."""
    found = []
    for steps in range(len(MIGRATIONS) + 1):
        with closing(Database(folder / f"{steps}.duckdb")) as database:
            migrate(database, MIGRATIONS[:steps])
            found.append(schema_of(database.cursor()))
    return found


def find_state(cursor: Cursor, schemas: list[Schema]) -> int | None:
    """Return how many steps a store has taken whole; None where it is between two."""
    ((steps,),) = cursor.execute("SELECT count(*) FROM migrations").fetchall()
    return int(steps) if schema_of(cursor) == schemas[steps] else None


def columns_of(path: Path) -> dict[str, dict[str, str]]:
    """Return the columns of every table of a store, with their types."""
    with duckdb.connect(path, read_only=True) as database:
        return _columns(database)


def _columns(cursor: Cursor) -> dict[str, dict[str, str]]:
    rows = cursor.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() JOIN duckdb_tables() "
        "USING (table_name) WHERE table_name <> 'migrations' ORDER BY table_name, column_index"
    ).fetchall()
    tables: dict[str, dict[str, str]] = {}
    for table, column, kind in rows:
        tables.setdefault(table, {})[column] = kind
    return tables


def _quoted(name: str) -> str:
    return f'"{name}"'
