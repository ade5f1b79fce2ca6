"""Which pairs a round side by side would hand out."""

import pandas as pd

from core.analysis.agreement.preferences import preferences_on
from core.analysis.base.study import (
    Study,
    follows_labels,
    labels_of,
    runs_of,
    stands_apart_from_labels,
)
from core.assessment.rounds.rounds import preview_pool
from core.collection.labels.counted_labels import counted_labels
from core.collection.records import DOCUMENTS, PAIR, SYSTEMS
from core.preference.pairs import choose_pairs
from core.reports.sampling import new_rng
from core.store.events.current_labels import write_out
from core.store.rounds.pairs import list_pairs
from core.store.rounds.rounds import PAGE_ONLY, SIDE_BY_SIDE, SNIPPET_ONLY


def compared_kind(flow: str) -> str:
    """Return what a flow of a round side by side compares: systems or documents."""
    return SYSTEMS if flow.startswith("systems") else DOCUMENTS


@stands_apart_from_labels
def _system_pairs(study: Study, depth: int) -> pd.DataFrame:
    """Return the systems of each topic; those that show the same have the same content."""
    runs = runs_of(study)
    top = write_out(runs[runs["rank"] <= depth]).sort_values("rank", kind="stable")
    lists = top.groupby(["topic_id", "system"])["document_id"].agg("\x1f".join)
    return lists.rename("content").reset_index().rename(columns={"system": "item"})


@follows_labels
def _document_pairs(study: Study, depth: int, facet: str, with_snippet: bool) -> pd.DataFrame:
    """Return the pooled documents with their best rank and their mean level so far."""
    flow = SNIPPET_ONLY if with_snippet else PAGE_ONLY
    pool = preview_pool(study.store, study.collection_id, depth, flow).pairs
    labels = labels_of(study)
    given = counted_labels(labels, facet)
    levels = given.groupby(["topic_id", "document_id"])["level"].mean().rename("level")
    joined = pool.join(levels.astype("float64"), on=["topic_id", "document_id"])
    columns = {"document_id": "item", "best_rank": "rank"}
    return joined.rename(columns=columns)[["topic_id", "item", "rank", "level"]]


@follows_labels
def choose_candidates(
    study: Study, flow: str, depth: int, method: str, budget: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the candidates and the pairs chosen among them."""
    kind, facet = compared_kind(flow), SIDE_BY_SIDE[flow][-1].removesuffix(PAIR)
    if kind == SYSTEMS:
        candidates = _system_pairs(study, depth)
    else:
        candidates = _document_pairs(study, depth, facet, "snippet" in flow)
    if method == "adjacent":
        candidates = candidates.dropna(subset="level")
    elif "level" in candidates:
        candidates = candidates.drop(columns="level")
    strengths = preferences_on(study, kind, facet).strengths if method == "adaptive" else None
    earlier = list_pairs(study.store, study.collection_id, kind)
    chosen = choose_pairs(
        candidates, method, budget, new_rng(), strengths=strengths, judged=earlier
    )
    return candidates, chosen
