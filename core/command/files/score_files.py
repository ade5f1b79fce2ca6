"""Arguments of commands that score runs against qrels, and reading what they name."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence

import pandas as pd

from core.collection.files.numbers import parse_number
from core.collection.formats import read_import
from core.collection.qrels_and_runs.trec import with_unjudged
from core.collection.topics_and_documents.words import add_words
from core.command.arguments import TakesArguments, open_source
from core.command.files.weight_files import WEIGHTS_HELP, read_weights
from core.command.printing.output import show_progress
from core.errors import BadInput
from core.measures.base import Measure, Weights
from core.measures.catalogue import parse_measure
from core.measures.ranking import Rankings


def add_score_files(parser: ArgumentParser) -> None:
    """Add ``--qrels``, ``--run``, ``--measure`` and how they are read."""
    parser.add_argument(
        "--qrels", nargs="+", action="extend", required=True, metavar="Q", help="TREC qrels"
    )
    add_run_files(parser)


def add_run_files(parser: TakesArguments, *, required: bool = True) -> None:
    """Add ``--run``, ``--measure`` and how they are read."""
    for name, dest, metavar, meaning in (
        ("--run", "runs", "R", "TREC runs; every tag in them is a system"),
        ("--measure", "measures", "M", "such as nDCG@10"),
    ):
        parser.add_argument(
            name,
            nargs="+",
            action="extend",
            required=required,
            dest=dest,
            metavar=metavar,
            type=parse_measure_text if dest == "measures" else str,
            help=meaning,
        )
    parser.add_argument(
        "--level",
        type=parse_level,
        metavar="L",
        help="level from which documents count as relevant in measures such as P and AP (default "
        "1), where their own text does not say; they are then shown as P(rel=L)",
    )
    parser.add_argument("--weights", metavar="FILE", help=f"for gain='udm', {WEIGHTS_HELP}")
    parser.add_argument(
        "--documents",
        nargs="+",
        action="extend",
        metavar="D",
        help="documents, whose lengths TBG reckons with; without them all count as equally long",
    )
    parser.add_argument(
        "--empty-topics", action="store_true", help="count topics with nothing to find as 0"
    )
    parser.add_argument(
        "--system-from",
        choices=("tag", "file"),
        default="tag",
        help="call a system what its run's last column says (default), or its file",
    )


def parse_measure_text(text: str) -> str:
    """Return the text of a measure, once it is known to be one."""
    try:
        parse_measure(text)
    except BadInput as error:
        raise ArgumentTypeError(str(error)) from error
    return text


def parse_level(text: str) -> float:
    """Return a level from which documents count as relevant."""
    level = parse_number(text)
    if not level > 0:
        raise ArgumentTypeError(f"'{text}' is not a level above 0")
    return level


def read_measures(arguments: Namespace) -> list[Measure]:
    """Return the measures; what a text says itself goes before ``--level``."""
    defaults = {} if arguments.level is None else {"rel": arguments.level}
    return [parse_measure(text, **defaults) for text in arguments.measures]


def read_score_weights(arguments: Namespace) -> Weights | None:
    """Return what ``gain='udm'`` stands for, where a file says it."""
    return read_weights(arguments.weights) if arguments.weights else None


def read_runs(arguments: Namespace) -> pd.DataFrame:
    """Return the runs as one frame, with the documents' lengths where these are given."""
    runs = _read("runs", arguments.runs, system_from=arguments.system_from)
    documents = vars(arguments).get("documents")
    return add_words(runs, _read("documents", documents)) if documents else runs


def read_qrels(path: str) -> pd.DataFrame:
    """Return the judgements of one file."""
    return _read("qrels", [path])


def read_sampled_qrels(path: str) -> pd.DataFrame:
    """Return the judgements of one file and, at levels below 0, what was pooled and not judged."""
    return with_unjudged(_read_frames("qrels", [path]))


def describe_gaps(rankings: Rankings, qrels: str) -> list[str]:
    """Return what runs and judgements do not have in common, as notes."""
    notes = []
    if unknown := len(rankings.unknown_topics):
        notes.append(f"{qrels}: topics of the runs without a judgement, left out: {unknown:,}")
    for system, topics in rankings.missing().groupby("system").size().items():
        notes.append(f"{system}: judged topics without a line, which score 0: {topics:,}")
    return notes


def _read(kind: str, paths: Sequence[str], **options: str) -> pd.DataFrame:
    return _read_frames(kind, paths, **options)[kind]


def _read_frames(kind: str, paths: Sequence[str], **options: str) -> dict[str, pd.DataFrame]:
    sources = [open_source(path) for path in paths]
    return read_import(kind, sources, progress=show_progress, **options).frames
