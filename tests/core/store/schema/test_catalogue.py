"""Nothing of a file is used that defines what a store does not, and no other file is reached."""

import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from core.command.check import check_store
from core.errors import StoreUnusable
from core.store.backup import backup
from core.store.backup.backup import restore_backup, write_backup
from core.store.content.collections import create_collection, list_collections
from core.store.events.labels import Key, LabelEvent
from core.store.file import database
from core.store.file import file_backing as stores
from core.store.file.database import Database
from core.store.schema import catalogue
from core.store.schema.catalogue import find_foreign, read_catalogue, read_steps
from core.store.schema.migrations import MIGRATIONS, migrate
from core.store.store import Store
from tests.short import few, long

SECRET = "what nobody is to read"


@dataclass(frozen=True)
class Hostile:
    """What a file defines, how it is named in the refusal, and what it would come to."""

    statements: str
    named: str
    succeeds: Callable[[Store, Path], bool]


def label(store: Store, number: int) -> None:
    key = Key("t", "d", "page", "", "anna", number)
    event_id = f"00000000-0000-0000-0000-{number:012}"
    store.labels.append("c", [LabelEvent(event_id, None, key, "level", 1)])


def count(store: Store, table: str) -> int:
    return store.cursor().execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def read_by_a_view(store: Store, _: Path) -> bool:
    return any(SECRET in one.name for one in list_collections(store))


def write_by_a_trigger(store: Store, _: Path) -> bool:
    label(store, 1)
    return count(store, "viewers") > 0


def lie_by_a_macro(store: Store, _: Path) -> bool:
    return store.state("c") == (77, 0)


def fill_in_a_default(store: Store, _: Path) -> bool:
    with store.change("", "try", "it") as cursor:
        cursor.execute("INSERT INTO sessions (token_hash, person_id, created_at, expires_at) "
                       "VALUES ('h', 'p', now()::TIMESTAMP, now()::TIMESTAMP)")  # fmt: skip
    rows = store.cursor().execute("SELECT how FROM sessions").fetchall()
    return rows == [("an organiser",)]


def hold(table: str) -> Callable[[Store, Path], bool]:
    return lambda store, _: count(store, table) >= 0


HOSTILE = {
    "a view in place of a table": Hostile(
        "DROP TABLE collections; CREATE VIEW collections AS SELECT 'c' AS collection_id, content "
        "AS name, '' AS description, '' AS guidelines, '' AS simulated, now()::TIMESTAMP AS "
        "created_at, NULL::TIMESTAMP AS closed_at FROM read_text('{secret}')",
        "a foreign view collections",
        read_by_a_view,
    ),
    "a view of another store": Hostile(
        "CREATE OR REPLACE VIEW current_labels AS FROM labels",
        "another view current_labels",
        hold("current_labels"),
    ),
    "a table beside the others": Hostile(
        "CREATE TABLE more (a INTEGER)", "a foreign table more", hold("more")
    ),
    "a table that is missing": Hostile("DROP TABLE gold", "no table gold", hold("labels")),
    "a schema": Hostile(
        "CREATE SCHEMA more; CREATE TABLE more.labels (a INTEGER)",
        "a foreign schema more",
        hold("more.labels"),
    ),
    "a macro by the name of a function": Hostile(
        "CREATE MACRO max(x) AS 77; INSERT INTO labels VALUES (1, uuid(), NULL, 'c', "
        "now()::TIMESTAMP, '', 'a', 't', 'd', 'page', '', 0, 'level', 1, 0, '', 'judged', false)",
        "a foreign function max",
        lie_by_a_macro,
    ),
    "a macro that hides itself": Hostile(
        "CREATE MACRO duckdb_functions() AS TABLE SELECT 1 WHERE false; "
        "CREATE MACRO current_database() AS 'memory'; CREATE MACRO \"||\"(a, b) AS 'x'; "
        "CREATE MACRO list_value(x) AS ['enable_external_access', 'lock_configuration']",
        "a foreign function current_database",
        lambda store, _: store.cursor().execute("SELECT 'a' || 'b'").fetchone() == ("x",),
    ),
    "a default": Hostile(
        "ALTER TABLE sessions ALTER how SET DEFAULT 'an organiser'",
        "another table sessions",
        fill_in_a_default,
    ),
    "a generated column": Hostile(
        "DROP TABLE viewers; CREATE TABLE viewers (collection_id VARCHAR, person_id VARCHAR "
        "GENERATED ALWAYS AS ('anybody'), added_at TIMESTAMP NOT NULL)",
        "another table viewers",
        hold("viewers"),
    ),
    "a constraint that is missing": Hostile(
        "DROP TABLE viewers; CREATE TABLE viewers (collection_id VARCHAR, person_id VARCHAR, "
        "added_at TIMESTAMP NOT NULL)",
        "another table viewers",
        hold("viewers"),
    ),
    "a trigger": Hostile(
        "CREATE TRIGGER more AFTER INSERT ON labels FOR EACH STATEMENT INSERT INTO viewers "
        "VALUES ('c', 'somebody', now()::TIMESTAMP)",
        "a foreign trigger more",
        write_by_a_trigger,
    ),
    "a sequence": Hostile("CREATE SEQUENCE more", "a foreign sequence more", hold("labels")),
    "a type": Hostile(
        "CREATE TYPE more AS ENUM ('a')", "a foreign type more", hold("labels")
    ),
    "an index": Hostile(
        "CREATE INDEX more ON labels (assessor_id)", "a foreign index more", hold("labels")
    ),
    "another record of steps": Hostile(
        "CREATE TABLE kept AS FROM migrations; DROP TABLE migrations; "
        "CREATE VIEW migrations AS FROM kept",
        "no table migrations",
        hold("migrations"),
    ),
    "no record of steps": Hostile(
        "DROP TABLE migrations", "no table migrations", hold("labels")
    ),
}  # fmt: skip


