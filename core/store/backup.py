"""Backups of a whole store, made while it is in use, and their restoring."""

import hashlib
import json
import operator
import tempfile
import zipfile
import zlib
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import duckdb

from core.collection.source import HARMLESS, LARGEST_RATIO
from core.errors import BadInput
from core.store.database import UNREADABLE, Cursor, Database, transaction
from core.store.migrations import MIGRATIONS, migrate
from core.store.store import Store, utc_now

_MANIFEST = "manifest.json"
_REVOKED = ("sessions", "invitations")
"""What a restored store begins without: everybody signs in anew, by a link or a password."""

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
        contents = _copy_tables(store, Path(folder))
        tables = {
            name: {**asdict(held), "sha256": _digest(Path(folder) / f"{name}.parquet")}
            for name, held in contents.items()
        }
        manifest = {"migrations": len(MIGRATIONS), "made_at": str(utc_now()), "tables": tables}
        (Path(folder) / _MANIFEST).write_text(json.dumps(manifest, indent=1), encoding="utf-8")
        with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
            for file in sorted(Path(folder).iterdir()):
                archive.write(file, file.name)
    return {name: held.rows for name, held in contents.items()}


def verify_backup(archive: Path) -> dict[str, int]:
    """Read a backup from end to end and return its rows by table.

    Every file has to have the hash that the manifest gives it, and the rows in it the hash that
    the store's own rows had; raises BadInput.
    """
    with tempfile.TemporaryDirectory() as folder:
        tables = _unpack(archive, Path(folder))["tables"]
        with closing(duckdb.connect()) as memory:
            for name, facts in tables.items():
                source = f"'{Path(folder) / name}.parquet'"
                try:
                    _check_rows(memory, name, Path(folder) / f"{name}.parquet", facts)
                    _check_content(memory, name, source, facts)
                except UNREADABLE as error:
                    raise BadInput(f"table {name} is damaged", file=archive.name) from error
                except BadInput as error:
                    raise BadInput(error.reason, file=archive.name) from error
    return {name: int(facts["rows"]) for name, facts in tables.items()}


def restore_backup(archive: Path, target: Path) -> dict[str, int]:
    """Make a new store from a backup and return its rows by table.

    Raises
    ------
    BadInput
        The target exists, or the archive is not a backup, is damaged, or is newer than this
        program, or the rows of the new store are not those of the old one. No store is left
        behind.
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
    except UNREADABLE as error:
        raise BadInput(f"the backup is damaged: {error}", file=archive.name) from error
    except BadInput as error:
        raise BadInput(error.reason, file=archive.name) from error
    finally:
        database.close()
    return counts


@dataclass(frozen=True)
class _Content:
    """What a table holds: ``content`` is a sum of hashes of its rows, whatever their order."""

    rows: int
    content: str


def _copy_tables(store: Store, folder: Path) -> dict[str, _Content]:
    contents = {}
    with transaction(store.cursor()) as cursor:
        tables = cursor.execute(
            "SELECT table_name FROM duckdb_tables() WHERE NOT internal "
            "AND table_name <> 'migrations' ORDER BY table_name"
        ).fetchall()
        for (name,) in tables:
            cursor.execute(f"COPY {name} TO '{folder / name}.parquet' (FORMAT parquet)")
            contents[name] = _read_content(cursor, name)
    return contents


def _read_content(cursor: Cursor, source: str) -> _Content:
    row = cursor.execute(
        "SELECT count(*), coalesce(sum(md5_number_lower(held::VARCHAR)::HUGEINT), 0)::VARCHAR "
        f"FROM {source} AS held"
    ).fetchone()
    return _Content(int(row[0]), str(row[1])) if row else _Content(0, "0")


def _check_content(cursor: Cursor, name: str, source: str, facts: dict[str, Any]) -> None:
    """Raise BadInput where a table's rows are not those that were backed up."""
    held = _read_content(cursor, source)
    # Backups of the first releases tell the number of rows only.
    if held != _Content(int(facts["rows"]), facts.get("content", held.content)):
        raise BadInput(f"the rows of table {name} are not those that were backed up")


def _unpack(archive: Path, folder: Path) -> dict[str, Any]:
    """Take the files that the manifest lists out of an archive and check their hashes."""
    try:
        with zipfile.ZipFile(archive) as source:
            _refuse_bombs(source.infolist(), archive.name)
            manifest: dict[str, Any] = json.loads(_read_part(source, _MANIFEST))
            if not 1 <= operator.index(manifest["migrations"]) <= len(MIGRATIONS):
                raise BadInput("this backup was made by a newer Dissent", file=archive.name)
            for name, facts in manifest["tables"].items():
                _check_name(name)
                content = _read_part(source, f"{name}.parquet")
                operator.index(facts["rows"])
                if hashlib.sha256(content).hexdigest() != facts["sha256"]:
                    raise BadInput(f"table {name} is damaged", file=archive.name)
                (folder / f"{name}.parquet").write_bytes(content)
    except _UNREADABLE as error:
        raise BadInput(f"not a Dissent backup ({error})", file=archive.name) from error
    return manifest


def _check_name(name: str) -> None:
    """Raise ValueError for a table whose file could lie elsewhere."""
    if not name.isidentifier() or name == "migrations":
        raise ValueError(f"'{name}' is no table")


def _read_part(source: zipfile.ZipFile, name: str) -> bytes:
    try:
        return source.read(name)
    except OSError as error:  # a spoiled table of contents leads before the file's beginning
        raise ValueError(f"'{name}' cannot be read") from error


def _refuse_bombs(parts: list[zipfile.ZipInfo], archive: str) -> None:
    for part in parts:
        if part.file_size > max(HARMLESS, LARGEST_RATIO * part.compress_size):
            raise BadInput(
                f"'{part.filename}' unpacks to more than {LARGEST_RATIO} times its size, as "
                "nothing in a backup does",
                file=archive,
            )


def _check_rows(cursor: Cursor, name: str, file: Path, facts: dict[str, Any]) -> None:
    """Raise BadInput where a file tells of more rows than were backed up, or than it can hold.

    Asked before the rows are read: a few thousand bytes can stand for any number of equal rows.
    """
    row = cursor.execute(f"SELECT num_rows FROM parquet_file_metadata('{file}')").fetchone()
    rows = int(row[0]) if row else 0
    if rows != facts["rows"] or rows > HARMLESS + LARGEST_RATIO * file.stat().st_size:
        raise BadInput(f"the rows of table {name} are not those that were backed up")


def _fill(database: Database, folder: Path, tables: dict[str, Any]) -> dict[str, int]:
    with database.write() as cursor:
        for name in tables:
            _check_rows(cursor, name, folder / f"{name}.parquet", tables[name])
            cursor.execute(f"INSERT INTO {name} BY NAME FROM '{folder / name}.parquet'")
            _check_content(cursor, name, name, tables[name])
        # Who was signed in, or invited, when the backup was made may no longer be welcome.
        for name in _REVOKED:
            cursor.execute(f"DELETE FROM {name}")
    return {name: int(facts["rows"]) for name, facts in tables.items()}


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
