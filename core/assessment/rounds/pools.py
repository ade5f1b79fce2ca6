"""Depth-k pools: which documents of which topics are to be judged."""

from collections.abc import Collection

import numpy as np
import pandas as pd

from core.collection.labels.counted_labels import counted_labels
from core.collection.labels.label_options import GOLD
from core.collection.records import PAGE, SNIPPET
from core.store.events.current_labels import write_out
from core.store.rounds.rounds import SNIPPET_ONLY

_ITEM = ["topic_id", "document_id"]


def pool_documents(runs: pd.DataFrame, depth: int) -> pd.DataFrame:
    """Return the union of the first ``depth`` documents of every run.

    Parameters
    ----------
    runs : DataFrame
        Columns system, topic_id, document_id, rank.
    depth : int
        How far down each run is taken, from 1.

    Returns
    -------
    DataFrame
        topic_id, document_id, best_rank, systems (how many contribute it); one row a pair,
        by topic, best rank and document.
    """
    top = runs[runs["rank"] <= depth]
    pool = top.groupby(["topic_id", "document_id"], as_index=False).agg(
        best_rank=("rank", "min"), systems=("system", "nunique")
    )
    return pool.sort_values(["topic_id", "best_rank", "document_id"], ignore_index=True)


def sample_topics(topics: list[str], share: float, rng: np.random.Generator) -> list[str]:
    """Return a random share of the topics, at least one, in their own order."""
    count = max(1, round(share * len(topics)))
    chosen = set(rng.choice(len(topics), size=count, replace=False).tolist())
    return [topic for place, topic in enumerate(topics) if place in chosen]


def labels_given(labels: pd.DataFrame, flow: str) -> pd.DataFrame:
    """Return who has labelled which document already, as far as a flow would ask for it.

    A document is labelled when its page is; where only snippets are judged, when a snippet is.
    Gold is nobody's label.

    Returns
    -------
    DataFrame
        topic_id, document_id, assessor_id, each once.
    """
    facet = SNIPPET if flow == SNIPPET_ONLY else PAGE
    given = counted_labels(labels, facet)
    given = given[given["assessor_id"] != GOLD]
    return write_out(given[["topic_id", "document_id", "assessor_id"]]).drop_duplicates()


def keep_lacking(
    pool: pd.DataFrame, given: pd.DataFrame, judges: int, lacking: int, present: Collection[str]
) -> pd.DataFrame:
    """Return what fewer than ``lacking`` assessors have labelled, and how many are missing.

    Parameters
    ----------
    pool : DataFrame
        Columns topic_id, document_id.
    given : DataFrame
        From ``labels_given``.
    judges : int
        k, how many are to have labelled each document in the end.
    lacking : int
        From 1 to k.
    present : collection of str
        Those who could be asked again.

    Returns
    -------
    DataFrame
        The rows that are kept, with judges (k less those who have labelled it, from 1) and
        judged_by (the present ones among them, as a tuple in order).
    """
    by = {item: tuple(sorted(ids)) for item, ids in given.groupby(_ITEM)["assessor_id"]}
    judged_by = [by.get(item, ()) for item in pool[_ITEM].itertuples(index=False, name=None)]
    missing = pd.Series([judges - len(ids) for ids in judged_by], index=pool.index, dtype="int64")
    asked = pd.Series(
        [tuple(one for one in ids if one in present) for ids in judged_by],
        index=pool.index,
        dtype="object",
    )
    return pool.assign(judges=missing, judged_by=asked)[missing > judges - lacking]


def split_batches(pool: pd.DataFrame, size: int | None, rng: np.random.Generator) -> pd.DataFrame:
    """Add the column ``batch``: 0 for all, or random batches of ``size`` within each topic.

    Batches are drawn at random so that none holds only the best documents. What does not lack
    equally many labels of the same people comes into batches of its own.
    """
    apart = [name for name in ("judges", "judged_by") if name in pool]
    if size is None and not apart:
        return pool.assign(batch=0)
    order = pool if size is None else pool.sample(frac=1, random_state=rng)
    within = order.groupby(["topic_id", *apart]).cumcount() // (size or len(order) + 1)
    if not apart:
        return pool.assign(batch=within)
    fewest = order.assign(judges=-order["judges"], within=within)
    group = fewest.groupby(["topic_id", *apart, "within"]).ngroup()
    first = group.groupby(order["topic_id"]).transform("min")
    return pool.assign(batch=group - first)