@pytest.fixture
def path(blank_store: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(blank_store, tmp_path / "s.duckdb"))


def spoil(path: Path, statements: str) -> None:
    secret = path.parent / "secret.txt"
    secret.write_text(SECRET)
    with closing(duckdb.connect(path)) as raw:
        for statement in statements.format(secret=secret).split(";"):
            raw.execute(statement)


@pytest.mark.parametrize("name", few(HOSTILE, 2))
def test_a_file_that_defines_anything_else_is_refused(path: Path, name: str):
    spoil(path, HOSTILE[name].statements)
    for read_only in (True, False):
        with pytest.raises(StoreUnusable, match="not as Dissent makes a store") as caught:
            Store(path, read_only=read_only)
        assert HOSTILE[name].named in str(caught.value)
    (schema,) = [one for one in check_store(path) if one.faults]
    assert schema.proof == "schema"


@pytest.mark.parametrize("name", few(HOSTILE))
def test_so_it_is_where_it_is_not_known_how_much_a_file_defines(
    path: Path, name: str, monkeypatch: pytest.MonkeyPatch
):
    spoil(path, HOSTILE[name].statements)
    monkeypatch.setattr(database, "count_entries", lambda _: None)
    with pytest.raises(StoreUnusable, match=HOSTILE[name].named):
        Store(path)


def test_a_store_is_told_by_what_the_file_defines(path: Path, monkeypatch: pytest.MonkeyPatch):
    """What the database brings along is not listed: for a whole store, nor for a new one."""
    monkeypatch.setattr(catalogue, "read_catalogue", pytest.fail)
    for place, read_only in ((path, True), (path, False), (path.parent / "new.duckdb", False)):
        Store(place, read_only=read_only).close()


def test_what_all_migrations_make_is_known():
    """After a new migration, or with another version of the database, it is another digest."""
    told = catalogue.COMPLETE.read_text(encoding="utf-8")
    assert told.strip() == catalogue.digest_all(), "renew it by python -m tests.docs"


@pytest.mark.parametrize("name", few([name for name in HOSTILE if name != "no record of steps"], 2))
def test_without_its_guard_it_is_used(path: Path, name: str, monkeypatch: pytest.MonkeyPatch):
    """Only then does the test above prove anything; the second guard is left out, too."""
    spoil(path, HOSTILE[name].statements)
    monkeypatch.setattr(stores, "refuse_foreign", lambda _: len(MIGRATIONS))
    monkeypatch.setattr(database, "_shut_off", lambda *_: None)
    with closing(Store(path)) as store:
        assert HOSTILE[name].succeeds(store, path)


def test_the_second_guard_alone_keeps_a_view_from_reading_a_file(
    path: Path, monkeypatch: pytest.MonkeyPatch
):
    spoil(path, HOSTILE["a view in place of a table"].statements)
    monkeypatch.setattr(stores, "refuse_foreign", lambda _: len(MIGRATIONS))
    monkeypatch.setattr(database, "scratch_place", lambda _: path.parent / "shared")
    with closing(Store(path)) as store, pytest.raises(duckdb.PermissionException):
        list_collections(store)


