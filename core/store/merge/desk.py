"""Where two stores are merged: a new file, and beside its tables the rows of both as they came."""

from collections.abc import Mapping, Sequence
from typing import Any

from core.store.backup.table_contents import PIECE, Held
from core.store.file.database import Cursor
from core.store.merge.matching import NEW, Match
from core.store.merge.merged_tables import OF_NEITHER
from core.store.people.hidden_names import HiddenNames

FIRST, SECOND = "of_first", "of_second"

_WHO = (
    "assessor_id", "person_id", "written_by", "marked_by", "set_by", "started_by",
    "withdrawn_by", "added_by", "machine_id",
)  # fmt: skip
_HOLDERS = ("person", "assessor", "viewer")
_AT_ONCE = 50_000
"""Rows that are copied at once, unless their texts are long."""


def list_tables(cursor: Cursor) -> list[str]:
    """Return the tables of a store whose rows a merge has to decide about."""
    rows = cursor.execute(
        "SELECT table_name FROM duckdb_tables() WHERE NOT temporary AND table_name <> 'migrations' "
        "ORDER BY table_name"
    ).fetchall()
    return [str(name) for (name,) in rows if name not in OF_NEITHER]


def list_columns(cursor: Cursor, table: str) -> list[str]:
    """Return the columns of a table, in their order, quoted."""
    rows = cursor.execute(
        "SELECT column_name FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index",
        [table],
    ).fetchall()
    return [f'"{name}"' for (name,) in rows]


def lay_out(desk: Cursor, store: Cursor, prefix: str) -> None:
    """Copy the rows of a store beside the empty tables, in their order."""
    asked = store.cursor()
    for table in list_tables(desk):
        desk.execute(f"CREATE TEMP TABLE {prefix}_{table} AS FROM {table} LIMIT 0")
        held = Held.in_table(table)
        for piece in held.pieces(asked, held.measure(asked), PIECE):
            rows: Any = store.sql(f"FROM {piece}")
            desk.register("incoming", rows.to_arrow_reader(_AT_ONCE))
            desk.execute(f"INSERT INTO {prefix}_{table} BY NAME FROM incoming")
            desk.unregister("incoming")


def rename(desk: Cursor, collections: Sequence[Match], people: Sequence[Match]) -> None:
    """Call everything of the second store as the merged one does."""
    changed = {one.second: one.first for one in collections if one.second != one.first}
    who = {one.second: one.first for one in people if one.second != one.first}
    for table in list_tables(desk):
        for column in list_columns(desk, table):
            plain = column.strip('"')
            known = changed if plain == "collection_id" else who if plain in _WHO else {}
            _replace(desk, f"{SECOND}_{table}", column, known)
    told = {f"{holder} {one}": f"{holder} {now}" for one, now in who.items() for holder in _HOLDERS}
    _replace(desk, f"{SECOND}_changes", "subject", told)
    replaced = {f"replaced by {one}": f"replaced by {now}" for one, now in who.items()}
    _replace(desk, f"{SECOND}_changes", "detail", replaced)
    _rename_in_rules(desk, who)


def _replace(desk: Cursor, table: str, column: str, known: Mapping[str, str]) -> None:
    if known:
        desk.execute(
            f"UPDATE {table} SET {column} = called.now FROM "
            "(SELECT unnest($1) AS before, unnest($2) AS now) AS called "
            f"WHERE {column} = called.before",
            [list(known), list(known.values())],
        )


def _rename_in_rules(desk: Cursor, who: Mapping[str, str]) -> None:
    if not who:
        return
    names = HiddenNames(who)
    rows = desk.execute(f"SELECT DISTINCT rule FROM {SECOND}_qrels_rules").fetchall()
    told = {rule: names.in_rule(rule, lambda text: text) for (rule,) in rows}
    _replace(
        desk, f"{SECOND}_qrels_rules", "rule", {one: now for one, now in told.items() if one != now}
    )


def list_shared(collections: Sequence[Match]) -> list[str]:
    """Return the ids of those collections that both stores have."""
    return [one.first for one in collections if one.how != NEW]
