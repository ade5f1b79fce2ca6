"""Archives that are no backups: refused in a sentence, with nothing left behind."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import warnings
import zipfile
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from core.collection.files.source import HARMLESS, Source
from core.collection.formats import read_import
from core.errors import BadInput
from core.store.backup import backup, table_contents
from core.store.backup.backup import restore_backup, verify_backup, write_backup
from core.store.backup.table_contents import Held, read_content
from core.store.content.collections import create_collection
from core.store.content.imports import write_import
from core.store.file import database
from core.store.file.scratch import scratch_place
from core.store.schema.migrations import MIGRATIONS
from core.store.store import Store
from tests.short import few, long


def change_manifest(archive: Path, **fields: object) -> None:
    with zipfile.ZipFile(archive) as source:
        files = {name: source.read(name) for name in source.namelist()}
    manifest = {**json.loads(files["manifest.json"]), **fields}
    files["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(archive, "w") as target:
        for name, content in files.items():
            target.writestr(name, content)


@pytest.mark.parametrize(
    "fields",
    few(
        [
            {"migrations": 2.5},
            {"migrations": -1},
            {"migrations": 0},
            {"migrations": "1"},
            {"migrations": 10**6},
            {"tables": []},
            {"tables": {"people": {"rows": "many", "sha256": "x"}}},
            {"tables": {"../people": {"rows": 1, "sha256": "x"}}},
            {"tables": {"people; DROP TABLE people": {"rows": 1, "sha256": "x"}}},
            {"tables": {"migrations": {"rows": 1, "sha256": "x"}}},
            {"tables": {"people": None}},
        ]
    ),
    ids=str,
)
def test_a_manifest_made_by_hand_is_refused(
    store: Store, tmp_path: Path, fields: dict[str, object]
):
    archive = tmp_path / "backup.zip"
    write_backup(store, archive)
    change_manifest(archive, **fields)
    before = set(tmp_path.iterdir())
    with pytest.raises(BadInput):
        restore_backup(archive, tmp_path / "new.duckdb")
    assert set(tmp_path.iterdir()) == before


@long
def test_a_backup_does_not_say_which_migrations_were_run(store: Store, tmp_path: Path):
    archive, table = tmp_path / "backup.zip", tmp_path / "migrations.parquet"
    write_backup(store, archive)
    with duckdb.connect() as memory:
        memory.execute(f"COPY (SELECT 99 AS number, 'x' AS name, now() AS applied_at) TO '{table}'")
    with zipfile.ZipFile(archive, "a") as target:
        target.write(table, table.name)
    facts = {"rows": 1, "sha256": hashlib.sha256(table.read_bytes()).hexdigest()}
    change_manifest(archive, tables={"migrations": facts})
    with pytest.raises(BadInput, match="no table"):
        restore_backup(archive, tmp_path / "new.duckdb")


@long
def test_rows_of_no_known_table_leave_nothing_behind(store: Store, tmp_path: Path):
    archive = tmp_path / "backup.zip"
    write_backup(store, archive)
    refused = rename_table(archive, tmp_path / "renamed.zip", "people", "elsewhere")
    with pytest.raises(BadInput, match=r"damaged: table elsewhere is none of a store's"):
        restore_backup(refused, tmp_path / "new.duckdb")
    assert sorted(tmp_path.glob("new.duckdb*")) == []


def rename_table(archive: Path, target: Path, name: str, other: str) -> Path:
    """Write an archive in which one table has another name, in the manifest and as a part."""
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(target, "w") as renamed:
        for part in source.namelist():
            content = source.read(part)
            if part == "manifest.json":
                content = content.replace(f'"{name}"'.encode(), f'"{other}"'.encode())
            renamed.writestr(f"{other}.parquet" if part == f"{name}.parquet" else part, content)
    return target


@pytest.fixture
def unpacked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the parts that were unpacked so far; they are unpacked all the same."""
    seen: list[str] = []
    unpack = backup._unpack_part

    def note(source: zipfile.ZipFile, name: str, folder: Path) -> str:
        seen.append(name)
        return unpack(source, name, folder)

    monkeypatch.setattr(backup, "_unpack_part", note)
    return seen


def pack_zeros(archive: Path, parts: int) -> None:
    """Write an archive of tables that are nothing but zeros: 16 MB each, packed a thousandfold."""
    zeros = bytes(HARMLESS)
    facts = {"rows": 0, "content": "0", "sha256": hashlib.sha256(zeros).hexdigest()}
    tables = {f"table{number}": facts for number in range(parts)}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("manifest.json", json.dumps({"migrations": 1, "tables": tables}))
        for name in tables:
            target.writestr(f"{name}.parquet", zeros)


