"""Proofs about a store in PostgreSQL: its tables and the log that servers follow."""

from contextlib import closing

from core.place import Address
from core.store.check.integrity import CheckResult, make_fault
from core.store.shared.connections import SCHEMA, Connections
from core.store.shared.tables import read_tables
from core.store.store import Store


def check_columns(store: Store, address: Address) -> CheckResult:
    """Prove that PostgreSQL has the tables and columns that a store has, and their keys."""
    tables = read_tables(store.cursor())
    with closing(Connections(address)) as connections, connections.use() as link:
        rows = link.execute(
            "SELECT table_name::text, column_name::text FROM information_schema.columns "
            "WHERE table_schema = %s",
            [SCHEMA],
        ).fetchall()
        unique = link.execute(
            "SELECT relname::text, array_agg(attname::text) FROM pg_index "
            "JOIN pg_class ON pg_class.oid = indrelid "
            "JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY(indkey) "
            "WHERE indisunique AND relnamespace::regnamespace::text = %s GROUP BY indexrelid, 1",
            [SCHEMA],
        ).fetchall()
    held = {(str(table), str(column)) for table, column in rows}
    keys = {(str(name), frozenset(key)) for name, key in unique}
    places = [
        f"{table.name}.{column}"
        for table in tables.values()
        for column in table.columns
        if (table.name, column) not in held
    ]
    unkeyed = [
        f"{table.name}"
        for table in tables.values()
        if table.key and (table.name, frozenset(table.key)) not in keys
    ]
    return CheckResult(
        "schema",
        "PostgreSQL has every table and column of a store, and an index for every key.",
        sum(len(table.columns) for table in tables.values()),
        "columns",
        make_fault("a column is missing", places)
        + make_fault("a key has no unique index", unkeyed),
    )


def check_log_entries(address: Address) -> CheckResult:
    """Prove that the log has no gap, and ends where its head says."""
    with closing(Connections(address)) as connections, connections.use() as link:
        ((head,),) = link.execute(f"SELECT position FROM {SCHEMA}.head").fetchall()
        found = link.execute(
            f"SELECT DISTINCT position FROM {SCHEMA}.log ORDER BY position"
        ).fetchall()
    positions = [int(position) for (position,) in found]
    first = positions[0] if positions else int(head) + 1
    places = [str(place) for place in sorted({*range(first, int(head) + 1)} ^ {*positions})]
    return CheckResult(
        "log",
        "The log that servers follow has no gap and ends at its head.",
        len(positions),
        "transactions",
        make_fault("a position is missing from the log, or beyond its head", places),
    )
