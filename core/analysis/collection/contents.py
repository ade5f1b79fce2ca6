"""What a collection holds, counted."""

import pandas as pd

from core.analysis.base.study import (
    Study,
    results_of,
    runs_of,
    stands_apart_from_labels,
)


@stands_apart_from_labels
def systems_of(study: Study) -> pd.DataFrame:
    """Return ``system, topics, lines, deepest, snippets``, a row for each system."""
    snippets = results_of(study).groupby("engine").size()
    by_system = runs_of(study).groupby("system", observed=True)
    table = by_system.agg(
        topics=("topic_id", "nunique"), lines=("document_id", "size"), deepest=("rank", "max")
    )
    table.index = table.index.astype("str")
    return table.assign(snippets=snippets).fillna({"snippets": 0}).astype("int64").reset_index()
