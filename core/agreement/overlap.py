"""Overlap of the sets of items that two assessors judged relevant, and the ceiling it sets."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from core.agreement.confusion import Matrices
from core.agreement.intervals import divide


class Ceiling(NamedTuple):
    """How well one assessor's set does against the other's; arrays of one shape, or numbers.

    ``precision`` and ``recall`` are those of the second assessor's set with the first as judge;
    exchanging the two exchanges them. ``f`` is their harmonic mean, the same either way.
    """

    precision: Matrices
    recall: Matrices
    f: Matrices


def set_weights(level: int, levels: Sequence[int]) -> tuple[Matrices, Matrices]:
    """Return which cells are in both sets and which in either, shape (L, L) each, 0 or 1."""
    above = np.asarray(levels) >= level
    both, either = above[:, np.newaxis] & above, above[:, np.newaxis] | above
    return both.astype(np.float64), either.astype(np.float64)


def overlap(matrix: Matrices, level: int, levels: Sequence[int] | None = None) -> Matrices:
    """Size of the intersection of two assessors' relevant sets, over the size of their union.

    Parameters
    ----------
    matrix : array, shape (..., L, L)
        Confusion matrices; the order of the two assessors does not matter.
    level : int
        The level from which an item counts as relevant.
    levels : sequence of int, optional
        The levels; 0 … L−1 without.

    Returns
    -------
    array, shape (...)
        In [0, 1]; NaN when neither found a common item relevant.

    References
    ----------
    Voorhees (2000), Information Processing and Management 36(5),
    doi:10.1016/S0306-4573(00)00010-8.

    Examples
    --------
    >>> float(overlap(np.array([[50, 5], [10, 15]]), 1))
    0.5
    """
    both, first, second = _set_sizes(matrix, level, _scale(matrix, levels))
    return divide(both, first + second - both)


def overlap_ceiling(matrix: Matrices, level: int, levels: Sequence[int] | None = None) -> Ceiling:
    """Mutual precision and recall of two assessors: what no system can be expected to exceed.

    Parameters
    ----------
    matrix, level, levels
        As for ``overlap``; rows are the first assessor's levels.

    Returns
    -------
    Ceiling
        Each of shape (...), in [0, 1]. Precision is NaN when the second assessor found nothing
        relevant, recall when the first did, f when neither did.

    References
    ----------
    Voorhees (2000), section 2.

    Examples
    --------
    >>> ceiling = overlap_ceiling(np.array([[50, 5], [10, 15]]), 1)
    >>> float(ceiling.precision), float(ceiling.recall)
    (0.75, 0.6)
    """
    both, first, second = _set_sizes(matrix, level, _scale(matrix, levels))
    return Ceiling(divide(both, second), divide(both, first), divide(2 * both, first + second))


def _set_sizes(
    matrix: Matrices, level: int, levels: Sequence[int]
) -> tuple[Matrices, Matrices, Matrices]:
    """Return the sizes of the intersection and of the two sets."""
    counts = np.asarray(matrix, dtype=np.float64)
    above = (np.asarray(levels) >= level).astype(np.float64)
    by_column = above @ counts
    return by_column @ above, by_column.sum(axis=-1), (counts @ above).sum(axis=-1)


def _scale(matrix: Matrices, levels: Sequence[int] | None) -> Sequence[int]:
    return range(np.shape(matrix)[-1]) if levels is None else levels
