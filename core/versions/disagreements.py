"""Items on which assessors disagree, to be decided by somebody."""

import pandas as pd

from core.collection.labels.counted_labels import counted_labels
from core.versions.versions import ITEM


def list_disagreements(labels: pd.DataFrame, facet: str) -> pd.DataFrame:
    """Return the items of a facet that were given more than one level.

    Parameters
    ----------
    labels : DataFrame
        ``topic_id, document_id, facet, engine, level, state``, optional ``occasion``; only rows
        of state 'level' and occasion 0 count.
    facet : {'page', 'snippet'}
        Which items.

    Returns
    -------
    DataFrame
        ``topic_id, document_id, facet, engine, labels, lowest, highest, spread`` with spread =
        highest − lowest. The widest come first; of equally wide ones those with the larger
        standard deviation, then in order of topic, document and engine.
    """
    counted = counted_labels(labels)
    levels = counted[counted["facet"] == facet].groupby(ITEM)["level"]
    table = levels.agg(labels="size", lowest="min", highest="max", deviation="std").reset_index()
    table.insert(len(ITEM) + 3, "spread", table["highest"] - table["lowest"])
    table = table[table["spread"] > 0].sort_values(
        ["spread", "deviation", *ITEM], ascending=[False, False, *[True] * len(ITEM)]
    )
    return table.drop(columns="deviation").reset_index(drop=True)
