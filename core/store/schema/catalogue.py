"""What a store's file defines: the tables and the one view that the migrations make, and no more.

A file from elsewhere could define a view in place of a table, one that reads other files; a default
that is computed; a trigger; a function by the name of one that is used here. So nothing of a file
is used before its catalogue was compared with one that the same migrations made.
"""

import hashlib
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path

import duckdb

from core.errors import StoreUnusable
from core.store.file.database import Cursor, Database
from core.store.schema.migrations import MIGRATIONS, define, refuse_newer

Catalogue = dict[tuple[str, str], str]
"""Definitions by kind and name."""

_STEPS = ("table", "migrations")
_LIST_STEPS = "SELECT number, name FROM migrations ORDER BY 1"
_PLAIN = {"schema", "table", "view", "type"}
_MOST_NAMED = 5

# A file may define functions and operators by the names of any, current_database or ||. So these
# are named in full, and nothing is computed. What says it is internal, the file says of itself.
_OF_TABLES = {
    "table": "table_name, schema_name, sql FROM system.main.duckdb_tables()",
    "view": "view_name, schema_name, sql FROM system.main.duckdb_views()",
}
_READ = _OF_TABLES | {
    "schema": "schema_name, NULL, sql FROM system.main.duckdb_schemas()",
    "index": "index_name, schema_name, sql FROM system.main.duckdb_indexes()",
    "sequence": "sequence_name, schema_name, sql FROM system.main.duckdb_sequences()",
    "type": "type_name, schema_name, logical_type FROM system.main.duckdb_types()",
    "trigger": "trigger_name, schema_name, sql FROM system.main.duckdb_triggers()",
    "function": (
        "function_name, schema_name, macro_definition FROM system.main.duckdb_functions()"
    ),
}

COMPLETE = Path(__file__).with_name("complete.sha256")
"""The digest of the tables and views that all migrations make, as the database words them.

It follows from the migrations: ``python -m tests.docs`` writes it, and a test compares the two.
"""


def refuse_foreign(database: Database) -> int:
    """Raise StoreUnusable for a file that defines anything else than a store of its age does.

    It is also raised for one that was written by a newer version of Dissent. Otherwise the number
    of steps that the file has behind it is returned.
    """
    if database.entries == 0:
        return 0
    cursor = database.cursor()
    if database.entries is not None and _is_complete(cursor, database.entries):
        return len(MIGRATIONS)
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


def _is_complete(cursor: Cursor, entries: int) -> bool:
    """Tell whether a file with so many entries defines what all migrations make, and no more.

    Its schema and each of the tables and views is an entry: if that is all, there is no function,
    and nothing else, that would have to be looked for among those of the database.
    """
    held = _read(cursor, _OF_TABLES)
    if entries != 1 + len(held) or digest_of(held) != COMPLETE.read_text(encoding="utf-8").strip():
        return False
    return len(cursor.execute(_LIST_STEPS).fetchall()) == len(MIGRATIONS)


def digest_of(held: Catalogue) -> str:
    """Return a digest of the tables and views that are defined."""
    entries = sorted((*entry, sql) for entry, sql in held.items() if entry[0] in _OF_TABLES)
    return hashlib.sha256(repr(entries).encode()).hexdigest()


def digest_all() -> str:
    """Return the digest of the tables and views that all migrations make."""
    return digest_of(_make_catalogue(len(MIGRATIONS)))


def read_steps(cursor: Cursor, held: Catalogue) -> list[tuple[int, str]] | None:
    """Return the steps that a file has behind it, by number and name.

    None where it had better not be asked: what holds them is no table of ours, or the file
    defines functions, by which any question may mean something else.
    """
    if _STEPS not in held:
        return []
    if held[_STEPS] != _make_catalogue(0)[_STEPS] or any(kind not in _PLAIN for kind, _ in held):
        return None
    return cursor.execute(_LIST_STEPS).fetchall()


def find_foreign(held: Catalogue, steps: list[tuple[int, str]] | None) -> list[str]:
    """Return what a file with these steps behind it defines otherwise than a store, in words."""
    if held == _make_catalogue(None):
        return []
    done = len(MIGRATIONS if steps is None or _STEPS not in held else steps)
    return _compare(held, _make_catalogue(done))


def read_catalogue(cursor: Cursor) -> Catalogue:
    """Return everything that a file defines."""
    return _read(cursor, _READ)


def _read(cursor: Cursor, kinds: Mapping[str, str]) -> Catalogue:
    sql = "SELECT database_name FROM system.main.duckdb_databases() WHERE internal = false"
    (name,), *_ = cursor.execute(sql).fetchall()
    selects = [f"SELECT '{kind}', {what} WHERE database_name = $1" for kind, what in kinds.items()]
    rows = cursor.execute(" UNION ALL ".join(selects), [name]).fetchall()
    return {
        (kind, entry if schema in (None, "main") else f"{schema}.{entry}"): str(definition)
        for kind, entry, schema, definition in rows
    }


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
