"""A file's rows copied to PostgreSQL, some at a time, each noted where they go."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from core.errors import BadInput
from core.place import Address
from core.store.backup.table_contents import PIECE, Held
from core.store.file.database import Cursor, first_line
from core.store.file.memory import expect_memory, limit_memory
from core.store.move.contents import Tell, compare_contents, identify, read_contents
from core.store.schema.migrations import MIGRATIONS
from core.store.shared.connections import SCHEMA, Connections, DataError, Link
from core.store.shared.mirror import Mirror
from core.store.shared.postgres import copy_rows
from core.store.shared.shared_schema import MOVING, bring_up_to_date, count_steps, is_moving
from core.store.shared.tables import TableSchema, read_tables
from core.store.store import Store

_AT_ONCE = 50_000
"""Rows that are copied in one transaction, unless their texts are long."""


def move_to_database(source: Path, target: Address, tell: Tell) -> dict[str, int]:
    """Copy a file to an empty database; see ``move_store``."""
    limit = limit_memory(source)
    with (
        expect_memory(source),
        closing(Store(source, memory=limit)) as store,
        closing(Connections(target)) as connections,
    ):
        cursor = store.cursor()
        tables = read_tables(cursor)
        contents = read_contents(cursor, tables)
        with connections.use() as link:
            begun = _begin(link, target, identify(contents), store.secret)
        for table in tables.values():
            _copy(connections, cursor, table, begun.get(table.name, 0), contents, tell)
        with closing(Mirror("moved")) as mirror, connections.use() as link:
            mirror.fill(link)
            compare_contents(contents, read_contents(mirror.database.cursor(), tables))
            link.execute(f"DROP TABLE {MOVING}")
    return {name: one.rows for name, one in contents.items()}


def _begin(link: Link, target: Address, source: str, secret: str) -> dict[str, int]:
    """Return how many rows of each table are there; make the tables where there are none."""
    with link.transaction():
        if is_moving(link):
            rows = link.execute(f"SELECT table_name, place, source FROM {MOVING}").fetchall()
            if any(one[2] != source for one in rows):
                raise BadInput(
                    f"another store was being moved to {target}, or this one has changed since. "
                    "Empty that database (DROP SCHEMA dissent CASCADE), and begin again"
                )
            return {name: place for name, place, _ in rows}
        if count_steps(link):
            raise BadInput(f"there is a store at {target} already; move to an empty database")
        bring_up_to_date(link, MIGRATIONS, 0)
        link.execute(
            f"CREATE TABLE {MOVING} "
            "(table_name TEXT PRIMARY KEY, place BIGINT NOT NULL, source TEXT NOT NULL)"
        )
        link.execute(f"INSERT INTO {MOVING} VALUES ('', 0, %s)", [source])
        link.execute(f"UPDATE {SCHEMA}.head SET secret = %s", [secret])
    return {}


def _copy(
    connections: Connections,
    cursor: Cursor,
    table: TableSchema,
    place: int,
    contents: dict[str, Any],
    tell: Tell,
) -> None:
    total = contents[table.name].rows
    for end in Held.in_table(table.name).ends(cursor, place, _AT_ONCE, PIECE):
        rows: pa.Table = cursor.sql(
            f"FROM {table.name} WHERE rowid >= {place} AND rowid < {end} ORDER BY rowid"
        ).to_arrow_table()
        place = end
        with _blame(table), connections.use() as link:
            copy_rows(link, table, rows)
            link.execute(
                f"INSERT INTO {MOVING} SELECT %s, %s, source FROM {MOVING} WHERE table_name = '' "
                "ON CONFLICT (table_name) DO UPDATE SET place = excluded.place",
                [table.name, place],
            )
        tell(table.name, min(place, total), total)


@contextmanager
def _blame(table: TableSchema) -> Iterator[None]:
    """Name the table of a value that the database has no place for, such as a far-off time."""
    try:
        yield
    except DataError as error:
        raise BadInput(
            f"table {table.name} holds a value that PostgreSQL cannot hold, so nothing is to be "
            f"served from the target: {first_line(error)}"
        ) from error
