"""The archive that a backup is: what is in it is not trusted until it has been looked at whole."""

import hashlib
import json
import operator
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.collection.files.source import HARMLESS
from core.errors import BadInput
from core.store.file.disk import require_room
from core.store.schema.migrations import MIGRATIONS

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
