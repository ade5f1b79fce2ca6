"""Intervals: Wilson's, by derivatives, and percentiles of a bootstrap over topics."""

from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

Z95 = NormalDist().inv_cdf(0.975)


def divide(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient, NaN where the denominator is not above 0."""
    quotient = np.full(np.broadcast_shapes(numerator.shape, denominator.shape), np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient


def wilson_interval(successes: Floats, trials: Floats) -> tuple[Floats, Floats]:
    """95 % score limits of a proportion.

    Parameters
    ----------
    successes, trials : array, shape (...)

    Returns
    -------
    low, high : array, shape (...)
        In [0, 1]; NaN without trials.

    References
    ----------
    Wilson (1927), Journal of the American Statistical Association 22(158),
    doi:10.1080/01621459.1927.10502953.
    """
    failures = trials - successes
    centre = divide(successes + Z95**2 / 2, trials + Z95**2)
    half = Z95 * np.sqrt(divide(successes * failures, trials) + Z95**2 / 4) / (trials + Z95**2)
    return np.maximum(centre - half, 0), np.minimum(centre + half, 1)


def delta_interval(
    counts: Floats,
    weights: Floats,
    margins: tuple[Floats, Floats],
    parts: tuple[Floats, Floats],
) -> tuple[Floats, Floats]:
    """95 % limits of a weighted coefficient, from its derivative by the share of each cell.

    Parameters
    ----------
    counts : array, shape (..., L, L)
        Items by the level of the first and of the second assessor.
    weights : array, shape (L, L)
        How far two levels agree; symmetric.
    margins : pair of arrays, shape (..., L)
        The items by level that chance agreement is computed from: the first assessor's and the
        second's.
    parts : pair of arrays, shape (...)
        Agreement beyond chance, reached and possible, in items.

    Returns
    -------
    low, high : array, shape (...)
        NaN where the coefficient is.
    """
    value, possible = divide(*parts), parts[1]
    items = counts.sum(axis=(-2, -1))[..., np.newaxis]
    by_row = divide(margins[1] @ weights, items)[..., :, np.newaxis]
    by_column = divide(margins[0] @ weights, items)[..., np.newaxis, :]
    slope = weights - (by_row + by_column) * (1 - value)[..., np.newaxis, np.newaxis]
    total, squares = ((counts * part).sum(axis=(-2, -1)) for part in (slope, slope**2))
    spread = np.maximum(squares - divide(total**2, items[..., 0]), 0)
    error = divide(np.sqrt(spread), possible)
    return value - Z95 * error, value + Z95 * error


def draw_topics(topics: int, samples: int, rng: np.random.Generator) -> Floats:
    """Draw topics with replacement, as many as there are.

    Returns
    -------
    array, shape (samples, topics)
        How often each topic is in each sample; rows sum to ``topics``. The product with sums by
        topic gives the sums of every sample.
    """
    drawn = rng.integers(topics, size=(samples, topics))
    cells = drawn + np.arange(samples)[:, np.newaxis] * topics
    counts = np.bincount(cells.ravel(), minlength=samples * topics)
    return counts.reshape(samples, topics).astype(np.float64)


def percentile_interval(values: Floats) -> tuple[Floats, Floats]:
    """Return the 2.5th and 97.5th percentile over the last axis, undefined samples left out.

    Parameters
    ----------
    values : array, shape (..., samples)

    Returns
    -------
    low, high : array, shape (...)
        Linear interpolation between order statistics; NaN where no sample is defined.
    """
    ordered = np.sort(values, axis=-1)
    last = np.maximum(np.sum(~np.isnan(values), axis=-1, keepdims=True) - 1, 0)
    limits = []
    for share in (0.025, 0.975):
        at = last * share
        below = np.floor(at).astype(np.int64)
        under = np.take_along_axis(ordered, below, axis=-1)
        over = np.take_along_axis(ordered, np.minimum(below + 1, last), axis=-1)
        limits.append((under + (over - under) * (at - below))[..., 0])
    return limits[0], limits[1]
