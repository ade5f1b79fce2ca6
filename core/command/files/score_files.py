"""Reading what commands that score runs against qrels are given."""

from argparse import Namespace
from collections.abc import Sequence

import pandas as pd

from core.collection.qrels_and_runs.trec import with_unjudged
from core.collection.topics_and_documents.words import add_words
from core.command.arguments.shared import QRELS_READING, RUN_READING, chosen_reading
from core.command.files.opening import open_source
from core.command.files.reading import read_files
from core.command.files.weight_files import read_weights
from core.measures.base import Measure, Weights
from core.measures.catalogue import parse_measure
from core.measures.evaluate import describe_top
from core.measures.ranking import Rankings


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


def read_qrels(path: str, arguments: Namespace) -> pd.DataFrame:
    """Return the judgements of one file."""
    return _read("qrels", [path], **chosen_reading(arguments, QRELS_READING))


def read_sampled_qrels(path: str, arguments: Namespace) -> pd.DataFrame:
    """Return the judgements of one file and, at levels below 0, what was pooled and not judged."""
    given = chosen_reading(arguments, QRELS_READING)
    return with_unjudged(_read_frames("qrels", [path], **given))


def describe_gaps(rankings: Rankings, qrels: str, measures: Sequence[Measure] = ()) -> list[str]:
    """Return what runs and judgements do not have in common, and what is assumed, as notes."""
    top = describe_top(measures, rankings)
    notes = [f"{qrels}: {top}"] if top else []
    if unknown := len(rankings.unknown_topics):
        notes.append(f"{qrels}: topics of the runs without a judgement, left out: {unknown:,}")
    for system, topics in rankings.missing().groupby("system").size().items():
        notes.append(f"{system}: judged topics without a line, which score 0: {topics:,}")
    return notes


def _read(kind: str, paths: Sequence[str], **options: str) -> pd.DataFrame:
    return _read_frames(kind, paths, **options)[kind]


def _read_frames(kind: str, paths: Sequence[str], **options: str) -> dict[str, pd.DataFrame]:
    sources = [open_source(path) for path in paths]
    return read_files(kind, sources, **options).frames
