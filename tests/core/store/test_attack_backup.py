"""Archives that are no backups: refused in a sentence, with nothing left behind."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.backup import restore_backup, write_backup
from core.store.store import Store


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
    ],
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


def test_a_backup_does_not_say_which_migrations_were_run(store: Store, tmp_path: Path):
    archive, table = tmp_path / "backup.zip", tmp_path / "migrations.parquet"
    write_backup(store, archive)
    store.cursor().execute(
        f"COPY (SELECT 99 AS number, 'x' AS name, now() AS applied_at) TO '{table}'"
    )
    with zipfile.ZipFile(archive, "a") as target:
        target.write(table, table.name)
    facts = {"rows": 1, "sha256": hashlib.sha256(table.read_bytes()).hexdigest()}
    change_manifest(archive, tables={"migrations": facts})
    with pytest.raises(BadInput, match="no table"):
        restore_backup(archive, tmp_path / "new.duckdb")


def test_rows_of_no_known_table_leave_nothing_behind(store: Store, tmp_path: Path):
    archive = tmp_path / "backup.zip"
    write_backup(store, archive)
    with zipfile.ZipFile(archive) as source:
        manifest = json.loads(source.read("manifest.json"))
    tables = {"elsewhere": manifest["tables"]["people"]}
    with zipfile.ZipFile(archive, "a") as target, zipfile.ZipFile(archive) as source:
        target.writestr("elsewhere.parquet", source.read("people.parquet"))
    change_manifest(archive, tables=tables)
    with pytest.raises(BadInput, match="damaged"):
        restore_backup(archive, tmp_path / "new.duckdb")
    assert not list(tmp_path.glob("new.duckdb*"))


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
        "import os, signal, sys; from pathlib import Path; import core.store.backup as b\n"
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
