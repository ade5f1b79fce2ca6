"""What statements wrote is what is sent: in their own words or by comparing, whatever they are."""

import random
from collections.abc import Iterator
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from core.store.file.statement import read_statement
from core.store.shared.log import Written, as_arrow, as_rows, pack, unpack
from core.store.shared.mirror import apply_to_mirror
from core.store.shared.recording import Recording
from core.store.shared.tables import TableSchema, read_tables
from tests.each import each
from tests.short import few, long

SCHEMA = """
    CREATE TABLE keyed (a INTEGER, b VARCHAR, c INTEGER, d DOUBLE, PRIMARY KEY (a, b));
    CREATE TABLE bag (a INTEGER, b VARCHAR);
    CREATE TABLE slots (round_id VARCHAR, topic_id VARCHAR, batch INTEGER, slot INTEGER,
        assessor_id VARCHAR);
"""
STATEMENTS: tuple[tuple[str, Any], ...] = (
    ("INSERT INTO keyed VALUES (?, ?, ?, ?)", [1, "x", 5, 0.5]),
    ("INSERT INTO keyed SELECT range + 2, 'y', range, NULL FROM range(4)", None),
    ("INSERT OR REPLACE INTO keyed VALUES (1, 'x', 6, NULL)", None),
    ("INSERT INTO keyed VALUES (1, 'x', 9, 1) ON CONFLICT DO NOTHING", None),
    ("INSERT INTO keyed VALUES (1, 'x', 9, 1) ON CONFLICT DO UPDATE SET c = excluded.c", None),
    ("INSERT INTO bag SELECT range % 2, 'same' FROM range(6)", None),
    ("INSERT INTO bag VALUES (1, NULL), (NULL, 'same'), (1, NULL)", None),
    ("INSERT INTO slots VALUES ('r', 't', 1, 1, NULL), ('r', 't', 1, 2, NULL)", None),
    ("UPDATE keyed SET c = ? WHERE a = ? AND b = ?", [7, 1, "x"]),
    ("UPDATE keyed SET c = $2 + $2, d = 0.1 WHERE a > $1", [2, 4]),
    ("UPDATE keyed SET c = $new WHERE a = $place", {"new": 3, "place": 3}),
    ("UPDATE keyed SET d = NULL", None),
    ("UPDATE keyed SET c = (SELECT count(*) FROM bag WHERE a = 1) WHERE b = 'y'", None),
    ("UPDATE keyed SET c = bag.a FROM bag WHERE bag.a = keyed.a AND bag.b = 'same'", None),
    (
        "WITH chosen AS (SELECT a FROM keyed WHERE b = 'y') "
        "UPDATE keyed SET c = -1 FROM chosen WHERE chosen.a = keyed.a AND keyed.a < ?",
        [5],
    ),
    ("UPDATE keyed SET c = CASE WHEN c > 2 THEN 2 ELSE c END WHERE d IS NULL", None),
    ("UPDATE keyed SET b = 'z' WHERE a = 2", None),
    ("UPDATE keyed SET a = a + 10", None),
    ("UPDATE bag SET b = 'other' WHERE a = 0", None),
    ("UPDATE slots SET assessor_id = ? WHERE slot = ?", ["anna", 2]),
    ("DELETE FROM keyed WHERE a = ?", [13]),
    ("DELETE FROM bag WHERE a = 1", None),
    ("DELETE FROM slots", None),
)


@pytest.fixture
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute(SCHEMA)
        yield opened


def contents(cursor: duckdb.DuckDBPyConnection, tables: Any) -> dict[str, list[Any]]:
    return {name: cursor.execute(f"FROM {name} ORDER BY ALL").fetchall() for name in tables}


def record(
    database: duckdb.DuckDBPyConnection, statements: Any
) -> tuple[list[Written], dict[str, list[Any]]]:
    """Run statements in one transaction; returns what they wrote, and the tables after it."""
    cursor, before = database.cursor(), database.cursor()
    for one in (cursor, before):
        one.execute("BEGIN")
        one.execute("FROM keyed LIMIT 0").fetchall()
    tables = read_tables(database.cursor())
    recording = Recording(cursor, before, tables)
    for sql, values in statements:
        recording.execute(sql, values)
    written = recording.end()
    cursor.execute("COMMIT")
    before.execute("ROLLBACK")
    return written, contents(database.cursor(), tables)


