"""Backups of a whole store, made while it is in use, and their restoring."""

import hashlib
import json
import operator
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import duckdb

from core.collection.files.source import HARMLESS
from core.errors import BadInput, DissentError, StoreFull
from core.store.backup.table_contents import (
    Held,
    check_content,
    check_file,
    limit_piece,
    quote,
    read_content,
)
from core.store.file.database import UNREADABLE, Cursor, Database, transaction
from core.store.file.disk import (
    expect_room,
    lacks_room,
    no_room,
    put_in_place,
    require_room,
    require_writable,
)
from core.store.file.memory import limit_memory
from core.store.file.scratch import scratch_folder, scratch_place, temporary_folder
from core.store.file.write_ahead_log import log_of
from core.store.schema.migrations import MIGRATIONS, migrate
from core.store.store import Store, utc_now

_REVOKED = ("sessions", "invitations", "tokens", "webhooks", "webhook_deliveries")
"""What a restored store begins without: everybody signs in anew, by a link or a password.

Nor does it tell other servers what is finished: the store that it is a copy of may do so still.
"""


def save_backup(store: Store, target: Path) -> dict[str, int]:
    """Write a backup that has its name only once it is complete, read back, and on disk.

    Returns
    -------
    dict
        Rows by table.

    Raises
    ------
    BadInput
        Its folder cannot be written.
    StoreFull
        There is no room for it; nothing is left of it.
    """
    places = target.absolute().parent, store.path.absolute().parent
    require_writable(places[0])
    with expect_room(*places), scratch_folder(places[0]) as folder:
        draft = folder / target.name
        written = write_backup(store, draft)
        draft.chmod(0o600)
        if verify_backup(draft, places[1]) != written:
            raise DissentError("The backup does not hold what was written to it.")
        put_in_place(draft, target)
    return written


def write_backup(store: Store, target: Path) -> dict[str, int]:
    """Write a ZIP archive with every table as Parquet, all of one moment.

    The signing key is not part of it.

    Returns
    -------
    dict
        Rows by table.
    """
    store.refresh()
    with (
        scratch_folder(store.path.absolute().parent) as folder,
        zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive,
    ):
        tables = _pack_tables(store, folder, archive)
        manifest = {"migrations": len(MIGRATIONS), "made_at": str(utc_now()), "tables": tables}
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    return {name: int(facts["rows"]) for name, facts in tables.items()}


def verify_backup(archive: Path, place: Path | None = None) -> dict[str, int]:
    """Read a backup from end to end and return its rows by table.

    Every file has to have the hash that the manifest gives it, and the rows in it the hash that
    the store's own rows had.

    Parameters
    ----------
    archive : Path
        The backup.
    place : Path, optional
        Where it is unpacked; the system's temporary folder by default.

    Raises
    ------
    BadInput
        It is no backup, or not what was written.
    StoreFull
        There is no room to unpack it.
    """
    place = place or temporary_folder()
    with scratch_folder(place) as folder, expect_room(place):
        tables = unpack_archive(archive, folder, place)["tables"]
        with closing(duckdb.connect()) as memory:
            memory.execute(f"SET temp_directory = {quote(folder / 'spilled')}")
            memory.execute(f"SET memory_limit = '{limit_memory(archive)}'")
            _confine(memory, folder)
            with _blame(archive):
                for name, facts in tables.items():
                    file = folder / f"{name}.parquet"
                    size = check_file(memory, name, file, facts)
                    pieces = Held.in_file(file).pieces(memory, size, limit_piece(archive))
                    check_content(memory, name, pieces, facts)
    return {name: int(facts["rows"]) for name, facts in tables.items()}


