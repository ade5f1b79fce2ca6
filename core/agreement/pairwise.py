"""Agreement of two assessors, from confusion matrices of any number of pairs at once.

scikit-learn and statsmodels take one pair a call, where a bootstrap has thousands; the tests
compare with both.
"""

import re
from collections.abc import Sequence

import numpy as np

from core.agreement.confusion import Matrices
from core.agreement.intervals import Z95, delta_interval, divide, wilson_interval
from core.errors import BadInput

_BINARY = re.compile(r"binary\s*>=\s*(-?\d+)")
KAPPA_FORMULAS = ("cohen1968", "fleiss1969")
WEIGHTINGS = ("unweighted", "linear", "quadratic", "binary>=LEVEL")


def binary_level(weighting: str) -> int | None:
    """Return the level from which a binary weighting counts as relevant; None for the others."""
    match = _BINARY.fullmatch(weighting)
    return int(match[1]) if match else None


def agreement_weights(weighting: str, levels: Sequence[int]) -> Matrices:
    """Return how far two levels agree, from 0 (opposite ends) to 1 (the same).

    Parameters
    ----------
    weighting : str
        'unweighted', 'linear' (1 − |i−j|/(L−1) for positions i, j on the scale), 'quadratic'
        (1 − (i−j)²/(L−1)²) or 'binary>=LEVEL' (1 on the same side of that level).
    levels : sequence of int
        The L levels of the scale, ascending.

    Returns
    -------
    array, shape (L, L)

    Raises
    ------
    BadInput
        The weighting is none of these.
    """
    position = np.arange(len(levels), dtype=np.float64)
    apart = np.abs(position[:, np.newaxis] - position) / max(len(levels) - 1, 1)
    weights: dict[str, Matrices] = {
        "unweighted": np.equal(apart, 0).astype(np.float64),
        "linear": 1 - apart,
        "quadratic": 1 - apart**2,
    }
    if weighting in weights:
        return weights[weighting]
    threshold = binary_level(weighting)
    if threshold is None:
        raise BadInput(f"'{weighting}' is not a weighting; known are {', '.join(WEIGHTINGS)}")
    above = np.asarray(levels) >= threshold
    return np.equal(above[:, np.newaxis], above).astype(np.float64)


def raw_parts(matrix: Matrices, weights: Matrices) -> tuple[Matrices, Matrices]:
    """Return the (weighted) number of agreements and of items, each of the leading shape."""
    flat = flatten(matrix)
    return flat @ weights.ravel(), flat @ np.ones(weights.size)


def raw_agreement(
    matrix: Matrices, weighting: str = "unweighted", levels: Sequence[int] | None = None
) -> Matrices:
    """Share of the common items on which two assessors agree, not corrected for chance.

    Parameters
    ----------
    matrix : array, shape (..., L, L)
        Confusion matrices.
    weighting : str
        See ``agreement_weights``.
    levels : sequence of int, optional
        The levels; 0 … L−1 without.

    Returns
    -------
    array, shape (...)
        In [0, 1]; NaN without common items.
    """
    return divide(*raw_parts(matrix, weights_of(matrix, weighting, levels)))


def raw_interval(
    matrix: Matrices, weighting: str = "unweighted", levels: Sequence[int] | None = None
) -> tuple[Matrices, Matrices]:
    """Return the 95 % Wilson limits of the raw agreement; NaN without common items."""
    return wilson_interval(*raw_parts(matrix, weights_of(matrix, weighting, levels)))


def margins(matrix: Matrices) -> tuple[Matrices, Matrices]:
    """Return the items by level of the first and of the second assessor, shape (..., L) each."""
    size = np.shape(matrix)[-1]
    flat = flatten(matrix)
    return flat @ np.repeat(np.eye(size), size, axis=0), flat @ np.tile(np.eye(size), (size, 1))


def chance_agreement(rows: Matrices, columns: Matrices, weights: Matrices) -> Matrices:
    """Return the (weighted) number of items agreed on when levels are drawn from two margins."""
    every = np.ones(len(weights))
    items = rows @ every
    return (rows @ weights * columns) @ every / np.where(items > 0, items, 1)


