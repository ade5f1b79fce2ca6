"""What a round would hand out."""

import pandas as pd

from core.analysis.base.study import (
    Study,
    follows_labels,
    labels_of,
    runs_of,
    stands_apart_from_labels,
)
from core.assessment.rounds.rounds import Pooled, preview_pool
from core.collection.labels.counted_labels import counted_labels
from core.store.events.current_labels import write_out
from core.store.rounds.rounds import PAGE_ONLY, SNIPPET_ONLY


@stands_apart_from_labels
def system_pairs(study: Study, depth: int) -> pd.DataFrame:
    """Return the systems of each topic; those that show the same have the same content."""
    runs = runs_of(study)
    top = write_out(runs[runs["rank"] <= depth]).sort_values("rank", kind="stable")
    lists = top.groupby(["topic_id", "system"])["document_id"].agg("\x1f".join)
    return lists.rename("content").reset_index().rename(columns={"system": "item"})


@follows_labels
def document_pairs(study: Study, depth: int, facet: str, with_snippet: bool) -> pd.DataFrame:
    """Return the pooled documents with their best rank and their mean level so far."""
    flow = SNIPPET_ONLY if with_snippet else PAGE_ONLY
    pool = preview_pool(study.store, study.collection_id, depth, flow).pairs
    labels = labels_of(study)
    given = counted_labels(labels, facet)
    levels = given.groupby(["topic_id", "document_id"])["level"].mean().rename("level")
    joined = pool.join(levels.astype("float64"), on=["topic_id", "document_id"])
    columns = {"document_id": "item", "best_rank": "rank"}
    return joined.rename(columns=columns)[["topic_id", "item", "rank", "level"]]


@stands_apart_from_labels
def pool_of(study: Study, depth: int, flow: str) -> Pooled:
    """Return what a pool of this depth would hold."""
    return preview_pool(study.store, study.collection_id, depth, flow)
