"""Opening, upgrading and sharing the file."""

import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from core.errors import StoreInUse, StoreUnusable
from core.store.file.database import Database
from core.store.schema.migrations import MIGRATIONS, Migration, migrate
from core.store.store import Store
from tests.short import few

pytestmark = pytest.mark.contract


@pytest.mark.file_only
def test_a_second_process_is_told_in_one_sentence(tmp_path: Path):
    path = tmp_path / "s.duckdb"
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            f"from pathlib import Path; from core.store.store import Store; "
            f"s = Store(Path({str(path)!r})); print('open', flush=True); input()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout.readline() == "open\n"
    with pytest.raises(StoreInUse) as caught:
        Store(path)
    holder.communicate("\n")
    message = str(caught.value)
    assert "\n" not in message
    assert str(path) in message
    assert f"process {holder.pid}" in message


@pytest.mark.file_only
@pytest.mark.parametrize("steps", few(range(len(MIGRATIONS)), 2))
def test_an_old_file_is_upgraded_and_keeps_its_rows(tmp_path: Path, steps: int):
    path = tmp_path / "old.duckdb"
    database = Database(path)
    assert migrate(database, MIGRATIONS[:steps]) == steps
    if steps:
        database.cursor().execute("INSERT INTO settings VALUES ('kept', 'yes')")
    database.close()
    store = Store(path)
    assert migrate(store.database) == 0
    kept = store.cursor().execute("SELECT value FROM settings").fetchall()
    assert kept == ([("yes",)] if steps else [])
    store.close()


@pytest.mark.file_only
def test_a_failing_step_leaves_the_file_as_it_was(tmp_path: Path):
    """Also where it is one of those that a new file takes in one transaction."""
    broken = Migration("broken", "CREATE TABLE half (a INTEGER); CREATE TABLE half (a INTEGER)")
    with closing(Database(tmp_path / "s.duckdb")) as database:
        for done in (0, len(MIGRATIONS)):
            migrate(database, MIGRATIONS[:done])
            with pytest.raises(Exception, match="half"):
                migrate(database, (*MIGRATIONS, broken))
            names = database.cursor().execute("SELECT table_name FROM duckdb_tables()").fetchall()
            assert ("half",) not in names
            assert (("labels",) in names) == (done > 0)
        assert migrate(database) == 0


@pytest.mark.file_only
def test_a_newer_file_is_refused(tmp_path: Path):
    path = tmp_path / "s.duckdb"
    database = Database(path)
    migrate(database, (*MIGRATIONS, Migration("future", "CREATE TABLE future (a INTEGER)")))
    database.close()
    with pytest.raises(StoreUnusable, match="newer version"):
        Store(path)


@pytest.mark.file_only
def test_a_file_of_another_kind_is_refused(tmp_path: Path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear Sir or Madam, " * 1000)
    with pytest.raises(StoreUnusable, match="not a valid DuckDB"):
        Store(path)
    with pytest.raises(StoreUnusable, match="cannot be opened"):
        Store(tmp_path / "nowhere" / "s.duckdb")


@pytest.mark.file_only
def test_the_key_is_made_once_and_only_its_owner_can_read_it(store: Store):
    file = store.path.with_name(store.path.name + ".key")
    assert store.secret == file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    del store._backing.__dict__["secret"]
    assert store.secret == file.read_text()


def test_changes_are_recorded_and_move_the_state(store: Store):
    before = store.state("c")
    with store.change("c", "import", "topics", "3 rows", "anna"):
        pass
    assert store.state("c") != before
    row = store.cursor().execute("SELECT person_id, what, subject, detail FROM changes").fetchone()
    assert row == ("anna", "import", "topics", "3 rows")


def test_a_failed_change_is_neither_kept_nor_recorded(store: Store):
    def fail() -> None:
        with store.change("c", "set", "x") as cursor:
            cursor.execute("INSERT INTO settings VALUES ('x', '1')")
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        fail()
    assert store.cursor().execute("SELECT count(*) FROM settings").fetchone() == (0,)
    assert store.cursor().execute("SELECT count(*) FROM changes").fetchone() == (0,)


def test_what_is_kept_of_a_collection_is_read_anew_after_a_change_in_it_only(store: Store):
    asked: list[tuple[str, ...]] = []

    def read(given: Store, collection_id: str, who: str) -> int:
        assert given is store
        asked.append((collection_id, who))
        return len(asked)

    assert [store.keep(read, "c", who) for who in ("anna", "bob", "anna", "bob")] == [1, 2, 1, 2]
    with store.change("other", "edit", "something"):
        pass
    assert store.keep(read, "c", "anna") == 1
    with store.change("c", "edit", "something"):
        pass
    assert store.keep(read, "c", "anna") == 3
    assert asked == [("c", "anna"), ("c", "bob"), ("c", "anna")]
