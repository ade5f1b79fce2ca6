"""Rank correlation step by step, for those who learn it."""

from itertools import combinations

import numpy as np
import pandas as pd


def rank_differences(ranks: pd.DataFrame) -> pd.DataFrame:
    """Return how far apart the two ranks of each item are.

    Parameters
    ----------
    ranks : DataFrame
        ``document, first, second``; the rank of each document in two rankings.

    Returns
    -------
    DataFrame
        The same rows with ``difference`` (first − second) and ``squared``. Spearman's coefficient
        is 1 − 6 Σ squared / (K (K² − 1)) for K documents without ties.
    """
    difference = ranks["first"] - ranks["second"]
    return ranks.assign(difference=difference, squared=difference**2)


def document_pairs(ranks: pd.DataFrame) -> pd.DataFrame:
    """Return for every two documents whether both rankings order them alike.

    Parameters
    ----------
    ranks : DataFrame
        ``document, first, second``, as for `rank_differences`.

    Returns
    -------
    DataFrame
        ``ahead, behind`` (as the first ranking has them), ``first, second`` (how many ranks
        ``ahead`` is before ``behind`` in each ranking; negative where it is after) and
        ``concordant``. The share of concordant pairs minus that of the others is Kendall's τ.
    """
    ordered = ranks.sort_values("first")
    by_document = {row.document: row for row in ordered.itertuples()}
    rows = [
        (ahead, behind, *(getattr(by_document[behind], one) - getattr(by_document[ahead], one)
                          for one in ("first", "second")))
        for ahead, behind in combinations(ordered["document"], 2)
    ]  # fmt: skip
    pairs = pd.DataFrame(rows, columns=["ahead", "behind", "first", "second"])
    return pairs.assign(concordant=np.sign(pairs["first"]) == np.sign(pairs["second"]))
