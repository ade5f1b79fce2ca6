"""Backups of a whole store, made while it is in use, and their restoring."""

import hashlib
import json
import operator
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import duckdb

from core.errors import BadInput
from core.store.database import Database, transaction
from core.store.migrations import MIGRATIONS, migrate
from core.store.store import Store, utc_now

_MANIFEST = "manifest.json"
_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    RuntimeError,
)
"""What a ZIP archive that is damaged, encrypted, packed oddly or nested deeply makes of itself."""


def write_backup(store: Store, target: Path) -> dict[str, int]:
    """Write a ZIP archive with every table as Parquet, all of one moment.

    The signing key is not part of it.

    Returns
    -------
    dict
        Rows by table.
    """
    with tempfile.TemporaryDirectory() as folder:
        counts = _copy_tables(store, Path(folder))
        tables = {
            name: {"rows": rows, "sha256": _digest(Path(folder) / f"{name}.parquet")}
            for name, rows in counts.items()
        }
        manifest = {"migrations": len(MIGRATIONS), "made_at": str(utc_now()), "tables": tables}
        (Path(folder) / _MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
            for file in sorted(Path(folder).iterdir()):
                archive.write(file, file.name)
    return counts


def restore_backup(archive: Path, target: Path) -> dict[str, int]:
    """Make a new store from a backup and return its rows by table.

    Raises
    ------
    BadInput
        The target exists, or the archive is not a backup, is damaged, or is newer than this
        program. No store is left behind.
    """
    if target.exists():
        raise BadInput(f"{target} exists; a backup is restored into a new file only")
    with tempfile.TemporaryDirectory() as folder:
        manifest = _unpack(archive, Path(folder))
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=target.name) as beside:
            draft = Path(beside) / target.name
            counts = _rebuild(archive, manifest, Path(folder), draft)
            draft.rename(target)
    return counts


def _rebuild(archive: Path, manifest: dict[str, Any], folder: Path, draft: Path) -> dict[str, int]:
    """Fill a store that gets its own name only once it is complete."""
    database = Database(draft)
    try:
        migrate(database, MIGRATIONS[: manifest["migrations"]])
        counts = _fill(database, folder, manifest["tables"])
        migrate(database)
    except duckdb.Error as error:
        raise BadInput(f"the backup is damaged: {error}", file=archive.name) from error
    finally:
        database.close()
    return counts


def _copy_tables(store: Store, folder: Path) -> dict[str, int]:
    counts = {}
    with transaction(store.cursor()) as cursor:
        tables = cursor.execute(
            "SELECT table_name FROM duckdb_tables() WHERE NOT internal "
            "AND table_name <> 'migrations' ORDER BY table_name"
        ).fetchall()
        for (name,) in tables:
            cursor.execute(f"COPY {name} TO '{folder / name}.parquet' (FORMAT parquet)")
            row = cursor.execute(f"SELECT count(*) FROM {name}").fetchone()
            counts[name] = int(row[0]) if row else 0
    return counts


def _unpack(archive: Path, folder: Path) -> dict[str, Any]:
    """Take the files that the manifest lists out of an archive and check their hashes."""
    try:
        with zipfile.ZipFile(archive) as source:
            manifest: dict[str, Any] = json.loads(source.read(_MANIFEST))
            if not 1 <= operator.index(manifest["migrations"]) <= len(MIGRATIONS):
                raise BadInput("this backup was made by a newer Dissent", file=archive.name)
            for name, facts in manifest["tables"].items():
                if not name.isidentifier() or name == "migrations":
                    raise BadInput(f"'{name}' is no table", file=archive.name)
                content = source.read(f"{name}.parquet")
                operator.index(facts["rows"])
                if hashlib.sha256(content).hexdigest() != facts["sha256"]:
                    raise BadInput(f"table {name} is damaged", file=archive.name)
                (folder / f"{name}.parquet").write_bytes(content)
    except _UNREADABLE as error:
        raise BadInput(f"not a Dissent backup ({error})", file=archive.name) from error
    return manifest


def _fill(database: Database, folder: Path, tables: dict[str, Any]) -> dict[str, int]:
    with database.write() as cursor:
        for name in tables:
            cursor.execute(f"INSERT INTO {name} BY NAME FROM '{folder / name}.parquet'")
    return {name: int(facts["rows"]) for name, facts in tables.items()}


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
