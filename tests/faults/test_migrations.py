"""Killed in the middle of an upgrade: a store is as it was before a step, or after it."""

import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from core.settings import ROOT
from core.store.schema.migrations import MIGRATIONS
from core.store.store import Store
from tests.faults.old_stores import (
    Schema,
    columns_of,
    find_state,
    list_schemas,
    make_old_store,
    rows_of,
    schema_of,
)
from tests.short import long

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills are POSIX")

# Takes one step in a child for each moment that is asked for; the child ends itself there as
# kill -9 does: before and after each statement, and before and after the step is made final.
KILL = """
import os, signal, sys
from contextlib import contextmanager
from pathlib import Path
import duckdb
import core.store.file.database as database
from core.store.schema.migrations import MIGRATIONS, migrate

def moment():
    global seen
    seen += 1
    if seen == limit:
        os.kill(os.getpid(), signal.SIGKILL)

class Watched:
    def __init__(self, cursor):
        self.cursor = cursor
    def execute(self, sql, values=()):
        for statement in duckdb.extract_statements(sql):
            moment()
            self.cursor.execute(statement, values)
            moment()
        return self.cursor

@contextmanager
def watch(cursor):
    final = [] if "one by one" in sys.argv else ["BEGIN", "COMMIT"]
    for word in final[:1]:
        cursor.execute(word)
    yield Watched(cursor)
    moment()
    for word in final[1:]:
        cursor.execute(word)
    moment()

database.transaction = watch
for line in sys.stdin:
    path, step, limit = Path(line.split()[0]), int(line.split()[1]), int(line.split()[2])
    seen = 0
    child = os.fork()
    if not child:
        store = database.Database(path)
        seen = 0
        migrate(store, MIGRATIONS[:step])
        os._exit(0)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status), flush=True)
"""


class Killer:
    """A process that takes steps of the schema in children which are killed."""

    def __init__(self, *words: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", KILL, *words],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def kill(self, path: Path, step: int, moment: int) -> None:
        """Take a step until a moment."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        print(path, step, moment, file=stdin, flush=True)
        assert int(stdout.readline()) == -signal.SIGKILL

    def end(self) -> None:
        self._process.communicate(timeout=30)


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> list[Schema]:
    return list_schemas(tmp_path_factory.mktemp("schemas"))


def state_of(path: Path, schemas: list[Schema]) -> int | None:
    with duckdb.connect(path) as database:
        return find_state(database, schemas)


def moments_of(step: int) -> int:
    """Return how many moments there are in a step; the last is after it was made final."""
    statements = duckdb.extract_statements(MIGRATIONS[step - 1].statements)
    return 2 * (len(statements) + 1) + 2


@long
@pytest.mark.timeout(1800)
def test_no_store_is_between_two_steps(
    tmp_path: Path,
    schemas: list[Schema],
    long_form: bool,
    record_property: Callable[[str, object], None],
):
    killer, found = Killer(), Counter[int]()
    steps = range(1, len(MIGRATIONS) + 1)[0 if long_form else -4 :]
    for step in steps:
        old = tmp_path / f"{step}" / "old.duckdb"
        old.parent.mkdir()
        make_old_store(old, step - 1)
        columns, last = columns_of(old), moments_of(step)
        with duckdb.connect(old, read_only=True) as database:
            before = rows_of(database, columns)
        in_short = last // 2 if step % 2 else last
        for moment in range(1, last + 1) if long_form else (in_short,):
            path = tmp_path / f"{step}-{moment}" / "old.duckdb"
            shutil.copytree(old.parent, path.parent)
            killer.kill(path, step, moment)
            assert state_of(path, schemas) == step - (moment < last), f"moment {moment}"
            found[moment < last] += 1
            with closing(Store(path)) as store:
                assert schema_of(store.cursor()) == schemas[-1]
                assert rows_of(store.cursor(), columns) == before
            shutil.rmtree(path.parent)
    killer.end()
    record_property("counts", f"{found.total()} kills in {len(steps)} steps: "
                    f"{found[True]} stores as before it, {found[False]} as after it")  # fmt: skip


@long
def test_statement_by_statement_it_would_be(tmp_path: Path, schemas: list[Schema]):
    """A step that were no transaction: only therefore does the test above prove anything."""
    killer = Killer("one by one")
    step = max(number for number in range(1, len(MIGRATIONS) + 1) if moments_of(number) > 8)
    old = tmp_path / "old.duckdb"
    make_old_store(old, step - 1)
    killer.kill(old, step, 4)
    assert state_of(old, schemas) is None
    killer.end()