def test_parts_that_are_harmless_one_by_one_are_refused_together(
    tmp_path: Path, unpacked: list[str]
):
    """Each may be as large as that whatever it is packed to; there may be any number of them."""
    archive = tmp_path / "bomb.zip"
    pack_zeros(archive, 3)
    assert archive.stat().st_size < HARMLESS / 200
    with pytest.raises(BadInput, match="unpacks to more than 20 times its size"):
        restore_backup(archive, tmp_path / "new.duckdb")
    assert unpacked == []
    assert list(tmp_path.iterdir()) == [archive]


@long
def test_without_a_limit_on_the_whole_they_are_unpacked(
    tmp_path: Path, unpacked: list[str], monkeypatch: pytest.MonkeyPatch
):
    archive = tmp_path / "bomb.zip"
    pack_zeros(archive, 3)
    monkeypatch.setattr(backup, "_LARGEST_PACKING", 10**9)
    with pytest.raises(BadInput):
        restore_backup(archive, tmp_path / "new.duckdb")
    assert len(unpacked) == 3


@pytest.mark.parametrize("name", few(["letter.txt", "people.parquet", "folder/", "manifest.json"]))
def test_a_part_too_many_is_refused(store: Store, tmp_path: Path, unpacked: list[str], name: str):
    archive = tmp_path / "backup.zip"
    write_backup(store, archive)
    with warnings.catch_warnings(), zipfile.ZipFile(archive, "a") as target:
        warnings.simplefilter("ignore")  # that the name is there already is the point
        with zipfile.ZipFile(archive) as source:
            same = source.read(name) if name in source.namelist() else b""
        target.writestr(name, same)
    with pytest.raises(BadInput, match="other parts than its table of contents lists"):
        restore_backup(archive, tmp_path / "new.duckdb")
    assert unpacked == []


@long
def test_a_part_too_few_is_refused(store: Store, tmp_path: Path):
    """Both in the archive and in its table of contents: a store without labels is none."""
    archive, fewer = tmp_path / "backup.zip", tmp_path / "fewer.zip"
    write_backup(store, archive)
    with zipfile.ZipFile(archive) as source, zipfile.ZipFile(fewer, "w") as target:
        manifest = json.loads(source.read("manifest.json"))
        del manifest["tables"]["labels"]
        target.writestr("manifest.json", json.dumps(manifest))
        for part in source.namelist():
            if part not in ("manifest.json", "labels.parquet"):
                target.writestr(part, source.read(part))
    with pytest.raises(BadInput, match="table labels is missing"):
        restore_backup(fewer, tmp_path / "new.duckdb")


