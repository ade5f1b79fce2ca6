"""``dissent pool``: what the first k documents of every run make together."""

from argparse import ArgumentParser, Namespace

import pandas as pd

from core.assessment.pools import pool_documents
from core.assessment.rounds import preview_pool
from core.collection.export import write_tsv
from core.collection.formats import read_import
from core.command.arguments import add_store, add_table_format, open_source, parse_count
from core.command.printing.output import print_json, show_progress, write_output
from core.command.printing.tables import Cell, format_table
from core.command.stores import open_collection
from core.store.events.frames import read_labels, read_runs

_EXPLAINED = {
    "topics": "topics",
    "pairs": "pairs of topic and document",
    "labelled": "of these with a label",
    "without_text": "of these without a text, so that they cannot be judged",
    "unknown_topics": "of these with a topic that the collection does not describe",
    "assignable": "of these can be handed out",
}


def add_arguments(parser: ArgumentParser) -> None:
    """Describe the command."""
    parser.description = (
        "Count the pairs of topic and document among the first K of every run, of a collection "
        "or of run files; with -o write them as TSV, best rank first."
    )
    add_store(parser)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--collection", metavar="NAME", help="the collection's name or id")
    source.add_argument(
        "--run", nargs="+", action="extend", dest="runs", metavar="R", help="TREC runs instead"
    )
    parser.add_argument("--depth", required=True, type=parse_count(1), metavar="K", help="how far")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write the pairs: topic, document, rank, systems"
    )
    add_table_format(parser)


def run(arguments: Namespace) -> int:
    """Print the counts of a pool and write its pairs where asked for."""
    if arguments.runs and arguments.store:
        arguments.parser.error("--store goes with --collection, not with --run")
    pool, counts = (_pool_files if arguments.runs else _pool_collection)(arguments)
    if arguments.output:
        write_output(_write_pairs(pool), arguments.output)
    if arguments.output == "-":
        return 0
    if arguments.format == "json":
        print_json({"depth": arguments.depth, **counts})
    else:
        rows: list[list[Cell]] = [[count, _EXPLAINED[name]] for name, count in counts.items()]
        print(format_table([f"depth {arguments.depth}", ""], rows, title="Pool"))
    return 0


def _pool_files(arguments: Namespace) -> tuple[pd.DataFrame, dict[str, int]]:
    sources = [open_source(path) for path in arguments.runs]
    runs = read_import("runs", sources, progress=show_progress).frames["runs"]
    pool = pool_documents(runs, arguments.depth)
    return pool, {"topics": pool["topic_id"].nunique(), "pairs": len(pool)}


def _pool_collection(arguments: Namespace) -> tuple[pd.DataFrame, dict[str, int]]:
    """Return a collection's pool; a pair is labelled once anybody gave any facet a level."""
    with open_collection(arguments) as (store, collection_id):
        pool = pool_documents(read_runs(store, collection_id), arguments.depth)
        preview = preview_pool(store, collection_id, arguments.depth)
        labels = read_labels(store, collection_id, discussed=True)
    keys = ["topic_id", "document_id"]
    judged = labels.loc[labels["state"] == "level", keys].drop_duplicates()
    return pool, {
        "topics": pool["topic_id"].nunique(),
        "pairs": len(pool),
        "labelled": len(pool.merge(judged, on=keys)),
        "without_text": preview.without_text,
        "unknown_topics": preview.unknown_topics,
        "assignable": len(preview.pairs),
    }


def _write_pairs(pool: pd.DataFrame) -> bytes:
    return write_tsv(pool.rename(columns={"topic_id": "topic", "document_id": "document"}))
