"""Which labels count: the one place where this is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def counted_labels(labels: pd.DataFrame, facet: str = "") -> pd.DataFrame:
    """Return the labels that are an opinion of their own.

    Those are levels, given where an item came up for the first time. *Cannot judge* is no level,
    and a hidden repeat asks the same person the same question again.

    Parameters
    ----------
    labels : DataFrame
        With ``state``; ``occasion`` may be missing, then no label is a repeat. Preferences have
        the same columns and count in the same way.
    facet : str
        Only the labels of this facet; of all by default.

    Returns
    -------
    DataFrame
        Some of the rows, as they were.
    """
    chosen = labels["state"] == "level"
    if "occasion" in labels:
        chosen &= labels["occasion"] == 0
    if facet:
        chosen &= labels["facet"] == facet
    return labels[chosen]
