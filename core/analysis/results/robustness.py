"""How robust measures are on a collection (Demeester et al. 2014, table 2)."""

import pandas as pd

from core.analysis.base.labels import ratings_of
from core.analysis.base.study import Study, follows_labels
from core.comparison.robustness import evaluate_mutually, summarise_robustness


@follows_labels
def robustness_of(study: Study, facet: str, top: int) -> pd.DataFrame:
    """Return table 2 of the paper for this collection."""
    return summarise_robustness(evaluate_mutually(ratings_of(study, facet), top))
