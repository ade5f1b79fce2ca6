"""Rows that are added: few of them value by value, many of them column by column."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import duckdb

from core.store.file.database import Rows, write_columns, write_insert
from core.store.file.statement import read_statement
from tests.each import each

COLUMNS = ("id", "name", "level", "score", "made_at", "never", "words", "is_it")
TABLE = (
    "CREATE TABLE kept (id UUID, name VARCHAR, level SMALLINT, score DOUBLE, "
    "made_at TIMESTAMP, never INTEGER, words VARCHAR[], is_it BOOLEAN)"
)


def row(number: int) -> tuple[object, ...]:
    return (
        f"00000000-0000-4000-8000-{number:012d}",
        ["", 'O\'Hara, "שלום"\n', "x" * 300, "1"][number % 4],
        number - 3 if number % 3 else None,
        [0.1, float("inf"), 2.0, None][number % 4],
        datetime(2026, 1, 1, 12, number % 60, 1, 250_000, tzinfo=UTC).replace(tzinfo=None),
        None,
        [[], ["a", "b, c"], None][number % 3],
        number % 2 == 0,
    )


@each("write", [write_insert, write_columns])
@each("count", [1, 700])
def test_rows_are_added_as_they_are_and_in_their_order(
    count: int, write: Callable[[Rows], tuple[str, list[Any]]]
):
    rows = [row(number) for number in range(count)]
    with duckdb.connect() as database:
        database.execute(TABLE)
        sql, values = write(Rows("kept", COLUMNS, rows))
        statement = read_statement(sql)
        assert statement is not None
        assert statement.table == "kept"
        database.execute(sql, values)
        chosen = database.execute("SELECT id::VARCHAR, * EXCLUDE (id) FROM kept")
        assert chosen.fetchall() == rows
