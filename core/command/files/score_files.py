"""Reading what commands that score runs against qrels are given."""

import re
from argparse import Namespace
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import pandas as pd

from core.collection.qrels_and_runs.trec import with_unjudged
from core.collection.records import PAGE
from core.collection.topics_and_documents.words import add_words
from core.command.arguments.shared import QRELS_READING, RUN_READING, chosen_reading
from core.command.files.reading import open_source, read_files
from core.command.files.weight_files import read_weights
from core.measures.base import Measure, Weights
from core.measures.catalogue import parse_measure
from core.versions.judgements import Judgements, put_on_one_scale

_STEM = re.compile(r"(?<=[^/])(?:\.[A-Za-z]\w*)?(?:\.gz)?$")
"""The ending of a file's name; a number behind a full stop is part of the name."""


def read_measures(arguments: Namespace) -> list[Measure]:
    """Return the measures; what a text says itself goes before ``--level``."""
    defaults = {} if arguments.level is None else {"rel": arguments.level}
    return [parse_measure(text, **defaults) for text in arguments.measures]


def read_score_weights(arguments: Namespace) -> Weights | None:
    """Return what ``gain='udm'`` stands for, where a file says it."""
    return read_weights(arguments.weights) if arguments.weights else None


def read_runs(arguments: Namespace) -> pd.DataFrame:
    """Return the runs as one frame, with the documents' lengths where these are given."""
    runs = _read("runs", arguments.runs, **chosen_reading(arguments, RUN_READING))
    documents = vars(arguments).get("documents")
    return add_words(runs, _read("documents", documents)) if documents else runs


def read_judgements(path: str, arguments: Namespace) -> Judgements:
    """Return the judgements of one file, on the scale that was given.

    Raises
    ------
    BadInput
        The file cannot be used, or a level is above the scale.
    """
    return read_several_judgements([path], arguments)[path]


def read_several_judgements(
    paths: Iterable[str], arguments: Namespace, *, sampled: bool = False
) -> dict[str, Judgements]:
    """Return the judgements of several files, all on one scale.

    With ``sampled`` also what was pooled and not judged, at levels below 0.

    Raises
    ------
    BadInput
        As `read_judgements`.
    """
    given = chosen_reading(arguments, QRELS_READING)
    frames = {path: _read_frames("qrels", [path], **given) for path in paths}
    qrels = {path: with_unjudged(one) if sampled else one["qrels"] for path, one in frames.items()}
    return put_on_one_scale(qrels, find_highest(arguments))


def find_highest(arguments: Namespace) -> float | None:
    """Return the highest level, as counted, of the scale that was given; None without one."""
    given = dict(getattr(arguments, "scale", ()))
    facet = getattr(arguments, "facet", None) or PAGE
    scale = given.get(facet) or next(iter(given.values()), ())
    return float(max(level.counts_as for level in scale)) if scale else None


def shorten_paths(paths: Sequence[str]) -> dict[str, str]:
    """Return what files are called: by their stems where these differ, else by more of the path.

    Examples
    --------
    >>> shorten_paths(["a/first.qrels.gz", "a/second.qrels"])
    {'a/first.qrels.gz': 'first', 'a/second.qrels': 'second'}
    >>> shorten_paths(["a/x.qrels", "b/x.qrels"])
    {'a/x.qrels': 'a/x', 'b/x.qrels': 'b/x'}
    """
    distinct = list(dict.fromkeys(paths))
    bare = {path: _STEM.sub("", path) for path in distinct}
    forms: list[Callable[[str], str]] = [
        lambda path: Path(bare[path]).name,
        lambda path: Path(path).name,
        lambda path: "/".join(Path(bare[path]).parts[-2:]),
    ]
    for form in forms:
        names = {path: form(path) for path in distinct}
        if len(set(names.values())) == len(distinct) and all(names.values()):
            return names
    return {path: path for path in distinct}


def _read(kind: str, paths: Sequence[str], **options: str) -> pd.DataFrame:
    return _read_frames(kind, paths, **options)[kind]


def _read_frames(kind: str, paths: Sequence[str], **options: str) -> dict[str, pd.DataFrame]:
    sources = [open_source(path) for path in paths]
    return read_files(kind, sources, **options).frames