def test_a_newer_store_is_told_apart_from_a_foreign_file(path: Path):
    number = len(MIGRATIONS) + 1
    spoil(path, f"CREATE TABLE more (a INTEGER); INSERT INTO migrations VALUES ({number}, 'x', "
          "now())")  # fmt: skip
    with pytest.raises(StoreUnusable, match="newer version"):
        Store(path, read_only=True)


@pytest.mark.parametrize("steps", few(range(len(MIGRATIONS) + 1), 2))
def test_a_store_of_every_age_is_a_store(tmp_path: Path, steps: int):
    """Also when it was read from its file again, and when it has only its record of steps."""
    path = tmp_path / "old.duckdb"
    for _ in range(2):
        with closing(Database(path)) as opened:
            migrate(opened, MIGRATIONS[:steps])
            cursor = opened.cursor()
            held = read_catalogue(cursor)
            assert find_foreign(held, read_steps(cursor, held)) == []


@long
def test_a_restored_store_is_a_store(store: Store, tmp_path: Path):
    create_collection(store, "Kept")
    write_backup(store, tmp_path / "b.zip")
    restore_backup(tmp_path / "b.zip", tmp_path / "new.duckdb")
    with closing(Store(tmp_path / "new.duckdb")) as again:
        assert [one.name for one in list_collections(again)] == ["Kept"]


REACHED = {
    "reading a file": "SELECT * FROM read_text('{other}/secret.txt')",
    "reading by a detour": "SELECT * FROM read_text('{shared}/../other/secret.txt')",
    "reading by a link": "SELECT * FROM read_text('{shared}/link/secret.txt')",
    "listing a folder": "SELECT * FROM glob('{other}/*')",
    "writing a file": "COPY (SELECT 1) TO '{other}/new.csv'",
    "opening another database": "ATTACH '{other}/new.duckdb' AS other",
    "loading a library": "LOAD '{other}/new.duckdb_extension'",
    "opening the doors again": "SET GLOBAL enable_external_access = true",
    "more folders": "SET GLOBAL allowed_directories = ['/']",
    "other settings": "SET GLOBAL temp_directory = '{other}'",
    "unlocking": "SET GLOBAL lock_configuration = false",
}


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """A folder that is shared with the database, and another one."""
    found = {name: tmp_path / name for name in ("shared", "other")}
    for folder in found.values():
        folder.mkdir()
    (found["other"] / "secret.txt").write_text(SECRET)
    (found["shared"] / "link").symlink_to(found["other"])
    monkeypatch.setattr(database, "scratch_place", lambda _: found["shared"])
    return found


@pytest.mark.parametrize("name", REACHED)
def test_a_store_reaches_no_other_file_and_takes_no_settings(
    path: Path, folders: dict[str, Path], name: str, monkeypatch: pytest.MonkeyPatch
):
    sql = REACHED[name].format(**folders)
    refused = pytest.raises((duckdb.PermissionException, duckdb.InvalidInputException))
    with closing(Database(path)) as opened, refused:
        opened.cursor().execute(sql)
    if name in ("loading a library", "opening the doors again"):
        return  # there is none to be loaded, and doors that are open are not opened
    monkeypatch.setattr(database, "_shut_off", lambda *_: None)
    with closing(Database(path)) as opened:
        opened.cursor().execute(sql)


def test_what_the_store_itself_needs_is_reached(path: Path, folders: dict[str, Path]):
    """Files in the folder that is shared, what is spilt to disk, and the one setting it changes."""
    with closing(Database(path)) as opened:
        cursor = opened.cursor()
        cursor.execute(f"COPY (SELECT 1 AS a) TO '{folders['shared']}/a.parquet' (FORMAT parquet)")
        assert cursor.execute(f"FROM '{folders['shared']}/a.parquet'").fetchall() == [(1,)]
        cursor.execute("SET GLOBAL checkpoint_threshold = '1TB'")
        cursor.execute("CREATE TABLE spilt AS SELECT range AS a FROM range(10)")
        cursor.execute("CHECKPOINT")
        settings = cursor.execute("SELECT current_setting('allowed_directories')").fetchone()[0]
        assert f"{path}.tmp/" in settings


@long
def test_a_backup_of_a_store_is_written_and_restored_where_all_else_is_shut(
    store: Store, tmp_path: Path
):
    shut = store.cursor().execute("SELECT current_setting('enable_external_access')").fetchone()
    assert shut == (False,)
    create_collection(store, "Kept")
    rows = write_backup(store, tmp_path / "b.zip")
    assert restore_backup(tmp_path / "b.zip", tmp_path / "new.duckdb") == rows
    assert backup.verify_backup(tmp_path / "b.zip") == rows
