"""The registry of file formats: a format is one decorated function, a kind one record.

A format stands in any module of a folder of its kind. What is told of it, on the import page, by
the command line and in the handbook, and the file that tests begin with, stand there, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from core.collection.files.columns import FileColumn
from core.collection.files.likeness import Likeness
from core.collection.files.source import Source
from core.discovery import import_modules
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Parsed:
    """What was read so far: frames whose rows still know their file and line."""

    frames: dict[str, DataFrame]
    counts: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


Reader = Callable[[Source, Any], Parsed]
Sniffer = Callable[[Source, Any], bool]
Detector = Callable[[Source], Likeness]


@dataclass(frozen=True)
class NoOptions:
    """For kinds that are read in one way only."""


@dataclass(frozen=True)
class TableOptions:
    """How tables are read.

    Parameters
    ----------
    columns : mapping
        The file's names for columns, where they differ: ``{"document": "pid"}``; an empty name
        leaves aside a column that need not be there.
    """

    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Kind:
    """One kind of thing that is read from files, whatever their format.

    Parameters
    ----------
    name : str
        As in ``read_import(kind, …)``.
    meaning : str
        What such files hold, for whoever is about to import one: sentences.
    unique : mapping
        By frame, the sets of columns whose values may not occur twice, within a file or across.
    finish : callable
        Takes everything that was read, merged and checked; returns it with counts.
    options : type
        A dataclass of what the caller may choose.
    adapt : callable
        Takes what was read of a file, the options and the file; returns it as was chosen.
    remedy : str
        What to do about values that occur twice.
    """

    name: str
    meaning: str
    unique: Mapping[str, tuple[tuple[str, ...], ...]]
    finish: Callable[[Parsed], Parsed]
    options: type = NoOptions
    adapt: Callable[[Parsed, Any, Source], Parsed] = lambda parsed, _options, _source: parsed
    remedy: str = ""


@dataclass(frozen=True)
class FileFormat:
    """One way to write a kind of thing down.

    Parameters
    ----------
    kind, name : str
        Of what, and what the format is called.
    layout : str
        How a file looks, in a few words, names and lines between backticks.
    example : str
        A small file that can be read as it is.
    sniff : callable
        Whether a file's content looks like this format, given the kind's options: tells the
        formats of a kind apart.
    detect : callable
        How much a file looks like this format where not even its kind is known, told from the
        beginning of the file; see ``core.collection.detection``.
    is_fallback : bool
        Tried after all others of its kind, for it accepts what may be theirs.
    read : callable
        Takes a file and the kind's options.
    columns : tuple of FileColumn
        What a table of this format may have; the options' ``columns`` say where names differ.
    """

    kind: str
    name: str
    layout: str
    example: str
    sniff: Sniffer
    detect: Detector
    is_fallback: bool
    read: Reader
    columns: tuple[FileColumn, ...] = ()


FORMATS: list[FileFormat] = []

FOLDERS = {
    "topics": ("topics_and_documents", "qrels_and_runs"),
    "documents": ("topics_and_documents", "qrels_and_runs"),
    "results": ("qrels_and_runs",),
    "runs": ("qrels_and_runs",),
    "qrels": ("qrels_and_runs",),
    "labels": ("labels", "annotation_tools"),
    "aspects": ("labels",),
    "preferences": ("labels", "annotation_tools"),
    "clicks": ("click_logs",),
}
"""Where the formats of each kind stand: reading a run need not know how clicks are written."""


def file_format(
    *,
    kind: str,
    name: str,
    layout: str,
    example: str,
    sniff: Sniffer,
    detect: Detector,
    is_fallback: bool = False,
    columns: tuple[FileColumn, ...] = (),
) -> Callable[[Reader], Reader]:
    """Register a reader; see `FileFormat` for what is told of it."""

    def register(read: Reader) -> Reader:
        FORMATS.append(
            FileFormat(kind, name, layout, example, sniff, detect, is_fallback, read, columns)
        )
        return read

    return register


def formats_of(kind: str) -> list[FileFormat]:
    """Return the formats of a kind in the order in which they are tried.

    Fallbacks come last. Otherwise it is the order of the modules' names, and in a module as
    written there, whatever was imported first.
    """
    for folder in FOLDERS[kind]:
        import_modules(f"{__package__}.{folder}")
    known = [entry for entry in FORMATS if entry.kind == kind]
    return sorted(known, key=lambda entry: (entry.is_fallback, entry.read.__module__))


def choose_format(kind: str, source: Source, options: Any, name: str = "") -> FileFormat:
    """Return the format called ``name``, or the first whose sniffer accepts the content."""
    known = formats_of(kind)
    for entry in known:
        if entry.name == name if name else entry.sniff(source, options):
            return entry
    listed = ", ".join(entry.name for entry in known)
    wrong = f"'{name}' is not a format of {kind}" if name else f"does not look like {kind}"
    raise BadInput(f"{wrong}; known are {listed}", file=source.name)


def starts_with(*beginnings: str) -> Sniffer:
    """Return a sniffer for content that begins with one of these."""

    def sniff(source: Source, _options: Any) -> bool:
        return source.text.lstrip()[:256].lower().startswith(beginnings)

    return sniff


def is_like(detect: Detector) -> Sniffer:
    """Return a sniffer for content whose beginning a detector knows."""
    return lambda source, _options: detect(source.sample()).share > 0


def is_table(source: Source, _options: Any) -> bool:
    """Accept text that begins like neither XML nor JSON."""
    return source.text.lstrip()[:1] not in ("<", "{", "[")


def anything(_source: Source, _options: Any) -> bool:
    """Accept any text, for a kind that has one format only."""
    return True
