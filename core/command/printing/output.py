"""What commands print: tables for people, JSON for programs, notes and progress on stderr."""

import gzip
import json
import math
import sys
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from core.errors import BadInput

_BAR = 24


_noted: dict[str, None] = {}
"""What has been noted since the command began, in its order."""


def print_json(content: Mapping[str, Any]) -> None:
    """Print a result as JSON, with all notes: numbers unrounded, what is not a number null."""
    answer = {**content, "notes": content.get("notes", list(_noted))}
    print(json.dumps(make_plain(answer), indent=2, ensure_ascii=False, allow_nan=False))


def make_plain(value: Any) -> Any:
    """Return a value as JSON can hold it: NumPy's numbers as Python's, NaN and NaT as None.

    Times are in ISO 8601, in UTC.
    """
    if isinstance(value, Mapping):
        return {str(name): make_plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [make_plain(part) for part in value]
    if hasattr(value, "tolist"):
        return make_plain(value.tolist())
    if isinstance(value, datetime):
        # NaT is one, too, and no time is unlike itself but that.
        return f"{value.isoformat(timespec='seconds')}Z" if value == value else None
    return None if isinstance(value, float) and not math.isfinite(value) else value


def with_reason(entry: dict[str, Any], reason: str) -> dict[str, Any]:
    """Return an entry of a result; where a number is missing, it says why."""
    return {**entry, "reason": reason} if reason else entry


def describe_interval(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the limits of a row rest on, from its ``interval, unit, units``."""
    return {"method": row["interval"], "unit": row["unit"], "n": row["units"]}


def print_notes(notes: Iterable[str]) -> None:
    """Print on stderr, each once, what the reader should know beside the result."""
    for note in notes:
        if note not in _noted:
            print(f"note: {note}", file=sys.stderr)
            _noted[note] = None


def forget_notes() -> None:
    """Begin a command, of which nothing has been noted."""
    _noted.clear()


def show_progress(share: float, what: str) -> None:
    """Draw a bar on stderr when it is a terminal; done at a share of 1."""
    if not sys.stderr.isatty():
        return
    full = round(_BAR * share)
    bar = "#" * full + "." * (_BAR - full)
    line = f"\r[{bar}] {share:4.0%} {Path(what).name[:40]:40}"
    sys.stderr.write("\r" + " " * len(line) + "\r" if share >= 1 else line)
    sys.stderr.flush()


def write_output(content: bytes, path: str) -> None:
    """Write a file, packed when its name ends in .gz; ``-`` is standard output."""
    if path == "-":
        sys.stdout.buffer.write(content)
        return
    packed = gzip.compress(content, mtime=0) if path.endswith(".gz") else content
    try:
        Path(path).write_bytes(packed)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise BadInput(f"cannot be written: {reason}", file=path) from error
