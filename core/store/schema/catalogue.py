"""What a store's file defines: the tables and the one view that the migrations make, and no more.

A file from elsewhere could define a view in place of a table, one that reads other files; a default
that is computed; a trigger; a function by the name of one that is used here. So nothing of a file
is used before its catalogue was compared with one that the same migrations made.
"""

from contextlib import closing
from functools import cache

import duckdb

from core.errors import StoreUnusable
from core.store.file.database import Cursor, Database
from core.store.schema.migrations import MIGRATIONS, define, refuse_newer

Catalogue = dict[tuple[str, str], str]
"""Definitions by kind and name."""

_STEPS = ("table", "migrations")
_PLAIN = {"schema", "table", "view", "type"}
_MOST_NAMED = 5

# A file may define functions and operators by the names of any, current_database or ||. So these
# are named in full, and nothing is computed. What says it is internal, the file says of itself.
_READ = {
    "schema": "schema_name, NULL, sql FROM system.main.duckdb_schemas()",
    "table": "table_name, schema_name, sql FROM system.main.duckdb_tables()",
    "view": "view_name, schema_name, sql FROM system.main.duckdb_views()",
    "index": "index_name, schema_name, sql FROM system.main.duckdb_indexes()",
    "sequence": "sequence_name, schema_name, sql FROM system.main.duckdb_sequences()",
    "type": "type_name, schema_name, logical_type FROM system.main.duckdb_types()",
    "trigger": "trigger_name, schema_name, sql FROM system.main.duckdb_triggers()",
    "function": (
        "function_name, schema_name, macro_definition FROM system.main.duckdb_functions()"
    ),
}


def refuse_foreign(database: Database) -> int:
    """Raise StoreUnusable for a file that defines anything else than a store of its age does.

    It is also raised for one that was written by a newer version of Dissent. Otherwise the number
    of steps that the file has behind it is returned.
    """
    cursor = database.cursor()
    held = read_catalogue(cursor)
    steps = read_steps(cursor, held)
    done = len(steps or ())
    refuse_newer(database.path, done)
    if found := find_foreign(held, steps):
        named = ", ".join(found[:_MOST_NAMED]) + (", …" if len(found) > _MOST_NAMED else "")
        raise StoreUnusable(
            f"The file {database.path} is not as Dissent makes a store ({named}), so nothing in it "
            "was used. If it is a store of yours, somebody has changed it: restore a backup."
        )
    return done


def read_steps(cursor: Cursor, held: Catalogue) -> list[tuple[int, str]] | None:
    """Return the steps that a file has behind it, by number and name.

    None where it had better not be asked: what holds them is no table of ours, or the file
    defines functions, by which any question may mean something else.
    """
    if _STEPS not in held:
        return []
    if held[_STEPS] != _make_catalogue(0)[_STEPS] or any(kind not in _PLAIN for kind, _ in held):
        return None
    return cursor.execute("SELECT number, name FROM migrations ORDER BY 1").fetchall()


def find_foreign(held: Catalogue, steps: list[tuple[int, str]] | None) -> list[str]:
    """Return what a file with these steps behind it defines otherwise than a store, in words."""
    if held == _make_catalogue(None):
        return []
    done = len(MIGRATIONS if steps is None or _STEPS not in held else steps)
    return _compare(held, _make_catalogue(done))


def read_catalogue(cursor: Cursor) -> Catalogue:
    """Return everything that a file defines."""
    sql = "SELECT database_name FROM system.main.duckdb_databases() WHERE internal = false"
    (name,), *_ = cursor.execute(sql).fetchall()
    held = {}
    for kind, what in _READ.items():
        rows = cursor.execute(f"SELECT {what} WHERE database_name = ?", [name]).fetchall()
        for entry, schema, definition in rows:
            place = entry if schema in (None, "main") else f"{schema}.{entry}"
            held[kind, place] = str(definition)
    return held


@cache
def _make_catalogue(steps: int | None) -> Catalogue:
    """Return what a store defines after so many steps; None for a file that is still empty."""
    with closing(duckdb.connect(config={"threads": "1"})) as memory:
        if steps is not None:
            define(memory, MIGRATIONS[:steps])
        return read_catalogue(memory)


def _compare(held: Catalogue, made: Catalogue) -> list[str]:
    foreign = sorted(held.keys() - made.keys())
    missing = sorted(made.keys() - held.keys())
    other = sorted(one for one in held.keys() & made.keys() if held[one] != made[one])
    return [
        f"{word} {kind} {name}"
        for word, entries in (("a foreign", foreign), ("no", missing), ("another", other))
        for kind, name in entries
    ]
