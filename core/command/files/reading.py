"""Reading files for a command: what was read, and what is to be known of it."""

import sys
from collections.abc import Sequence
from typing import Any

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.records import Import
from core.command.printing.output import print_notes, show_progress


def read_files(kind: str, sources: Sequence[Source], **options: Any) -> Import:
    """Read files of one kind; on stderr, and in JSON, is said as what, and all notes.

    Raises
    ------
    BadInput
        As `core.collection.formats.read_import`.
    """
    imported = read_import(kind, sources, progress=show_progress, **options)
    print_notes(describe_reading(imported))
    return imported


def describe_reading(imported: Import) -> list[str]:
    """Return as what files were read, and what is to be known of them."""
    is_one = ", " not in imported.source
    of = imported.source if is_one else imported.kind
    return [
        f"{imported.kind} read as {' and '.join(imported.formats)}: {imported.source}"
        if is_one
        else f"{imported.kind} read as {' and '.join(imported.formats)}",
        *(f"{of}: {note}" for note in imported.notes),
    ]


def open_source(path: str) -> Source:
    """Return a file to read; ``-`` is standard input."""
    if path == "-":
        return Source("standard input", sys.stdin.buffer.read())
    return Source.at(path)
