"""Reading the field's files as frames: whole and checked, or refused by file and line."""

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from core.collection.files.source import Source
from core.collection.formats import read_import
from core.collection.qrels_and_runs.machine_qrels import read_machine_labels as read_whole
from core.collection.qrels_and_runs.trec import with_unjudged as with_unjudged_lines
from core.collection.records import Import, numeric_scale
from core.errors import NotFound, ReadWarning
from core.place import expand_home

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def read_qrels(
    paths: Paths, *, with_unjudged: bool = False, iterations: str = "highest"
) -> pd.DataFrame:
    """Read TREC qrels: ``topic iteration document level``; may be .gz.

    Parameters
    ----------
    paths : path or sequence of paths
        The files, read as one.
    with_unjudged : bool, default False
        Keep lines with a level below 0: what was pooled and not drawn, which measures need that
        are estimated from a sample (xinfAP). Others count it as not judged.
    iterations : {'highest', 'latest', 'refuse'}, default 'highest'
        Of a topic's document in several iterations keep all, of which measures that know no
        intents take the highest level; or take the last of a file; or refuse the file.

    Returns
    -------
    DataFrame
        ``topic_id, iteration, document_id, level``. Several iterations are subtopics, for
        measures by intent. Qrels of samples have ``stratum`` or ``probability`` as well. What is to
        be known of the files is in ``attrs``, as of every frame that is read: ``formats`` and
        ``notes``; each note is a `ReadWarning`, too.

    Raises
    ------
    NotFound
        There is no such file.
    BadInput
        A line cannot be used; the message names the file and the line.
    """
    take = _join_unjudged if with_unjudged else None
    return _read("qrels", paths, take, iterations=iterations)


def read_runs(
    paths: Paths, *, system_from: str = "tag", duplicates: str = "refuse"
) -> pd.DataFrame:
    """Read TREC runs: ``topic Q0 document rank score tag``; may be .gz.

    Parameters
    ----------
    paths : path or sequence of paths
        The files; each may hold several runs.
    system_from : {'tag', 'file'}, default 'tag'
        Whether a system is called what the last column says, or like its file.
    duplicates : {'refuse', 'first'}, default 'refuse'
        Whether a file in which a ranking has a document twice is refused, or the higher line is
        taken.

    Returns
    -------
    DataFrame
        ``system, topic_id, document_id, score, rank``; ranks begin at 1, in trec_eval's order:
        score, then document id, both descending.

    Raises
    ------
    NotFound, BadInput
        As `read_qrels`.
    """
    return _read("runs", paths, system_from=system_from, duplicates=duplicates)


def read_labels(
    paths: Paths,
    *,
    columns: Mapping[str, str] | None = None,
    missing: Sequence[str | int] = (),
    gold: str = "",
    scales: Mapping[str, Sequence[str]] | None = None,
    aspect: str = "",
) -> pd.DataFrame:
    """Read labels of several assessors: TSV, CSV or JSONL with a header; may be .gz.

    Parameters
    ----------
    paths : path or sequence of paths
        Files with ``assessor, topic, document, level`` and perhaps ``facet, engine, group, …``.
    columns : mapping of str to str, optional
        What the file calls them: ``{"assessor": "workerID", "level": "label"}``.
    missing : sequence, optional
        Values of the level that mean that there is no label.
    gold : str, optional
        A column with one more label for each item; its assessor is called 'gold'.
    scales : mapping of facet to names, optional
        The names of the levels of 'page' or 'snippet', lowest first, where files have names.
    aspect : str, optional
        Which aspect, of files that ``dissent export aspects`` has written.

    Returns
    -------
    DataFrame
        A row for each label: ``topic_id, document_id, facet, engine, assessor_id, occasion, level,
        state, group, sequence, time, dwell_ms, comment``; ``facet`` is 'page' unless the file says
        otherwise, ``level`` a number from 0.

    Raises
    ------
    NotFound, BadInput
        As `read_qrels`.
    """
    options: dict[str, Any] = {
        "columns": dict(columns or {}),
        "missing": [str(one) for one in missing],
        "gold": gold,
        "aspect": aspect,
        "scales": {
            facet: tuple(
                replace(level, name=name)
                for level, name in zip(numeric_scale(range(len(names))), names, strict=True)
            )
            for facet, names in (scales or {}).items()
        },
    }
    given = {name: value for name, value in options.items() if value}
    return _read("labels", paths, None, **given)


def read_machine_labels(path: str | os.PathLike[str]) -> pd.DataFrame:
    """Read the labels of a machine from qrels; whole numbers on no scale, as -1, stay.

    Returns
    -------
    DataFrame
        ``topic_id, document_id, level``.

    Raises
    ------
    NotFound, BadInput
        As `read_qrels`; also where a topic has a document twice.
    """
    frame = read_whole(find_files(path)[0])
    warn_of(frame.attrs["notes"], 3)
    return frame


def read_preferences(paths: Paths, *, compared: str = "") -> pd.DataFrame:
    """Read preferences: ``topic left right choice`` and perhaps ``strength assessor``.

    Parameters
    ----------
    paths : path or sequence of paths
        TSV with a header; or, without one, lines of ``topic documentA documentB winner``.
    compared : {'documents', 'systems'}, optional
        What was compared, where the file does not say.

    Returns
    -------
    DataFrame
        ``topic_id, kind, facet, first, second, left, choice, strength, assessor_id, …``.

    Raises
    ------
    NotFound, BadInput
        As `read_qrels`.
    """
    return _read("preferences", paths, None, **({"compared": compared} if compared else {}))


def read_results(paths: Paths) -> pd.DataFrame:
    """Read what each engine showed: ``topic engine document rank``, and perhaps ``snippet``.

    Returns
    -------
    DataFrame
        ``topic_id, engine, document_id, rank, snippet, vertical``.

    Raises
    ------
    NotFound, BadInput
        As `read_qrels`.
    """
    return _read("results", paths)


def read_topics(paths: Paths) -> pd.DataFrame:
    """Read topics: ``id query`` and perhaps ``type, description, narrative``.

    Returns
    -------
    DataFrame
        ``topic_id, query, type, …``.

    Raises
    ------
    NotFound, BadInput
        As `read_qrels`.
    """
    return _read("topics", paths)


def _join_unjudged(imported: Import) -> pd.DataFrame:
    return with_unjudged_lines(imported.frames)


def _read(
    kind: str,
    paths: Paths,
    take: Callable[[Import], pd.DataFrame] | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Return the frame of a kind; what is to be known of it is in its attributes, and warned of."""
    imported = read_import(kind, find_files(paths), **options)
    frame = take(imported) if take else imported.frames[kind]
    frame.attrs |= {"formats": list(imported.formats), "notes": list(imported.notes)}
    warn_of(imported.notes, 4)
    return frame


def warn_of(notes: Sequence[str], level: int) -> None:
    """Warn of what is to be known of a file; ``level`` is how far up the caller's line is."""
    for note in notes:
        warnings.warn(note, ReadWarning, stacklevel=level)


def find_files(paths: Paths) -> list[Source]:
    """Return files to read; raises NotFound where one is not there."""
    listed = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    files = [expand_home(path) for path in listed]
    for file in files:
        if not file.is_file():
            raise NotFound(f"There is no file {file}.")
    return [Source.at(file) for file in files]
