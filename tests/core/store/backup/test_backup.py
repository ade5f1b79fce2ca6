"""A backup taken under load restores to the very same rows."""

import hashlib
import json
import threading
import zipfile
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.demo import load_demo
from core.errors import BadInput
from core.store.backup.backup import restore_backup, write_backup
from core.store.content.collections import create_collection
from core.store.content.webhook_deliveries import list_due, queue_test
from core.store.content.webhooks import list_webhooks, make_webhook
from core.store.events.labels import Key, LabelEvent
from core.store.people.people import add_person
from core.store.people.token_scopes import SCOPES
from core.store.people.tokens import find_token, make_token
from core.store.store import Store
from tests.short import long


def rows_of(store: Store) -> dict[str, list]:
    cursor = store.cursor()
    names = cursor.execute("SELECT table_name FROM duckdb_tables() ORDER BY 1").fetchall()
    return {
        name: sorted(map(str, cursor.execute(f"FROM {name}").fetchall()))
        for (name,) in names
        if name != "migrations"
    }


def test_the_whole_store_comes_back(store: Store, tmp_path: Path):
    load_demo(store)
    counts = write_backup(store, tmp_path / "backup.zip")
    assert restore_backup(tmp_path / "backup.zip", tmp_path / "new.duckdb") == counts
    again = Store(tmp_path / "new.duckdb")
    assert rows_of(again) == rows_of(store)
    assert again.labels.sequence(next(iter(again.labels._sequences))) > 0
    again.close()


def test_a_backup_is_of_one_moment_while_labels_arrive(
    store: Store, tmp_path: Path, long_form: bool
):
    moments = range(5 if long_form else 2)
    stop = threading.Event()

    def judge() -> None:
        number = 0
        while not stop.is_set():
            key = Key("t", f"d{number}", "page", "", "anna", 0)
            event = LabelEvent(f"00000000-0000-4000-8000-{number:012}", None, key, "level", 1)
            store.labels.append("c", [event])
            number += 1

    thread = threading.Thread(target=judge)
    thread.start()
    for number in moments:
        write_backup(store, tmp_path / f"{number}.zip")
    stop.set()
    thread.join()
    for number in moments:
        target = tmp_path / f"{number}.duckdb"
        restore_backup(tmp_path / f"{number}.zip", target)
        restored = Store(target)
        query = "SELECT count(*), coalesce(max(sequence), 0) FROM labels"
        rows, last = restored.cursor().execute(query).fetchone()
        restored.close()
        assert rows == last


def test_the_signing_key_is_not_in_it(store: Store, tmp_path: Path):
    assert store.secret
    write_backup(store, tmp_path / "backup.zip")
    with zipfile.ZipFile(tmp_path / "backup.zip") as archive:
        for name in archive.namelist():
            assert store.secret.encode() not in archive.read(name)


def test_tokens_and_webhooks_are_not_in_what_comes_back(store: Store, tmp_path: Path):
    """A copy of a store is another server: no program is let in, nobody is told anything twice."""
    collection_id = create_collection(store, "Cats")
    token = make_token(store, add_person(store, "Olga", "organiser"), "p", SCOPES["organiser"])
    made = make_webhook(store, collection_id, "https://example.org/hook")
    queue_test(store, collection_id, made.webhook_id)
    write_backup(store, tmp_path / "backup.zip")
    restore_backup(tmp_path / "backup.zip", tmp_path / "other.duckdb")
    with closing(Store(tmp_path / "other.duckdb")) as restored:
        assert find_token(restored, token) is None
        assert list_webhooks(restored, collection_id) == list_due(restored) == []
    assert find_token(store, token)
    assert list_due(store)


def test_a_backup_never_overwrites(store: Store, tmp_path: Path):
    write_backup(store, tmp_path / "backup.zip")
    with pytest.raises(BadInput, match="exists"):
        restore_backup(tmp_path / "backup.zip", store.path)


def spoil(source: Path, target: Path, change) -> None:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = change(name, old.read(name))
            if content is not None:
                new.writestr(name, content)


def newer(name: str, content: bytes) -> bytes:
    if name != "manifest.json":
        return content
    return json.dumps({**json.loads(content), "migrations": 999}).encode()


def climbing(name: str, content: bytes) -> bytes:
    return content.replace(b'"people"', b'"../people"') if name == "manifest.json" else content


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda name, content: content[:-1] if name == "people.parquet" else content, "damaged"),
        pytest.param(
            lambda name, content: None if name == "labels.parquet" else content,
            "not a Dissent",
            marks=long,
        ),
        pytest.param(
            lambda name, content: None if name == "manifest.json" else content,
            "not a Dissent",
            marks=long,
        ),
        pytest.param(
            lambda name, content: b"[]" if name == "manifest.json" else content,
            "not a Dissent",
            marks=long,
        ),
        pytest.param(newer, "newer", marks=long),
        pytest.param(climbing, "no table", marks=long),
    ],
)
def test_a_spoilt_backup_is_refused_and_leaves_nothing(
    store: Store, tmp_path: Path, change, reason: str
):
    write_backup(store, tmp_path / "good.zip")
    spoil(tmp_path / "good.zip", tmp_path / "bad.zip", change)
    target = tmp_path / "new.duckdb"
    with pytest.raises(BadInput, match=reason):
        restore_backup(tmp_path / "bad.zip", target)
    assert not target.exists()


def test_something_else_is_no_backup(tmp_path: Path):
    file = tmp_path / "letter.zip"
    file.write_text("Dear all")
    with pytest.raises(BadInput, match="not a Dissent backup"):
        restore_backup(file, tmp_path / "new.duckdb")


@long
def test_a_column_whose_name_is_no_text_is_refused(store: Store, tmp_path: Path):
    """What DuckDB says of it is no text either."""
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.table({"surplus": ["a"]}), buffer, store_schema=False)
    content = buffer.getvalue().to_pybytes().replace(b"surplus", b"surpl\x80s")
    facts = {"rows": 1, "content": "0", "sha256": hashlib.sha256(content).hexdigest()}

    def change(file: str, former: bytes) -> bytes:
        if file == "manifest.json":
            told = json.loads(former)
            told["tables"]["people"] |= facts
            return json.dumps(told).encode()
        return content if file == "people.parquet" else former

    write_backup(store, tmp_path / "good.zip")
    spoil(tmp_path / "good.zip", tmp_path / "bad.zip", change)
    with pytest.raises(BadInput, match="damaged"):
        restore_backup(tmp_path / "bad.zip", tmp_path / "new.duckdb")
    assert not (tmp_path / "new.duckdb").exists()
