"""Scott's π: as Cohen's κ, with one distribution of levels for both assessors."""

from collections.abc import Sequence

import numpy as np

from core.agreement.confusion import Matrices
from core.agreement.intervals import delta_interval, divide
from core.agreement.pairwise import chance_agreement, margins, raw_parts, weights_of


def scott_pi(
    matrix: Matrices, weighting: str = "unweighted", levels: Sequence[int] | None = None
) -> Matrices:
    """Agreement of two assessors beyond chance, both drawing on one distribution of levels.

    Parameters
    ----------
    matrix, weighting, levels
        As for ``cohen_kappa``.

    Returns
    -------
    array, shape (...)
        At most 1; 1 complete, 0 chance. NaN without common items, and when one level only occurs.

    References
    ----------
    Scott (1955), Public Opinion Quarterly 19(3), doi:10.1086/266577.

    Examples
    --------
    >>> round(float(scott_pi(np.array([[20.0, 5.0], [10.0, 15.0]]))), 3)
    0.394
    """
    return divide(*pi_parts(matrix, weights_of(matrix, weighting, levels)))


def pi_parts(matrix: Matrices, weights: Matrices) -> tuple[Matrices, Matrices]:
    """Return agreement beyond chance, reached and possible, in items: as for κ, margins pooled."""
    agreed, items = raw_parts(matrix, weights)
    by_chance = pi_chance(*margins(matrix), weights)
    return agreed - by_chance, items - by_chance


def pi_chance(rows: Matrices, columns: Matrices, weights: Matrices) -> Matrices:
    """Return the (weighted) number of items agreed on by chance, from the two margins."""
    margin = (rows + columns) / 2
    return chance_agreement(margin, margin, weights)


def pi_interval(
    matrix: Matrices, weighting: str = "unweighted", levels: Sequence[int] | None = None
) -> tuple[Matrices, Matrices]:
    """95 % limits of Scott's π by Gwet's large-sample standard error; NaN where π is.

    References
    ----------
    Gwet (2008), British Journal of Mathematical and Statistical Psychology 61(1),
    doi:10.1348/000711006X126600.
    """
    weights = weights_of(matrix, weighting, levels)
    counts = np.asarray(matrix, dtype=np.float64)
    rows, columns = margins(counts)
    margin = (rows + columns) / 2
    return delta_interval(counts, weights, (margin, margin), pi_parts(counts, weights))
