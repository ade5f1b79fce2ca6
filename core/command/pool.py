"""``dissent pool``: what the first k documents of every run make together, and what comes first."""

from argparse import Namespace
from dataclasses import dataclass

import pandas as pd

from core.analysis.base.declared import declared_of
from core.analysis.base.study import Study
from core.assessment.rounds.ordered_rounds import order_pool, place_relevance, share_relevant
from core.assessment.rounds.pools import pool_documents
from core.assessment.rounds.rounds import preview_pool
from core.collection.export.delimited import write_tsv
from core.collection.labels.counted_labels import counted_labels
from core.command.files.reading import open_source, read_files
from core.command.files.score_files import read_judgements
from core.command.printing.output import print_json, write_output
from core.command.printing.recording import print_data
from core.command.printing.tables import Cell, format_table
from core.command.stores import open_collection
from core.orders.base import parse_order
from core.orders.candidates import build_candidates
from core.store.events.frames import read_labels, read_runs
from core.store.people.roster import keep_persons

_PAIR = ("topic_id", "document_id", "best_rank", "systems")
_EXPLAINED = {
    "topics": "topics",
    "pairs": "pairs of topic and document",
    "labelled": "of these with a label",
    "without_text": "of these without a text, so that they cannot be judged",
    "unknown_topics": "of these with a topic that the collection does not describe",
    "assignable": "of these can be handed out",
    "chosen": "of these in the order of judging, as far as it goes",
}


def run(arguments: Namespace) -> int:
    """Print the counts of a pool and write its pairs where asked for."""
    if arguments.runs and arguments.store:
        arguments.parser.error("--store goes with --collection, not with --run")
    if not arguments.order and (arguments.judgements or arguments.budget):
        arguments.parser.error("--judgements and --budget go with --order")
    found = (_pool_files if arguments.runs else _pool_collection)(arguments)
    pool, counts = found.pool, found.counts
    if arguments.order:
        pool = _put_in_order(found, arguments)
        counts = {**counts, "chosen": len(pool)}
    if arguments.output:
        write_output(_write_pairs(pool), arguments.output)
    if arguments.output == "-":
        return 0
    if arguments.format == "json":
        print_json({"depth": arguments.depth, **counts})
    elif arguments.format == "csv":
        print_data(pd.DataFrame([{"depth": arguments.depth, **counts}]))
    else:
        rows: list[list[Cell]] = [[count, _EXPLAINED[name]] for name, count in counts.items()]
        print(format_table([f"depth {arguments.depth}", ""], rows, title="Pool"))
    return 0


@dataclass(frozen=True)
class _Found:
    """A pool: its runs, its pairs, what is counted of it, and how relevant pairs are."""

    runs: pd.DataFrame
    pool: pd.DataFrame
    counts: dict[str, int]
    shares: pd.DataFrame


def _pool_files(arguments: Namespace) -> _Found:
    sources = [open_source(path) for path in arguments.runs]
    runs = read_files("runs", sources).frames["runs"]
    pool = pool_documents(runs, arguments.depth)
    counts = {"topics": pool["topic_id"].nunique(), "pairs": len(pool)}
    return _Found(runs, pool, counts, _read_judgements(arguments))


def _pool_collection(arguments: Namespace) -> _Found:
    """Return a collection's pool; a pair is labelled once anybody gave any facet a level."""
    with open_collection(arguments) as (store, collection_id):
        runs = read_runs(store, collection_id)
        pool = pool_documents(runs, arguments.depth)
        preview = preview_pool(store, collection_id, arguments.depth)
        labels = read_labels(store, collection_id, discussed=True)
        of_people = keep_persons(store, collection_id, labels)
        facet = declared_of(Study(store, collection_id, is_masked=True)).facet
    keys = ["topic_id", "document_id"]
    judged = labels.loc[labels["state"] == "level", keys].drop_duplicates()
    counts = {
        "topics": pool["topic_id"].nunique(),
        "pairs": len(pool),
        "labelled": len(pool.merge(judged, on=keys)),
        "without_text": preview.without_text,
        "unknown_topics": preview.unknown_topics,
        "assignable": len(preview.pairs),
    }
    if arguments.judgements:
        shares = _read_judgements(arguments)
    else:
        shares = share_relevant(counted_labels(of_people, facet), arguments.relevant_from)
    return _Found(runs, pool, counts, shares)


def _read_judgements(arguments: Namespace) -> pd.DataFrame:
    if not arguments.judgements:
        return pd.DataFrame(columns=["topic_id", "document_id", "relevance"])
    return share_relevant(
        read_judgements(arguments.judgements, arguments).frame, arguments.relevant_from
    )


def _put_in_order(found: _Found, arguments: Namespace) -> pd.DataFrame:
    """Return the pairs as an order would have them judged, with place, probability and run."""
    candidates = build_candidates(found.runs, arguments.depth)
    chosen = order_pool(
        candidates,
        parse_order(arguments.order),
        place_relevance(candidates, found.shares),
        seed=arguments.seed,
        batch=arguments.batch,
        budget=arguments.budget,
    )
    # What nobody can say is left empty.
    chances = chosen["probability"].astype("object").where(chosen["probability"].notna(), "")
    found_there = found.pool.astype({"topic_id": "str", "document_id": "str"})
    return (
        chosen.assign(probability=chances)
        .merge(found_there, how="left")[[*_PAIR, "place", "probability", "system"]]
        .rename(columns={"system": "chosen_from"})
    )


def _write_pairs(pool: pd.DataFrame) -> bytes:
    return write_tsv(pool.rename(columns={"topic_id": "topic", "document_id": "document"}))