def follow(other: duckdb.DuckDBPyConnection, written: list[Written]) -> None:
    tables = read_tables(other)
    for one in written:
        told = Written(one.kind, one.table, unpack(pack(one.rows)))
        apply_to_mirror(other, tables[one.table], told)


@pytest.mark.parametrize("together", few([1, 4, len(STATEMENTS)]))
def test_a_copy_that_is_told_holds_the_same(database, together: int):
    with duckdb.connect() as other:
        other.execute(SCHEMA)
        for start in range(0, len(STATEMENTS), together):
            written, after = record(database, STATEMENTS[start : start + together])
            follow(other, written)
            assert contents(other, after) == after, STATEMENTS[start : start + together]


@long
def test_in_any_order(database):
    rng = random.Random(7)
    with duckdb.connect() as other:
        other.execute(SCHEMA)
        for _ in range(60):
            chosen = rng.sample(STATEMENTS, 3)
            kept = [one for one in chosen if "INTO keyed VALUES (?" not in one[0]]
            kept = [one for one in kept if "SELECT range + 2" not in one[0]]
            kept = [one for one in kept if "INTO slots" not in one[0]]
            written, after = record(database, kept)
            follow(other, written)
            assert contents(other, after) == after, kept


def test_changed_rows_stay_in_their_places(database):
    """What is read without an order is read in the order in which it came, on every server."""
    database.execute("INSERT INTO keyed SELECT range, 'x', 0, 0 FROM range(9)")
    record(database, [("UPDATE keyed SET c = 1 WHERE a IN (2, 4)", None)])
    rows = database.execute("SELECT a FROM keyed").fetchall()
    assert [a for (a,) in rows] == list(range(9))


def test_what_is_counted_is_told(database):
    cursor, before = database.cursor(), database.cursor()
    recording = Recording(cursor, before, read_tables(database.cursor()))
    assert recording.execute("INSERT INTO bag VALUES (1, ''), (2, '')").fetchall() == [(2,)]
    assert recording.execute("UPDATE slots SET slot = 1").fetchone() == (0,)
    assert recording.execute("DELETE FROM bag WHERE a = 1").fetchone() == (1,)
    assert recording.execute("SELECT count(*) FROM bag").fetchone() == (1,)
    with pytest.raises(ValueError, match="a result of its own"):
        recording.execute("DELETE FROM bag RETURNING a")


@each(
    ("sql", "kind", "table"),
    [
        ("SELECT 1 FROM labels WHERE comment = 'UPDATE me'", None, ""),
        ("CREATE TEMP TABLE x AS SELECT 1", None, ""),
        ("INSERT INTO changes WITH x AS (SELECT 1) SELECT * FROM x", "insert", "changes"),
        ("INSERT OR REPLACE INTO gold VALUES (1)", "put", "gold"),
        ("DELETE FROM levels WHERE a = 1", "remove", "levels"),
        ("WITH x AS (SELECT 1) UPDATE slots SET a = 1 FROM x WHERE x.y = 1", "update", "slots"),
    ],
)
def test_statements_are_read(sql: str, kind: str | None, table: str):
    found = read_statement(sql)
    assert (found.kind if found else None) == kind
    assert (found.table if found else "") == table


def test_rows_keep_their_types_on_the_way():
    schema = pa.schema([("a", pa.int64()), ("b", pa.string()), ("c", pa.bool_())])
    table = TableSchema("t", schema, ())
    rows = [(1, "x", True), (None, None, None), (2**60, "é\n'\"", False)]
    held = as_arrow(table.schema, as_rows("t", pa.Table.from_pylist(
        [dict(zip(schema.names, row, strict=True)) for row in rows], schema)))  # fmt: skip
    assert as_rows("t", unpack(pack(held))).rows == rows
