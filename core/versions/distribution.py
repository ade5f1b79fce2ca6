"""How the levels of a qrels version are spread (Sakai 2017, Table 2)."""

from itertools import pairwise

import numpy as np
import pandas as pd

from core.versions.versions import QrelsVersion

MOST_LEVELS = 8
BINS = 5


def level_distribution(version: QrelsVersion) -> pd.DataFrame:
    """Count the judgements of each level.

    Parameters
    ----------
    version : QrelsVersion
        Whose levels.

    Returns
    -------
    DataFrame
        ``level`` (float), ``written`` (text), ``documents`` (int), ``share`` in [0, 1], which
        add up to 1; by ascending level. Whole levels between the lowest and ``gmax`` that
        nobody gave are listed with 0. A version with more than eight different levels is counted
        in five equally wide bins from its lowest level to ``gmax``; then ``level`` is where a bin
        begins, and a bin holds its beginning but not its end, the last one both.
    """
    levels = version.frame["level"].to_numpy(np.float64)
    known = np.unique(levels)
    lowest, highest = min(known[0], 0.0), max(known[-1], version.gmax)
    whole = bool((known == np.floor(known)).all()) and highest - lowest < MOST_LEVELS
    if whole:
        known = np.arange(lowest, np.floor(highest) + 1)
    if whole or len(known) <= MOST_LEVELS:
        numbers = np.bincount(np.searchsorted(known, levels), minlength=len(known))
        written = [f"{level:.3g}" for level in known]
    else:
        numbers, edges = np.histogram(levels, bins=BINS, range=(float(lowest), float(highest)))
        known = edges[:-1]
        written = [f"{low:.2g}–{high:.2g}" for low, high in pairwise(edges)]
    return pd.DataFrame(
        {
            "level": known,
            "written": written,
            "documents": numbers.astype(np.int64),
            "share": numbers / len(levels),
        }
    )
