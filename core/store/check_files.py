"""Proofs about a store's files: its log, its blocks, its schema and its signing key."""

import os
import stat
from pathlib import Path

import duckdb

from core.store.database import UNREADABLE, Database
from core.store.integrity import Fault, Finding, make_fault
from core.store.migrations import MIGRATIONS
from core.store.store import Store
from core.store.write_ahead_log import examine_log, log_of

SHORTEST_KEY = 40
_FEWEST_SIGNS = 12
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def check_log(path: Path) -> Finding:
    """Prove that what was acknowledged and not yet moved into the store's file can be replayed."""
    state = examine_log(log_of(path))
    faults: tuple[Fault, ...] = ()
    if state.damaged_at is not None:
        faults = make_fault(
            "the log is damaged, and opening the store for work would drop everything behind "
            "that place: copy the store and its log before anything else",
            [f"{log_of(path).name}, byte {state.damaged_at:,} of {state.size:,}"],
        )
    torn = "the last entry of the log is incomplete, as a machine leaves it that fails in writing"
    notes = (f"{torn} (byte {state.torn_at:,})",) if state.torn_at is not None else ()
    claim = "Every entry of the store's log fits its checksum, so that it can be replayed."
    return Finding("log", claim, state.entries, "log entries", faults, notes)


def check_migrations(path: Path) -> Finding:
    """Prove that every step of the schema was taken, in order."""
    database = Database(path, read_only=True)
    try:
        rows = (
            database.cursor().execute("SELECT number, name FROM migrations ORDER BY 1").fetchall()
        )
    except duckdb.CatalogException:
        rows = []
    finally:
        database.close()
    known = [(number, step.name) for number, step in enumerate(MIGRATIONS, start=1)]
    places = [f"step {number}, {name}" for number, name in known if (number, name) not in rows]
    strange = [f"step {number}, {name}" for number, name in rows if (number, name) not in known]
    faults = make_fault("a step is missing: start this version of Dissent on the store", places)
    faults += make_fault("a step that this version of Dissent does not know", strange)
    claim = "The schema is complete: every step of this version has been taken."
    return Finding("schema", claim, len(rows), "steps", faults)


def check_key(path: Path) -> Finding:
    """Prove that the signing key is one of the store's own, for its owner's eyes only."""
    file, claim = path.with_name(path.name + ".key"), "The signing key is secret and hard to guess."
    if not file.exists():
        return Finding("key", claim, 0, "keys", notes=("no key yet: the first start makes one",))
    key = file.read_text(encoding="utf-8", errors="replace").strip()
    faults: tuple[Fault, ...] = ()
    if len(key) < SHORTEST_KEY or len(set(key)) < _FEWEST_SIGNS:
        faults += make_fault(
            "the key is too short or too simple: remove the file, and the next start makes one",
            [file.name],
        )
    mode = stat.S_IMODE(file.stat().st_mode)
    if os.name == "posix" and mode & _OTHERS:
        faults += make_fault(
            "others can read or write the key: chmod 600", [f"{file.name}, mode {mode:04o}"]
        )
    return Finding("key", claim, 1, "keys", faults)


def check_blocks(store: Store) -> Finding:
    """Prove that every block can be read; the database compares each with its checksum."""
    cursor, places, checked = store.cursor(), [], 0
    tables = cursor.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()
    for (table,) in tables:
        try:
            row = cursor.execute(f"SELECT count(*), bit_xor(hash(t)) FROM {table} AS t").fetchone()
            checked += int(row[0]) if row else 0
        except UNREADABLE as error:
            places.append(f"table {table}: {str(error).partition(chr(10))[0]}")
    faults = make_fault("a table cannot be read to its end: restore a backup", places)
    claim = "Every table can be read to its end, and its blocks fit their checksums."
    return Finding("blocks", claim, checked, "rows", faults)