def kappa_parts(matrix: Matrices, weights: Matrices) -> tuple[Matrices, Matrices]:
    """Return agreement beyond chance, reached and possible, in items: n(p_o − p_e), n(1 − p_e)."""
    agreed, items = raw_parts(matrix, weights)
    by_chance = chance_agreement(*margins(matrix), weights)
    return agreed - by_chance, items - by_chance


def cohen_kappa(
    matrix: Matrices, weighting: str = "unweighted", levels: Sequence[int] | None = None
) -> Matrices:
    """Chance-corrected agreement of two assessors.

    Parameters
    ----------
    matrix : array, shape (..., L, L)
        Confusion matrices; the order of the two assessors does not matter.
    weighting : str
        'unweighted', 'linear', 'quadratic' or 'binary>=LEVEL'.
    levels : sequence of int, optional
        The levels; 0 … L−1 without. Distances count positions on this scale, so that a level
        nobody used still separates its neighbours.

    Returns
    -------
    array, shape (...)
        At most 1; 1 complete, 0 chance. NaN without common items, and when chance alone makes
        the agreement complete (both used one and the same level).

    References
    ----------
    Cohen (1960), Educational and Psychological Measurement 20(1), doi:10.1177/001316446002000104;
    Cohen (1968), Psychological Bulletin 70(4), doi:10.1037/h0026256.

    Examples
    --------
    >>> round(float(cohen_kappa(np.array([[20.0, 5.0], [10.0, 15.0]]))), 3)
    0.4
    """
    return divide(*kappa_parts(matrix, weights_of(matrix, weighting, levels)))


def kappa_interval(
    matrix: Matrices,
    weighting: str = "unweighted",
    levels: Sequence[int] | None = None,
    formula: str = "cohen1968",
) -> tuple[Matrices, Matrices]:
    """95 % limits of Cohen's κ by a large-sample standard error.

    Parameters
    ----------
    matrix, weighting, levels
        As for ``cohen_kappa``.
    formula : {'cohen1968', 'fleiss1969'}
        κ ∓ 1.96 √((Σ w² p − p_o²)/n) / (1 − p_e), which takes the chance agreement as known; or
        that of Fleiss, Cohen and Everitt, which takes it as estimated.

    Returns
    -------
    low, high : array, shape (...)
        Not cut at 1. NaN where κ is.

    Raises
    ------
    BadInput
        The formula is unknown.

    References
    ----------
    Cohen (1968), Psychological Bulletin 70(4), doi:10.1037/h0026256;
    Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72(5), doi:10.1037/h0028106.
    """
    if formula not in KAPPA_FORMULAS:
        raise BadInput(f"'{formula}' is not an interval; known are {', '.join(KAPPA_FORMULAS)}")
    weights = weights_of(matrix, weighting, levels)
    if formula == "fleiss1969":
        counts = np.asarray(matrix, dtype=np.float64)
        return delta_interval(counts, weights, margins(counts), kappa_parts(counts, weights))
    flat = flatten(matrix)
    agreed, items = raw_parts(matrix, weights)
    beyond, possible = kappa_parts(matrix, weights)
    spread = np.maximum(flat @ (weights**2).ravel() - divide(agreed**2, items), 0)
    kappa, error = divide(beyond, possible), divide(np.sqrt(spread), possible)
    return kappa - Z95 * error, kappa + Z95 * error


def flatten(matrix: Matrices) -> Matrices:
    """Return the matrices as rows, which BLAS sums much faster than small axes."""
    counts = np.asarray(matrix, dtype=np.float64)
    return counts.reshape(*counts.shape[:-2], counts.shape[-2] * counts.shape[-1])


def weights_of(matrix: Matrices, weighting: str, levels: Sequence[int] | None) -> Matrices:
    """Return the agreement weights for the levels of some matrices; 0 … L−1 without a scale."""
    size = np.shape(matrix)[-1]
    return agreement_weights(weighting, range(size) if levels is None else levels)


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
