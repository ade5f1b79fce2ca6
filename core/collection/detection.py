"""Telling what a file holds, from its beginning, by asking every format of every kind."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.collection.file_format import FileFormat, formats_of
from core.collection.files.likeness import CLEAR, Likeness
from core.collection.files.source import Source
from core.collection.formats import KINDS
from core.errors import BadInput

_LEAD = 0.1
"""By how much the likeliest kind has to lead over the next, or the file may be either."""

_LEAST = 0.25
"""Below this a kind is not worth naming."""


@dataclass(frozen=True)
class Detection:
    """What a file seems to hold.

    Parameters
    ----------
    kind, format_name : str
        The kind and its format; both empty where that is not clear.
    candidates : tuple of str
        The kinds that it may be, likeliest first; with ``kind``, that one alone.
    """

    kind: str = ""
    format_name: str = ""
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True)
class Layout:
    """How a file of a known kind is laid out: its format, and what its columns seem to be.

    Parameters
    ----------
    entry : FileFormat
        The format that it looks like most; the kind's last where it looks like none.
    header : tuple of str
        The names of its columns, where it has such.
    found : mapping
        By column, the header's name for it, as known or as guessed.
    """

    entry: FileFormat
    header: tuple[str, ...] = ()
    found: Mapping[str, str] = field(default_factory=dict)


def detect_kind(source: Source) -> Detection:
    """Return what a file holds; only its beginning is read.

    Raises
    ------
    BadInput
        The file cannot be read, is empty, or is no text.
    """
    sample = source.sample()
    best = {kind: _find_best(kind, sample) for kind in KINDS}
    ordered = sorted(KINDS, key=lambda kind: -best[kind][1].share)
    likely = [kind for kind in ordered if best[kind][1].share >= _LEAST]
    if not likely:
        return Detection()
    first, *others = likely
    share = best[first][1].share
    if share >= CLEAR and all(share - best[kind][1].share >= _LEAD for kind in others):
        return Detection(first, best[first][0].name, (first,))
    return Detection(candidates=tuple(likely))


def find_layout(kind: str, source: Source) -> Layout:
    """Return how a file of a kind is laid out, from its beginning; raises as `detect_kind`."""
    entry, likeness = _find_best(kind, source.sample())
    return Layout(entry, likeness.header, likeness.found)


def _find_best(kind: str, sample: Source) -> tuple[FileFormat, Likeness]:
    rated = [(entry, entry.detect(sample)) for entry in formats_of(kind)]
    return max(reversed(rated), key=lambda one: one[1].share)


def require_kind(source: Source) -> str:
    """Return what a file holds.

    Raises
    ------
    BadInput
        That is not clear; the message names what it may be. Or as `detect_kind`.
    """
    detected = detect_kind(source)
    if detected.kind:
        return detected.kind
    listed = " or ".join(detected.candidates)
    reason = f"may hold {listed}" if listed else "looks like nothing that can be imported"
    raise BadInput(f"{reason}; say what it holds: {', '.join(KINDS)}", file=source.name)
