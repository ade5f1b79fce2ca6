"""The rows of a store in PostgreSQL copied to a new file, a table at a time."""

import json
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.place import Address
from core.store.backup.table_contents import TableChecksum
from core.store.file.database import Database, transaction
from core.store.file.disk import put_in_place, require_writable
from core.store.file.write_ahead_log import log_of
from core.store.move.contents import Tell, compare_contents, read_contents
from core.store.schema.migrations import MIGRATIONS, migrate
from core.store.shared.connections import SCHEMA, Connections, Link
from core.store.shared.log import read_head
from core.store.shared.mirror import Mirror, copy_all, copy_table
from core.store.shared.shared_schema import prepare
from core.store.shared.tables import read_tables

_PATIENCE, _PAUSE = 5.0, 0.05
"""Seconds in which a connection that its server has closed ends, and between two looks at it."""


def move_to_file(source: Address, target: Path, tell: Tell) -> dict[str, int]:
    """Copy a database that no server uses to a new file; see ``move_store``."""
    for file in (target, log_of(target)):
        if file.exists():
            raise BadInput(f"{file} exists; a store is moved into a new file only")
    require_writable(target.absolute().parent)
    draft = target.with_name(f"{target.name}.moving")
    with closing(Connections(source)) as connections, connections.use() as link:
        prepare(link, source, MIGRATIONS, read_only=False)
        link.commit()
        _refuse_in_use(link, source)
        row = link.execute(f"SELECT secret FROM {SCHEMA}.head").fetchone()
        secret = str(row[0]) if row else ""
        key = target.with_name(f"{target.name}.key")
        if key.exists() and key.read_text(encoding="ascii", errors="replace") not in ("", secret):
            raise BadInput(f"{key} exists, the key of another store; move it away, or it is lost")
        link.commit()
        contents = _copy(link, draft, tell)
        with closing(Mirror("moved")) as mirror:
            mirror.fill(link)
            tables = mirror.tables
            compare_contents(read_contents(mirror.database.cursor(), tables), contents)
    key.touch(mode=0o600)
    key.write_text(secret, encoding="ascii")
    put_in_place(draft, target, is_new=True)
    _progress_of(draft).unlink(missing_ok=True)
    return {name: one.rows for name, one in contents.items()}


def write_copy(source: Address, target: Path) -> None:
    """Copy a database, as it is at one moment, to a new file; servers may be using it."""
    with closing(Database(target)) as database:
        migrate(database)
        tables = read_tables(database.cursor())
        with closing(Connections(source)) as connections, connections.use() as link:
            copy_all(link, database.cursor(), tables.values())


def _refuse_in_use(link: Link, source: Address) -> None:
    """Refuse while servers use the database; those that have just stopped are waited for.

    PostgreSQL lists a connection until the process that served it has ended, a moment after it
    was closed.
    """
    until = time.monotonic() + _PATIENCE
    while _count_others(link):
        if time.monotonic() > until:
            raise BadInput(
                f"somebody is using {source}: stop the servers first, or what they save is left out"
            )
        time.sleep(_PAUSE)


def _count_others(link: Link) -> int:
    """Return how many connections to the database are those of other servers."""
    row = link.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND application_name LIKE 'dissent %' "
        "AND application_name <> current_setting('application_name')"
    ).fetchone()
    link.commit()  # what is listed stays the same throughout a transaction
    return int(row[0]) if row else 0


def _copy(link: Link, draft: Path, tell: Tell) -> dict[str, TableChecksum]:
    """Copy the tables that are not in the draft yet, and return its contents."""
    position, store_id = read_head(link)
    link.commit()
    state = {"position": position, "store": store_id}
    known = _read_progress(draft)
    if {name: known.get(name) for name in state} != state:
        for file in (draft, log_of(draft)):
            file.unlink(missing_ok=True)
        known = {**state, "tables": []}
    with closing(Database(draft)) as database:
        migrate(database)
        tables = read_tables(database.cursor())
        for table in tables.values():
            if table.name in known["tables"]:
                continue
            with transaction(database.cursor()) as cursor:
                cursor.execute(f"DELETE FROM {table.name}")
                copy_table(link, cursor, table)
                rows = cursor.execute(f"SELECT count(*) FROM {table.name}").fetchone()
            link.commit()
            known["tables"].append(table.name)
            _progress_of(draft).write_text(json.dumps(known), encoding="utf-8")
            count = int(rows[0]) if rows else 0
            tell(table.name, count, count)
        return read_contents(database.cursor(), tables)


def _progress_of(draft: Path) -> Path:
    return draft.with_name(f"{draft.name}.json")


def _read_progress(draft: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        known: dict[str, Any] = json.loads(_progress_of(draft).read_text(encoding="utf-8"))
        return known
    return {}
