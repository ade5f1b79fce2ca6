"""Depth-k pools: which documents of which topics are to be judged."""

import numpy as np
import pandas as pd


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


def split_batches(pool: pd.DataFrame, size: int | None, rng: np.random.Generator) -> pd.DataFrame:
    """Add the column ``batch``: 0 for all, or random batches of ``size`` within each topic.

    Batches are drawn at random so that none holds only the best documents.
    """
    if size is None:
        return pool.assign(batch=0)
    order = pool.sample(frac=1, random_state=rng)
    batch = order.groupby("topic_id").cumcount() // size
    return pool.assign(batch=batch)
