"""Reading files of any known format: whole and checked, or not at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace
from hashlib import sha256
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any

from core.collection.file_format import Kind, Parsed, choose_format, formats_of
from core.collection.files.checks import CODE, FILE, LINE, number_values, refuse_repeats
from core.collection.files.source import Source
from core.collection.records import Import
from core.errors import BadInput

if TYPE_CHECKING:
    from pandas import DataFrame

_HOMES = {
    "topics": "topics_and_documents.topics",
    "documents": "topics_and_documents.documents",
    "results": "qrels_and_runs.results",
    "runs": "qrels_and_runs.trec",
    "qrels": "qrels_and_runs.trec",
    "labels": "labels.labels",
    "aspects": "labels.aspect_levels",
    "preferences": "labels.preferences",
    "clicks": "click_logs.clicks",
}
"""The module with the record of each kind, which is called like the kind in capitals."""

KINDS = tuple(_HOMES)
"""What can be read, in the order in which a collection comes together."""

Progress = Callable[[float, str], None]

_CHECKING = 0.9
"""The share of the work that is reading; the rest is checking the whole."""


def find_kind(name: str) -> Kind:
    """Return the record of a kind of `KINDS`."""
    home = import_module(f"{__package__}.{_HOMES[name]}")
    kind: Kind = getattr(home, name.upper())
    return kind


def format_names(kind: str) -> list[str]:
    """Return the names of the formats of a kind."""
    return [entry.name for entry in formats_of(kind)]


def option_names(kind: str) -> list[str]:
    """Return what a caller may choose for a kind."""
    return [field.name for field in fields(find_kind(kind).options)]


def explain_kind(kind: str) -> str:
    """Return what files of a kind hold, and below it how each format looks, as Markdown."""
    formats = [f"- **{entry.name}**: {entry.layout}" for entry in formats_of(kind)]
    return "\n".join([find_kind(kind).meaning, "", *formats])


def read_import(
    kind: str,
    sources: Sequence[Source] | Source,
    *,
    format_name: str = "",
    progress: Progress | None = None,
    **options: Any,
) -> Import:
    """Read files of one kind; everything is checked before anything is returned.

    Parameters
    ----------
    kind : str
        One of KINDS.
    sources : Source or sequence of Source
        The files; they are read as if they were one.
    format_name : str
        The format, where its content should not decide.
    progress : callable, optional
        Is told the share done, in [0, 1], and what is being done.
    **options
        What the kind lets a caller choose: see LabelOptions and RunOptions.

    Raises
    ------
    BadInput
        Something cannot be used; the first fault is named with its file and line.
    """
    if kind not in KINDS:
        raise BadInput(f"'{kind}' cannot be imported; known are {', '.join(KINDS)}")
    files = [sources] if isinstance(sources, Source) else list(sources)
    if not files:
        raise BadInput(f"no file of {kind} was given")
    report = progress or (lambda _share, _what: None)
    record = find_kind(kind)
    chosen = _make_options(record, options)
    parts, digests, formats = [], [], []
    for position, file in enumerate(files):
        follow = _follow(report, position, len(files), file.name)
        follow(0.0)
        source = replace(file, report=follow)
        entry = choose_format(kind, source, chosen, format_name)
        formats.append(entry.name)
        parts.append(record.adapt(entry.read(source, chosen), chosen, source))
        digests.append(source.sha256)
    report(_CHECKING, "checking")
    names = [file.name for file in files]
    whole = _check_whole(record, parts, names)
    notes = (*whole.notes, *_note_mangled(whole.frames))
    report(1.0, "read")
    return Import(
        kind=kind,
        source=", ".join(names),
        frames={name: _forget_origin(frame) for name, frame in whole.frames.items()},
        counts=whole.counts,
        notes=notes,
        sha256=_digest(digests),
        formats=tuple(dict.fromkeys(formats)),
    )


_MANGLED = re.compile(
    r"\d+\.0|\d(?:\.\d+)?E\+\d+|\d{1,2}([./-])\d{1,2}\1\d{2,4}|\d{1,2}-[A-Z][a-z]{2}(?:-\d{2,4})?"
)
"""An id as spreadsheets and tables of numbers write it: 1.0, 1E+05, 3-Mar."""

_LOOKED_AT = 10_000


def _note_mangled(frames: dict[str, DataFrame]) -> Iterator[str]:
    """Yield which ids look as if a spreadsheet had written numbers or dates in their place."""
    for column in ("topic_id", "document_id"):
        for frame in frames.values():
            ids: Iterable[str] = frame[column].iloc[:_LOOKED_AT].unique() if column in frame else []
            found = [one for one in ids if _MANGLED.fullmatch(one)]
            if found:
                yield (
                    f"a {column.removesuffix('_id')} is called {found[0]}, as a spreadsheet writes "
                    "numbers and dates; see that it is what other files call it"
                )
                break


def _follow(report: Progress, position: int, count: int, name: str) -> Callable[[float], None]:
    return lambda share: report(_CHECKING * (position + share) / count, name)


def _make_options(kind: Kind, options: dict[str, Any]) -> Any:
    known = option_names(kind.name)
    for name in options:
        if name not in known:
            listed = ", ".join(known) or "none"
            raise BadInput(f"{kind.name} take no option '{name}'; known are: {listed}")
    return kind.options(**options)


def _check_whole(kind: Kind, parts: list[Parsed], names: list[str]) -> Parsed:
    merged = _merge(parts, names)
    for name, column_sets in kind.unique.items():
        frame = number_values(merged.frames[name], dict.fromkeys(chain(*column_sets)))
        merged.frames[name] = frame
        for columns in column_sets:
            refuse_repeats(frame, columns, names, kind.remedy)
    return kind.finish(merged)


def _digest(digests: list[str]) -> str:
    return digests[0] if len(digests) == 1 else sha256("\n".join(digests).encode()).hexdigest()


def _merge(parts: list[Parsed], names: list[str]) -> Parsed:
    from pandas import concat

    frames: dict[str, list[DataFrame]] = {}
    counts: dict[str, int] = {}
    for position, part in enumerate(parts):
        for key, frame in part.frames.items():
            frames.setdefault(key, []).append(frame.assign(**{FILE: position}))
        for key, count in part.counts.items():
            counts[key] = counts.get(key, 0) + count
    merged = {
        key: concat(pieces, ignore_index=True)
        if len(pieces) > 1
        else pieces[0].reset_index(drop=True)
        for key, pieces in frames.items()
    }
    notes = [(name, note) for name, part in zip(names, parts, strict=True) for note in part.notes]
    return Parsed(merged, counts, _unite_notes(notes, len(parts) > 1))


_COUNTED = re.compile(r"(.*: )([\d,]+)")
"""A note that ends with how many there are."""


def _unite_notes(notes: Sequence[tuple[str, str]], are_several: bool) -> tuple[str, ...]:
    """Return each kind of note once: with the sum of its counts, or with the files that have it."""
    sums: dict[str, int] = {}
    files: dict[str, list[str]] = {}
    for name, note in notes:
        counted = _COUNTED.fullmatch(note)
        text = counted[1] if counted else note
        files.setdefault(text, []).append(name)
        if counted:
            sums[text] = sums.get(text, 0) + int(counted[2].replace(",", ""))
    return tuple(
        (f"{_list_files(where)}: " if are_several else "")
        + (f"{text}{sums[text]:,}" if text in sums else text)
        for text, where in files.items()
    )


def _list_files(names: list[str]) -> str:
    more = len(names) - 1
    return names[0] + (f" and {more:,} more file{'s' * (more > 1)}" if more else "")


def _forget_origin(frame: DataFrame) -> DataFrame:
    hidden = [name for name in frame if name in (LINE, FILE) or str(name).startswith(CODE)]
    return frame.drop(columns=hidden).reset_index(drop=True)
