"""How much there is to read down to each document: for measures that reckon with time."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from core.measures.ranked import Floats, Integers, Ranked


@dataclass(frozen=True, eq=False)
class Reading:
    """Words of the documents in rankings; every array has one value for each retrieved cell.

    Parameters
    ----------
    own : array of float
        The words of the document; NaN where its length is not known.
    above : array of float
        The words of all documents above it whose length is known, judged or not.
    unknown : array of int
        How many documents above it have no known length.
    """

    own: Floats
    above: Floats
    unknown: Integers


def add_up_words(retrieved: Ranked, row: Integers, rank: ArrayLike, words: ArrayLike) -> Reading:
    """Return what there is to read down to each retrieved cell.

    Parameters
    ----------
    retrieved : Ranked
        The judged documents.
    row, rank : array of int, shape (n_lines,)
        Where every document stands, judged or not; ranks run 1, 2, 3 … in each row.
    words : array of float, shape (n_lines,)
        Its length, at least 0; NaN where it is not known.
    """
    ranks, lengths = np.asarray(rank, dtype=np.int64), np.asarray(words, dtype=np.float64)
    order = np.lexsort((ranks, row))
    sorted_row, sorted_words = row[order], lengths[order]
    missing = np.isnan(sorted_words)
    first = np.searchsorted(sorted_row, retrieved.row)
    place = first + retrieved.rank - 1
    known, unknown = (
        np.append(0, np.cumsum(values)) for values in (np.where(missing, 0, sorted_words), missing)
    )
    return Reading(
        sorted_words[place],
        np.asarray(known[place] - known[first], dtype=np.float64),
        np.asarray(unknown[place] - unknown[first], dtype=np.int64),
    )
