"""Expected scores of rankings with ties, over random orders of what is tied, in closed form.

References
----------
McSherry and Najork (2008), Computing information retrieval performance measures efficiently in the
presence of tied scores, ECIR, doi:10.1007/978-3-540-78646-7_38.
"""

from collections.abc import Callable

import numpy as np

from core.agreement.intervals import Floats, divide
from core.measures.ranked import Integers


def expect_gap(counts: Floats, gains: Floats) -> Floats:
    """Return the expected graded average precision, which is AP where gains are 0 and 1.

    Parameters
    ----------
    counts : array, shape (n_blocks, n_groups, n_levels)
        Documents by tied group, first ranked first, and by level in the reference.
    gains : array, shape (n_blocks, n_levels)
        The gain of a level of the reference, at least 0.

    Returns
    -------
    array, shape (n_blocks,)
        In [0, 1]; NaN where nothing has a gain, or something an unknown one.
    """
    total, below = np.zeros(len(counts)), np.zeros(len(counts))
    for threshold in np.sort(gains, axis=1).T:
        relevant = (counts * (gains >= threshold[:, None])[:, None, :]).sum(axis=2)
        total += (threshold - below) * _precision_sum(relevant, counts.sum(axis=2))
        below = threshold
    return divide(total, np.einsum("brc,bc->b", counts, gains))


def expect_ndcg(counts: Floats, gains: Floats, discount: Callable[[Integers], Floats]) -> Floats:
    """Return the expected nDCG over all ranks, shape (n_blocks,).

    Parameters
    ----------
    counts, gains
        See ``expect_gap``.
    discount : callable
        From ranks, from 1, to what gains are multiplied with there.
    """
    depth = int(counts.sum(axis=(1, 2)).max(initial=0))
    summed = np.concatenate([[0.0], np.cumsum(discount(np.arange(1, depth + 1)))])
    found = np.einsum("brc,bc->br", counts, gains)
    order = np.argsort(-gains, axis=1, kind="stable")
    ideal = np.take_along_axis(counts.sum(axis=1), order, axis=1)
    best = (np.take_along_axis(gains, order, axis=1) * _span(ideal, summed)).sum(axis=1)
    shown = counts.sum(axis=2)
    return divide((_divide_or_0(found, shown) * _span(shown, summed)).sum(axis=1), best)


def _precision_sum(relevant: Floats, shown: Floats) -> Floats:
    """Return the expected sum of the precision at relevant documents, shape (n_blocks,).

    Of n tied documents after N others, r are relevant, after R others: the j-th of them is
    relevant with chance r/n, and (j − 1)(r − 1)/(n − 1) of those tied before it are expected to
    be so, too.
    """
    depth = int(shown.sum(axis=1).max(initial=0))
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, depth + 1))])
    before = np.cumsum(shown, axis=1) - shown
    relevant_before = np.cumsum(relevant, axis=1) - relevant
    reciprocal = _span(shown, harmonic)
    pace = _divide_or_0(relevant - 1, shown - 1)
    tied_before = pace * (shown - (before + 1) * reciprocal)
    each = _divide_or_0(relevant, shown) * ((relevant_before + 1) * reciprocal + tied_before)
    total: Floats = each.sum(axis=1)
    return total


def _span(sizes: Floats, summed: Floats) -> Floats:
    """Return the sum over the ranks of each tied group, groups one after another."""
    ends = np.cumsum(sizes, axis=1).astype(np.int64)
    starts = ends - sizes.astype(np.int64)
    spans: Floats = summed[ends] - summed[starts]
    return spans


def _divide_or_0(numerator: Floats, denominator: Floats) -> Floats:
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)