def restore_backup(archive: Path, target: Path) -> dict[str, int]:
    """Make a new store from a backup and return its rows by table.

    Raises
    ------
    BadInput
        The target exists or cannot be made, or the archive is not a backup, is damaged, or is
        newer than this program, or the rows of the new store are not those of the old one. No
        store is left behind.
    StoreFull
        There is no room for it.
    """
    for file in (target, log_of(target)):
        if file.exists():
            raise BadInput(f"{file} exists; a backup is restored into a new file only")
    place = target.absolute().parent
    require_writable(place)
    with expect_room(place), scratch_folder(place) as folder:
        draft, unpacked = folder / "restored.duckdb", scratch_place(folder)
        unpacked.mkdir(mode=0o700)  # the one place from which the new store can read
        manifest = unpack_archive(archive, unpacked, place)
        try:
            counts = _rebuild(archive, manifest, unpacked, draft)
        except StoreFull as error:
            raise no_room(place) from error
        if log_of(draft).exists():  # closing it found no room to merge it into the file
            raise no_room(place)
        put_in_place(draft, target, is_new=True)
    return counts


def _rebuild(archive: Path, manifest: dict[str, Any], folder: Path, draft: Path) -> dict[str, int]:
    """Fill a store that gets its own name only once it is complete."""
    with closing(Database(draft, memory=limit_memory(archive))) as database, _blame(archive):
        migrate(database, MIGRATIONS[: manifest["migrations"]])
        counts = _fill(database, folder, manifest["tables"], limit_piece(archive))
        migrate(database)
    return counts


@contextmanager
def _blame(archive: Path) -> Iterator[None]:
    """Name the archive when something in it cannot be used."""
    try:
        yield
    except duckdb.OutOfMemoryException as error:
        reason = "takes far more memory than a backup of its size needs"
        raise BadInput(reason, file=archive.name) from error
    except UNREADABLE as error:
        if lacks_room(error):
            raise
        raise BadInput(f"the backup is damaged: {error}", file=archive.name) from error
    except BadInput as error:
        raise BadInput(error.reason, file=archive.name) from error


def _confine(cursor: Cursor, folder: Path) -> None:
    """Let a database open no file but its own and those in a folder: backups are not trusted."""
    cursor.execute(f"SET allowed_directories = [{quote(folder)}]")
    cursor.execute("SET enable_external_access = false")


