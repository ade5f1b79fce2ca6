"""Proofs about a store's files: logs, blocks, schema, signing key, and what was acknowledged."""

import os
import stat
from contextlib import closing
from pathlib import Path

from core.store.check.integrity import CheckResult, Fault, Progress, make_fault, tell_nobody
from core.store.file.acknowledged import Acknowledged, record_of
from core.store.file.database import UNREADABLE, Cursor, Database, first_line
from core.store.file.file_blocks import examine_blocks
from core.store.file.memory import lacks_memory
from core.store.file.write_ahead_log import examine_log, logs_of
from core.store.schema.catalogue import find_foreign, read_catalogue, read_steps
from core.store.schema.migrations import MIGRATIONS
from core.store.store import Store

SHORTEST_KEY = 40
_FEWEST_SIGNS = 12
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_TORN = "the end of the log is incomplete, as a machine leaves it that fails in writing"
_LINKED = "the file has another name, a hard link: a log beside that one would not be seen here"
_UNCOMPARED = "there is no {}, or it is another store's: what was acknowledged is not known"


def check_log(path: Path) -> CheckResult:
    """Prove that what was acknowledged and not yet moved into the store's file can be replayed."""
    states = {log.name: examine_log(log) for log in logs_of(path)}
    damaged = [
        f"{name}, byte {state.damaged_at:,} of {state.size:,}"
        for name, state in states.items()
        if state.damaged_at is not None
    ]
    torn = {name: state.torn_at for name, state in states.items() if state.torn_at is not None}
    notes = [f"{_TORN} ({name}, byte {place:,})" for name, place in torn.items()]
    if path.stat().st_nlink > 1:
        notes.append(_LINKED)
    unknown = [name for name, state in states.items() if not state.is_known]
    return CheckResult(
        "log",
        "Every entry of the store's log fits its checksum, so that it can be replayed.",
        sum(state.entries for state in states.values()),
        "log entries",
        make_fault(
            "the log is damaged, and opening the store for work would drop everything behind "
            "that place: copy the store and its log before anything else",
            damaged,
        ),
        tuple(notes),
        f"{', '.join(unknown)} is of a kind that is not known here" if unknown else "",
    )


def check_blocks(path: Path, tell: Progress = tell_nobody) -> CheckResult:
    """Prove that every block that is in use is what the database wrote: of indexes, too."""
    state = examine_blocks(path, lambda share: tell(share, "blocks"))
    note = f"{state.damaged_free:,} blocks that nothing uses do not fit their checksums: no harm"
    return CheckResult(
        "blocks",
        "Every block of the file that is in use, of tables and of indexes, fits its checksum.",
        state.used,
        "blocks",
        make_fault("a block is damaged: restore a backup", state.damaged),
        (note,) if state.damaged_free else (),
        state.unknown,
    )


def check_schema(path: Path) -> CheckResult:
    """Prove that every step of the schema was taken, in order, and nothing else done."""
    with closing(Database(path, read_only=True)) as database:
        cursor = database.cursor()
        held = read_catalogue(cursor)
        steps = read_steps(cursor, held)
    known = [(number, step.name) for number, step in enumerate(MIGRATIONS, start=1)]
    missing = [] if steps is None else [one for one in known if one not in steps]
    strange = [one for one in steps or () if one not in known]
    faults = make_fault(
        "a step is missing: start this version of Dissent on the store", _name_steps(missing)
    )
    faults += make_fault("a step that this version of Dissent does not know", _name_steps(strange))
    if not faults:
        foreign = find_foreign(held, steps)
        faults = make_fault("the file defines what Dissent does not: restore a backup", foreign)
    claim = "The schema is that of this version of Dissent, and nothing else is defined."
    return CheckResult("schema", claim, len(steps or ()), "steps", faults)


def _name_steps(steps: list[tuple[int, str]]) -> list[str]:
    return [f"step {number}, {name}" for number, name in steps]


def check_key(path: Path) -> CheckResult:
    """Prove that the signing key is one of the store's own, for its owner's eyes only."""
    file, claim = path.with_name(path.name + ".key"), "The signing key is secret and hard to guess."
    if not file.exists():
        return CheckResult(
            "key", claim, 0, "keys", notes=("no key yet: the first start makes one",)
        )
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
    return CheckResult("key", claim, 1, "keys", faults)


def check_tables(store: Store | Database, tell: Progress = tell_nobody) -> CheckResult:
    """Prove that every table can be read; the database compares what it reads with checksums."""
    cursor, places, checked = store.cursor(), [], 0
    tables = list_tables(cursor)
    for number, table in enumerate(tables, start=1):
        try:
            checked += read_content(cursor, table)[0]
        except UNREADABLE as error:
            if lacks_memory(error):
                raise
            places.append(f"table {table}: {first_line(error)}")
        tell(number / len(tables), "tables")
    faults = make_fault("a table cannot be read to its end: restore a backup", places)
    claim = "Every table can be read to its end."
    return CheckResult("tables", claim, checked, "rows", faults)


def list_tables(cursor: Cursor) -> list[str]:
    """Return the names of all tables."""
    rows = cursor.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()
    return [str(name) for (name,) in rows]


def read_content(cursor: Cursor, table: str) -> tuple[int, int]:
    """Read a table to its end and return its number of rows and a hash of them in any order."""
    row = cursor.execute(f"SELECT count(*), bit_xor(hash(t)) FROM {table} AS t").fetchone()
    return (int(row[0]), int(row[1] or 0)) if row else (0, 0)


def check_acknowledged(store: Store) -> CheckResult:
    """Prove that nothing that was acknowledged is missing, as from a log that was cut off."""
    compared = Acknowledged(store.path, store.cursor()).compare()
    note = _UNCOMPARED.format(record_of(store.path).name)
    return CheckResult(
        "acknowledged",
        "Every label event and every change that was acknowledged is there.",
        sum(compared.acknowledged) if compared else 0,
        "events and changes",
        make_fault(
            "what was acknowledged is missing: look for the rest of the log, or restore a backup; "
            f"if an older copy was put back on purpose, remove {record_of(store.path).name}",
            compared.missing if compared else (),
        ),
        () if compared else (note,),
    )
