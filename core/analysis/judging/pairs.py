"""Which pairs a round side by side would hand out."""

import pandas as pd

from core.analysis.agreement.preferences import preferences_on
from core.analysis.base.study import Study, follows_labels
from core.analysis.judging.pools import document_pairs, system_pairs
from core.collection.records import DOCUMENTS, PAIR, SYSTEMS
from core.preference.pairs import choose_pairs
from core.reports.sampling import new_rng
from core.store.rounds.pairs import list_pairs
from core.store.rounds.rounds import SIDE_BY_SIDE


def compared_kind(flow: str) -> str:
    """Return what a flow of a round side by side compares: systems or documents."""
    return SYSTEMS if flow.startswith("systems") else DOCUMENTS


@follows_labels
def choose_candidates(
    study: Study, flow: str, depth: int, method: str, budget: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the candidates and the pairs chosen among them."""
    kind, facet = compared_kind(flow), SIDE_BY_SIDE[flow][-1].removesuffix(PAIR)
    if kind == SYSTEMS:
        candidates = system_pairs(study, depth)
    else:
        candidates = document_pairs(study, depth, facet, "snippet" in flow)
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
