"""How alike two orders are at the top, of many samples of topics at once."""

import numpy as np

from core.agreement.intervals import Floats
from core.comparison.permutation import tolerance
from core.comparison.tau_limits import correlate


def correlate_weighted(first: Floats, second: Floats) -> Floats:
    """Return τ_AP of the means of each sample; see ``top_weighted.tau_ap``.

    Parameters
    ----------
    first, second : array, shape (samples, n_systems)
        The first is the truth.

    Returns
    -------
    array, shape (samples,)
        In [-1, 1]; NaN for fewer than two systems.
    """
    samples, systems = second.shape
    if systems < 2:
        return np.full(samples, np.nan)
    levels = tolerance(first), tolerance(second)
    # Systems that tie from rank r on share the mean of 1/(r - 1), 1/r and so on.
    harmonic = np.concatenate([[0.0, 0.0], np.cumsum(1 / np.arange(1, systems))])
    total = np.zeros(samples)
    for one in range(systems):
        apart = second - second[:, [one]]
        above = apart > levels[1]
        truth = first - first[:, [one]]
        right = (((truth > levels[0]) * 1.0 - (truth < -levels[0])) * above).sum(axis=1)
        before, tied = above.sum(axis=1), (np.abs(apart) <= levels[1]).sum(axis=1)
        total += right * (harmonic[before + tied] - harmonic[before]) / tied
    weighted: Floats = np.round(total / (systems - 1), 12)
    return weighted


def correlate_best(first: Floats, second: Floats, best: int) -> Floats:
    """Return τ-b over the systems that are best by the first, in each sample its own.

    Parameters
    ----------
    first, second : array, shape (samples, n_systems)
        Means.
    best : int
        How many systems, at least two; of those that tie, the first in order are taken.

    Returns
    -------
    array, shape (samples,)
        In [-1, 1]; NaN where all of them tie in one of the orders.
    """
    order = np.argsort(-first, axis=1, kind="stable")[:, :best]
    chosen = (np.take_along_axis(means, order, axis=1) for means in (first, second))
    return correlate(*chosen)
