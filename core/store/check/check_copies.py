"""Proofs by use in a copy: what cannot be told by reading, and must not be tried on the store."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from core.errors import DissentError
from core.store.check.check_files import list_tables, read_content
from core.store.check.integrity import CheckResult, Progress, make_fault, tell_nobody
from core.store.file.database import UNREADABLE, Cursor, Database, first_line
from core.store.file.disk import lacks_room
from core.store.file.memory import lacks_memory, limit_memory
from core.store.file.scratch import scratch_folder
from core.store.file.write_ahead_log import logs_of

INDEXES = CheckResult(
    "indexes",
    "In a copy, every row can be removed and reinserted through its table's index, and the log can "
    "be merged into the file.",
    0,
    "rows",
)
"""What is claimed of indexes, before anything of it was looked at."""

NO_ROOM = "there is no room for a copy in the folder for temporary files"
NO_MEMORY = "it takes far more memory than a store of its size needs"

_INDEXED = """
    SELECT DISTINCT table_name FROM duckdb_constraints() WHERE constraint_type = 'PRIMARY KEY'
    ORDER BY table_name"""


@contextmanager
def copy_store(path: Path) -> Iterator[Path]:
    """Copy a store that no process holds, with its logs, and remove the copy in the end."""
    with scratch_folder() as folder:
        for file in (path, *logs_of(path)):
            shutil.copyfile(file, folder / file.name)
        yield folder / path.name


def check_indexes(copy: Path, tell: Progress = tell_nobody) -> CheckResult:
    """Prove that indexes can be used: the database reads them only when something is written.

    Every row of every table is taken out and put back, for which its key is looked up in the
    index, in a transaction that is taken back in the end. Then all is read again.
    """
    doing, checked, places = "opening it", 0, []
    try:
        with closing(Database(copy, memory=limit_memory(copy))) as database:
            cursor = database.cursor()
            before = {table: read_content(cursor, table) for table in list_tables(cursor)}
            tables = [str(name) for (name,) in cursor.execute(_INDEXED).fetchall()]
            for number, table in enumerate(tables, start=1):
                doing = f"table {table}"
                _put_back(cursor, table)
                checked += before[table][0]
                tell(number / len(tables), "indexes")
            doing = "merging its log into the file"
            cursor.execute("FORCE CHECKPOINT")
        doing = "reading it again"
        with closing(Database(copy, read_only=True, memory=limit_memory(copy))) as database:
            after = {table: read_content(database.cursor(), table) for table in before}
        places = [f"table {one}: other rows" for one in before if after[one] != before[one]]
    except (*UNREADABLE, DissentError) as error:
        if lacks_room(error):
            return replace(INDEXES, unknown=NO_ROOM)
        if lacks_memory(error):
            return replace(INDEXES, unknown=NO_MEMORY)
        places = [f"{doing}: {first_line(error)}"]
    faults = make_fault("an index cannot be used: restore a backup", places)
    return replace(INDEXES, checked=checked, faults=faults)


def _put_back(cursor: Cursor, table: str) -> None:
    cursor.execute(f"CREATE OR REPLACE TEMP TABLE kept AS FROM {table}")
    cursor.execute("BEGIN")
    cursor.execute(f"DELETE FROM {table}")
    cursor.execute(f"INSERT INTO {table} FROM kept")
    cursor.execute("ROLLBACK")
    cursor.execute("DROP TABLE kept")
