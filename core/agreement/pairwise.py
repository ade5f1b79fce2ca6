"""Agreement of two assessors, from confusion matrices of any number of pairs at once."""

import re
from collections.abc import Sequence

import numpy as np

from core.agreement.confusion import Matrices
from core.agreement.intervals import Z95, divide, wilson_interval
from core.errors import BadInput

_BINARY = re.compile(r"binary\s*>=\s*(-?\d+)")
WEIGHTINGS = ("unweighted", "linear", "quadratic", "binary>=LEVEL")


def binary_level(weighting: str) -> int | None:
    """Return the grade from which a binary weighting counts as relevant; None for the others."""
    match = _BINARY.fullmatch(weighting)
    return int(match[1]) if match else None


def agreement_weights(weighting: str, levels: Sequence[int]) -> Matrices:
    """Return how far two levels agree, from 0 (opposite ends) to 1 (the same).

    Parameters
    ----------
    weighting : str
        'unweighted', 'linear' (1 − |i−j|/(L−1) for positions i, j on the scale), 'quadratic'
        (1 − (i−j)²/(L−1)²) or 'binary>=LEVEL' (1 on the same side of that grade).
    levels : sequence of int
        The L grades of the scale, ascending.

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
    flat = _flatten(matrix)
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
        The grades; 0 … L−1 without.

    Returns
    -------
    array, shape (...)
        In [0, 1]; NaN without common items.
    """
    return divide(*raw_parts(matrix, _weights_of(matrix, weighting, levels)))


def raw_interval(
    matrix: Matrices, weighting: str = "unweighted", levels: Sequence[int] | None = None
) -> tuple[Matrices, Matrices]:
    """Return the 95 % Wilson limits of the raw agreement; NaN without common items."""
    return wilson_interval(*raw_parts(matrix, _weights_of(matrix, weighting, levels)))


def kappa_parts(matrix: Matrices, weights: Matrices) -> tuple[Matrices, Matrices]:
    """Return agreement beyond chance, reached and possible, in items: n(p_o − p_e), n(1 − p_e)."""
    size = len(weights)
    flat = _flatten(matrix)
    rows = flat @ np.repeat(np.eye(size), size, axis=0)
    columns = flat @ np.tile(np.eye(size), (size, 1))
    items = rows @ np.ones(size)
    by_chance = (rows @ weights * columns) @ np.ones(size) / np.where(items > 0, items, 1)
    return flat @ weights.ravel() - by_chance, items - by_chance


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
        The grades; 0 … L−1 without. Distances count positions on this scale, so that a level
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
    return divide(*kappa_parts(matrix, _weights_of(matrix, weighting, levels)))


def kappa_interval(
    matrix: Matrices, weighting: str = "unweighted", levels: Sequence[int] | None = None
) -> tuple[Matrices, Matrices]:
    """95 % limits of Cohen's κ by Cohen's large-sample standard error of 1968.

    Parameters
    ----------
    matrix, weighting, levels
        As for ``cohen_kappa``.

    Returns
    -------
    low, high : array, shape (...)
        κ ∓ 1.96 √((Σ w² p − p_o²)/n) / (1 − p_e); not cut at 1. NaN where κ is.

    References
    ----------
    Cohen (1968), Psychological Bulletin 70(4), doi:10.1037/h0026256.
    """
    weights = _weights_of(matrix, weighting, levels)
    flat = _flatten(matrix)
    agreed, items = raw_parts(matrix, weights)
    beyond, possible = kappa_parts(matrix, weights)
    spread = np.maximum(flat @ (weights**2).ravel() - divide(agreed**2, items), 0)
    kappa, error = divide(beyond, possible), divide(np.sqrt(spread), possible)
    return kappa - Z95 * error, kappa + Z95 * error


def _flatten(matrix: Matrices) -> Matrices:
    """Return the matrices as rows, which BLAS sums much faster than small axes."""
    counts = np.asarray(matrix, dtype=np.float64)
    return counts.reshape(*counts.shape[:-2], counts.shape[-2] * counts.shape[-1])


def _weights_of(matrix: Matrices, weighting: str, levels: Sequence[int] | None) -> Matrices:
    size = np.shape(matrix)[-1]
    return agreement_weights(weighting, range(size) if levels is None else levels)
