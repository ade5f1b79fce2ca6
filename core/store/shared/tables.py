"""What is known of a store's tables: their columns, and by what rows are told apart."""

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from core.store.file.database import Cursor

KEYS = {
    "slots": ("round_id", "topic_id", "batch", "slot"),
    "webhook_deliveries": ("delivery_id",),
    "click_apart": ("collection_id", "name", "fault"),
    "click_queries": ("collection_id", "name", "query"),
    "click_items": ("collection_id", "name", "item"),
    "click_blocks": ("collection_id", "name", "block"),
}
"""Keys that the schema does not declare; nothing in these tables occurs twice."""

PLACE = "row_place"
"""The column in PostgreSQL by which rows are in the order in which they came."""

BULKY = {
    "documents", "results", "run_lines", "qrels", "pool", "round_candidates",
    "click_items", "click_blocks",
}  # fmt: skip
"""Large tables in which nobody is named."""

OWN = {"migrations"}
"""Tables that each engine keeps for itself."""


@dataclass(frozen=True, eq=False)
class TableSchema:
    """A table: its columns by name and Arrow type, and its key; rows without one are equal."""

    name: str
    schema: pa.Schema
    key: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return tuple(self.schema.names)


def read_tables(cursor: Cursor) -> Mapping[str, TableSchema]:
    """Return the tables of a store, by name."""
    names = cursor.execute(
        "SELECT table_name FROM duckdb_tables() WHERE NOT internal AND NOT temporary ORDER BY 1"
    ).fetchall()
    keys = dict(
        cursor.execute(
            "SELECT table_name, constraint_column_names FROM duckdb_constraints() "
            "WHERE constraint_type = 'PRIMARY KEY'"
        ).fetchall()
    )
    return {
        name: TableSchema(
            name, _read_schema(cursor, name), KEYS.get(name, tuple(keys.get(name, ())))
        )
        for (name,) in names
        if name not in OWN
    }


def _read_schema(cursor: Cursor, table: str) -> pa.Schema:
    schema: pa.Schema = cursor.sql(f"FROM {table} LIMIT 0").to_arrow_table().schema
    return schema


def quote(*names: str) -> str:
    """Return names as SQL reads them, with commas between."""
    return ", ".join(f'"{name}"' for name in names)
