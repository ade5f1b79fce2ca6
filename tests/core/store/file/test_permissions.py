"""What a store writes is for its owner only, whatever the umask says."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import StoreUnusable
from core.store.backup.backup import restore_backup, write_backup
from core.store.people.people import add_person, begin_session, find_session, invite
from core.store.store import Store
from tests.short import long

pytestmark = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX files")


@pytest.fixture(autouse=True)
def careless() -> Iterator[None]:
    """Let everybody read and write new files, as a careless account would."""
    before = os.umask(0)
    yield
    assert os.umask(before) == 0, "a closed store leaves the umask as it was"


def modes(folder: Path) -> dict[str, int]:
    return {one.name: stat.S_IMODE(one.stat().st_mode) for one in folder.iterdir()}


def test_the_file_its_log_and_its_key_are_the_owners(tmp_path: Path):
    for _ in range(2):
        store = Store(tmp_path / "store.duckdb")
        assert len(store.secret) >= 64
        add_person(store, f"Person {_}", "assessor")
        assert modes(tmp_path) == dict.fromkeys(
            tuple(f"store.duckdb{end}" for end in ("", ".wal", ".key", ".last")), 0o600
        )
        store.close()
    assert set(modes(tmp_path).values()) == {0o600}


@long
def test_every_store_has_a_key_of_its_own_that_stays(tmp_path: Path):
    keys = []
    for name in ("a", "b", "a"):
        store = Store(tmp_path / f"{name}.duckdb")
        keys.append(store.secret)
        store.close()
    assert keys[0] == keys[2] != keys[1]


def test_a_store_that_cannot_be_opened_leaves_the_umask(tmp_path: Path):
    (tmp_path / "no.duckdb").write_text("nothing of the kind")
    with pytest.raises(StoreUnusable):
        Store(tmp_path / "no.duckdb")


def test_a_restored_store_signs_nobody_in(tmp_path: Path):
    store = Store(tmp_path / "old.duckdb")
    person = add_person(store, "Olga", "organiser")
    session, unused = begin_session(store, person), invite(store, person)
    write_backup(store, tmp_path / "backup.zip")
    assert find_session(store, session) is not None
    store.close()
    restore_backup(tmp_path / "backup.zip", tmp_path / "new.duckdb")
    assert modes(tmp_path)["new.duckdb"] == 0o600
    again = Store(tmp_path / "new.duckdb")
    assert find_session(again, session) is None
    for table in ("sessions", "invitations"):
        assert again.cursor().execute(f"FROM {table}").fetchall() == []
    assert again.cursor().execute("SELECT name FROM people").fetchall() == [("Olga",)]
    again.close()
    assert unused