def test_a_table_of_contents_without_end_is_refused(tmp_path: Path):
    archive = tmp_path / "backup.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("manifest.json", b"[" * 2**21)
    with pytest.raises(BadInput, match="its table of contents is too long"):
        restore_backup(archive, tmp_path / "new.duckdb")


READS_A_FILE = "people BY NAME SELECT error(content) AS name FROM read_text('{secret}') --"


@pytest.mark.parametrize("is_confined", few([True, False]))
def test_a_backup_cannot_make_the_database_read_other_files(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_confined: bool
):
    """Were all that looks at names to fail, the database itself would still refuse."""
    secret = tmp_path / "secret.txt"
    secret.write_text("the signing key")
    archive = tmp_path / "backup.zip"
    write_backup(store, archive)
    with zipfile.ZipFile(archive) as source:
        content = source.read("people.parquet")
    name = READS_A_FILE.format(secret=secret)
    with zipfile.ZipFile(archive) as source:
        facts = json.loads(source.read("manifest.json"))["tables"]["people"]
    monkeypatch.setattr(backup, "_check_tables", lambda *_: None)
    if not is_confined:
        monkeypatch.setattr(database, "_shut_off", lambda *_: None)
    folder = scratch_place(tmp_path)
    (folder / f"{name}.parquet").parent.mkdir(parents=True)
    (folder / f"{name}.parquet").write_bytes(content)
    manifest = {"migrations": len(MIGRATIONS), "tables": {name: facts}}
    with pytest.raises(BadInput) as caught:
        backup._rebuild(archive, manifest, folder, tmp_path / "new.duckdb")
    assert ("the signing key" in str(caught.value)) is not is_confined
    assert ("disabled by configuration" in str(caught.value)) is is_confined


@long
@pytest.mark.parametrize("cut", [0.2, 0.5, 0.9])
def test_a_cut_archive_is_refused(store: Store, tmp_path: Path, cut: float):
    archive = tmp_path / "backup.zip"
    write_backup(store, archive)
    content = archive.read_bytes()
    archive.write_bytes(content[: int(cut * len(content))])
    with pytest.raises(BadInput, match="not a Dissent backup"):
        restore_backup(archive, tmp_path / "new.duckdb")
    assert not (tmp_path / "new.duckdb").exists()


def test_a_restore_that_is_killed_leaves_no_half_store(store: Store, tmp_path: Path):
    archive = tmp_path / "backup.zip"
    write_backup(store, archive)
    target = tmp_path / "new.duckdb"
    killed = (
        "import os, signal, sys; from pathlib import Path; import core.store.backup.backup as b\n"
        "fill = b._fill\n"
        "def stop(*given): fill(*given); os.kill(os.getpid(), signal.SIGKILL)\n"
        "b._fill = stop; b.restore_backup(Path(sys.argv[1]), Path(sys.argv[2]))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", killed, str(archive), str(target)],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    assert not target.exists()
    restore_backup(archive, target)
    assert target.exists()


def put_rows(archive: Path, table: str, query: str) -> Path:
    """Write rows that a query makes into a table of a backup, packed as well as can be."""
    file = archive.with_name(f"{table}.parquet")
    with duckdb.connect() as memory:
        memory.execute(f"COPY ({query}) TO '{file}' (FORMAT parquet, COMPRESSION zstd)")
        rows = memory.execute(f"SELECT count(*) FROM '{file}'").fetchone()[0]
    with zipfile.ZipFile(archive) as source:
        files = {name: source.read(name) for name in source.namelist()}
    manifest = json.loads(files["manifest.json"])
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    manifest["tables"][table] |= {"rows": rows, "sha256": digest}
    files |= {"manifest.json": json.dumps(manifest).encode(), file.name: file.read_bytes()}
    with zipfile.ZipFile(archive, "w") as target:
        for name, content in files.items():
            target.writestr(name, content)
    file.unlink()
    return archive


LONG_TEXTS = """
    SELECT 'c' AS collection_id, 'd' || i AS document_id, '' AS title, '' AS url,
        repeat('a', 8_000_000) AS text, '' AS html FROM range(600) AS rows(i)"""


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        (LONG_TEXTS, "table documents unpacks to far more than a table packs to"),
        pytest.param(
            "SELECT 'c' AS collection_id, 'd' AS document_id, '' AS title, '' AS url, "
            "range(40_000_000) AS text, '' AS html",
            r"column text holds BIGINT\[\], as no table does",
            marks=long,
        ),
        pytest.param(
            LONG_TEXTS.replace("8_000_000", "400_000_000").replace("range(600)", "range(1)"),
            "takes far more memory than a backup of its size needs",
            marks=long,
        ),
    ],
    ids=["texts", "a list", "one text"],
)
def test_rows_that_unpack_to_very_much_are_not_read(
    store: Store, tmp_path: Path, query: str, reason: str
):
    archive = tmp_path / "backup.zip"
    write_backup(store, archive)
    put_rows(archive, "documents", query)
    before = {*tmp_path.iterdir()} - {store.path}
    for use in (verify_backup, lambda one: restore_backup(one, tmp_path / "new.duckdb")):
        with pytest.raises(BadInput, match=reason):
            use(archive)
    assert {*tmp_path.iterdir()} - {store.path} == before


def test_what_tables_hold_is_told_by_all_but_the_first_releases(store: Store, tmp_path: Path):
    archive = tmp_path / "backup.zip"
    write_backup(store, archive)
    with zipfile.ZipFile(archive) as source:
        tables = json.loads(source.read("manifest.json"))["tables"]
    for facts in tables.values():
        del facts["content"]
    change_manifest(archive, tables=tables)
    for use in (verify_backup, lambda one: restore_backup(one, tmp_path / "new.duckdb")):
        with pytest.raises(BadInput, match="not a Dissent backup"):
            use(archive)


def test_long_rows_are_read_piece_by_piece(store: Store, tmp_path: Path, monkeypatch):
    """The same rows have the same content in one piece and in many, in tables and in files."""
    collection_id = create_collection(store, "Cats")
    rows = "\n".join(f"d{n}\t{'word ' * n}" for n in range(50))
    write_import(
        store,
        collection_id,
        read_import("documents", Source("d.tsv", f"id\ttext\n{rows}\n".encode())),
    )
    whole = read_content(store.cursor(), "documents")
    monkeypatch.setattr(table_contents, "PIECE", 700)
    monkeypatch.setattr(backup, "limit_piece", lambda _: 700)
    held, cursor = Held.in_table("documents"), store.cursor()
    assert len(list(held.pieces(cursor, held.measure(cursor), 700))) > 5
    assert read_content(store.cursor(), "documents") == whole
    archive = tmp_path / "backup.zip"
    write_backup(store, archive)
    assert verify_backup(archive) == restore_backup(archive, tmp_path / "new.duckdb")
    with closing(Store(tmp_path / "new.duckdb")) as again:
        assert read_content(again.cursor(), "documents") == whole