def _pack_tables(store: Store, folder: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
    """Put every table into an archive, all of one moment, and return what the manifest tells."""
    tables = {}
    with transaction(store.cursor()) as cursor:
        for name in _list_tables(cursor):
            file = folder / f"{name}.parquet"
            cursor.execute(f"COPY {name} TO {quote(file)} (FORMAT parquet)")
            archive.write(file, file.name)
            tables[name] = {**asdict(read_content(cursor, name)), "sha256": _digest(file)}
            file.unlink()
    return tables


def _list_tables(cursor: Cursor) -> list[str]:
    rows = cursor.execute(
        "SELECT table_name FROM duckdb_tables() WHERE NOT internal "
        "AND table_name <> 'migrations' ORDER BY table_name"
    ).fetchall()
    return [name for (name,) in rows]


def _fill(database: Database, folder: Path, tables: dict[str, Any], most: int) -> dict[str, int]:
    with database.write() as cursor:
        _check_tables(cursor, tables)
        for name in tables:
            file = folder / f"{name}.parquet"
            size = check_file(cursor, name, file, tables[name])
            for piece in Held.in_file(file).pieces(cursor, size, most):
                cursor.execute(f"INSERT INTO {name} BY NAME FROM {piece}")
            file.unlink()
            pieces = Held.in_table(name).pieces(cursor, size, most)
            check_content(cursor, name, pieces, tables[name])
        # Who was signed in, or invited, when the backup was made may no longer be welcome.
        for name in _REVOKED:
            cursor.execute(f"DELETE FROM {name}")
    return {name: int(facts["rows"]) for name, facts in tables.items()}


def _check_tables(cursor: Cursor, tables: dict[str, Any]) -> None:
    """Raise BadInput where a table is missing, or one that no store has is there."""
    expected = set(_list_tables(cursor))
    if wrong := sorted(expected ^ tables.keys()):
        what = "is missing" if wrong[0] in expected else "is none of a store's"
        raise BadInput(f"the backup is damaged: table {wrong[0]} {what}")


def _digest(file: Path) -> str:
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


MANIFEST = "manifest.json"
_LARGEST_MANIFEST = 2**20
_LARGEST_PACKING = 20
"""Unpacked bytes to those of the archive: a backup's tables are packed before they go into it."""

_WITHOUT_CONTENT = 8
"""Steps of the schema that the last release had whose backups do not tell what tables hold."""

_STEP = 2**20

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


def unpack_archive(archive: Path, folder: Path, beside: Path) -> dict[str, Any]:
    """Take the files that the manifest lists out of an archive and check their hashes.

    Nothing is written before the archive as a whole is known to be what a backup is. ``beside``
    names the disk, if it has too little room, as its owner knows it.
    """
    if archive.exists() and not archive.is_file():
        raise BadInput("this is no file, and so no backup", file=archive.name)
    try:
        with zipfile.ZipFile(archive) as source:
            manifest = _read_manifest(source, archive)
            _check_parts(source.infolist(), manifest["tables"], archive)
            size = _unpacked_size(source.infolist())
            require_room(beside, size, f"Unpacking {archive.name}")
            for name, facts in manifest["tables"].items():
                if _unpack_part(source, f"{name}.parquet", folder) != facts["sha256"]:
                    raise BadInput(f"table {name} is damaged", file=archive.name)
    except _UNREADABLE as error:
        raise BadInput(f"not a Dissent backup ({error})", file=archive.name) from error
    return manifest


def _read_manifest(source: zipfile.ZipFile, archive: Path) -> dict[str, Any]:
    if source.getinfo(MANIFEST).file_size > _LARGEST_MANIFEST:
        raise ValueError("its table of contents is too long")
    manifest: dict[str, Any] = json.loads(b"".join(_read_part(source, MANIFEST)))
    if not 1 <= operator.index(manifest["migrations"]) <= len(MIGRATIONS):
        raise BadInput("this backup was made by a newer Dissent", file=archive.name)
    for name, facts in manifest["tables"].items():
        _check_name(name)
        operator.index(facts["rows"])
        if manifest["migrations"] > _WITHOUT_CONTENT and not isinstance(facts["content"], str):
            raise ValueError(f"'{name}' has no content")
    return manifest


def _check_name(name: str) -> None:
    """Raise ValueError for a table whose file could lie elsewhere."""
    if not name.isidentifier() or name == "migrations":
        raise ValueError(f"'{name}' is no table")


def _check_parts(parts: list[zipfile.ZipInfo], tables: dict[str, Any], archive: Path) -> None:
    """Refuse an archive with other parts than a backup's, or with far more in it than it is long.

    Each part for itself may look harmless: many can share the same bytes of the archive.
    """
    expected = sorted([MANIFEST, *(f"{name}.parquet" for name in tables)])
    if sorted(part.filename for part in parts) != expected:
        raise ValueError("it holds other parts than its table of contents lists")
    if _unpacked_size(parts) > max(HARMLESS, _LARGEST_PACKING * archive.stat().st_size):
        raise BadInput(
            f"unpacks to more than {_LARGEST_PACKING} times its size, as no backup does",
            file=archive.name,
        )


def _unpacked_size(parts: list[zipfile.ZipInfo]) -> int:
    return sum(part.file_size for part in parts)


def _unpack_part(source: zipfile.ZipFile, name: str, folder: Path) -> str:
    """Write one part of an archive into a folder and return its hash."""
    digest = hashlib.sha256()
    with (folder / name).open("xb") as file:
        for piece in _read_part(source, name):
            digest.update(piece)
            file.write(piece)
    return digest.hexdigest()


def _read_part(source: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    try:
        with source.open(name) as part:
            while piece := part.read(_STEP):
                yield piece
    except OSError as error:  # a spoiled table of contents leads before the file's beginning
        raise ValueError(f"'{name}' cannot be read") from error
