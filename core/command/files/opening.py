"""Opening the files that are named on the command line."""

import sys

from core.collection.files.source import Source


def open_source(path: str) -> Source:
    """Return a file to read; ``-`` is standard input."""
    if path == "-":
        return Source("standard input", sys.stdin.buffer.read())
    return Source.at(path)
