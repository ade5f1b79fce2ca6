"""The ZIP archive that a study bundle is: the same bytes whenever and wherever it is written."""

import io
import re
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from core.collection.files.source import HARMLESS, LARGEST, LARGEST_RATIO, Unpacked
from core.errors import BadInput

_TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest that ZIP can say: a bundle tells no time of its making."""

_MODE = 0o100644 << 16
_UNIX = 3

_END, _COUNT = 22, slice(10, 12)
"""How long the end of an archive is before its comment, and where it counts the entries."""

MOST_ENTRIES = 10_000
_NAME = re.compile(r"(?:[a-z0-9][a-z0-9._-]{0,99}/)?[a-zA-Z0-9][a-zA-Z0-9._-]{0,99}")
"""One folder at most, no drive, no way up, and nothing that a file system takes for something."""

_UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    LookupError,
    ValueError,
    OverflowError,
    NotImplementedError,
    RuntimeError,
    OSError,
)
"""What a ZIP archive that is damaged, encrypted or packed oddly makes of itself."""


def write_archive(entries: Mapping[str, bytes]) -> bytes:
    """Return entries as a ZIP archive, in the order of their names."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in sorted(entries):
            part = zipfile.ZipInfo(name, _TIME)
            part.create_system, part.external_attr = _UNIX, _MODE
            part.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(part, entries[name], zipfile.ZIP_DEFLATED, 6)
    return out.getvalue()


def read_archive(archive: Path | bytes, name: str) -> dict[str, bytes]:
    """Return the entries of an archive by name; nothing is written anywhere.

    Parameters
    ----------
    archive : Path or bytes
        Where it is, or its content.
    name : str
        What its owner calls it, for messages.

    Raises
    ------
    BadInput
        It is no ZIP archive, is damaged, holds names that lead elsewhere or twice the same name,
        or unpacks to more than any study does.
    """
    try:
        size = len(archive) if isinstance(archive, bytes) else archive.stat().st_size
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadInput(f"the bundle cannot be read: {reason}", file=name) from error
    try:
        with (
            io.BytesIO(archive) if isinstance(archive, bytes) else archive.open("rb") as file,
            zipfile.ZipFile(file) as zipped,
        ):
            _check_parts(zipped.infolist(), size, name)
            if len(zipped.infolist()) != _count_entries(file, zipped):
                raise BadInput("is damaged: it does not list all that it holds", file=name)
            unpacked, entries = Unpacked(size), {}
            for part in zipped.infolist():
                content = entries[part.filename] = _read_part(zipped, part, name)
                if unpacked.has_too_many_values(content):
                    raise BadInput("unpacks to more values than any study has", file=name)
            return entries
    except _UNREADABLE as error:
        raise BadInput(f"not a ZIP archive that can be read ({error})", file=name) from error


def _count_entries(file: BinaryIO, zipped: zipfile.ZipFile) -> int:
    """Return how many entries the end of an archive says that there are.

    By a changed length the list of entries can end early, or one can swallow the next.
    """
    file.seek(-_END - len(zipped.comment), io.SEEK_END)
    return int.from_bytes(file.read(_END)[_COUNT], "little")


def _check_parts(parts: list[zipfile.ZipInfo], size: int, name: str) -> None:
    """Refuse what no bundle holds before anything is unpacked."""
    if len(parts) > MOST_ENTRIES:
        raise BadInput(f"holds more than {MOST_ENTRIES:,} entries, as no study does", file=name)
    known: set[str] = set()
    for part in parts:
        if not _NAME.fullmatch(part.filename):
            raise BadInput(f"no bundle holds an entry named {part.filename[:80]!r}", file=name)
        if part.filename.lower() in known:
            raise BadInput(f"holds '{part.filename}' twice", file=name)
        known.add(part.filename.lower())
        if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BadInput(f"'{part.filename}' is packed as no bundle is", file=name)
    unpacked = sum(part.file_size for part in parts)
    if unpacked > LARGEST or unpacked > max(HARMLESS, LARGEST_RATIO * size):
        raise BadInput("unpacks to more than any study does", file=name)


def _read_part(zipped: zipfile.ZipFile, part: zipfile.ZipInfo, name: str) -> bytes:
    """Return an entry, of which no more is unpacked than it says to be long."""
    try:
        with zipped.open(part) as file:
            content = file.read(part.file_size + 1)
    except _UNREADABLE as error:
        raise BadInput(f"'{part.filename}' is damaged ({error})", file=name) from error
    if len(content) != part.file_size:
        raise BadInput(f"'{part.filename}' is not as long as it says", file=name)
    return content
