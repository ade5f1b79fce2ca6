"""How alike two orders of the same systems are at the top, where it matters most."""

import numpy as np
from numpy.typing import ArrayLike

from core.comparison.permutation import tolerance
from core.comparison.tau_limits import correlate
from core.comparison.ties import tie_close
from core.errors import BadInput
from core.measures.ranked import Floats, Integers


def tau_ap(first: ArrayLike, second: ArrayLike) -> float:
    """Rank correlation that weighs errors at the top more: AP's counterpart to Kendall's τ.

    Parameters
    ----------
    first, second : array_like, shape (n_items,)
        Scores of the same items, highest best. The first is the truth; the measure is not
        symmetric.

    Returns
    -------
    float
        In [-1, 1]; 1 same order, -1 reversed. NaN for fewer than two items. Ties in the second
        give the mean over all orders of what is tied; items tied in the truth count as half right
        in either order, so that it stays below 1.

    References
    ----------
    Yilmaz, Aslam and Robertson (2008), SIGIR, doi:10.1145/1390334.1390435.
    Urbano and Marrero (2017), ICTIR, doi:10.1145/3121050.3121106.

    Examples
    --------
    >>> tau_ap([4, 3, 2, 1], [3, 4, 2, 1]), tau_ap([3, 2, 1], [3, 1, 2])
    (0.3333333333333333, 0.5)
    """
    truth, ranks = tie_close(first), _ranks(second)
    if len(ranks) < 2:
        return float("nan")
    above = ranks < ranks[:, np.newaxis]
    right = (np.sign(truth - truth[:, np.newaxis]) * above).sum(axis=1)
    # Items that share ranks are as likely on each of them.
    mean = np.bincount(ranks, right) / np.maximum(np.bincount(ranks), 1)
    shares = mean[np.sort(ranks)][1:] / np.arange(1, len(ranks))
    return float(shares.mean())


def rbo(first: ArrayLike, second: ArrayLike, p: float = 0.9) -> float:
    """Rank-biased overlap of two orders of the same items, extrapolated beyond the last.

    Parameters
    ----------
    first, second : array_like, shape (n_items,)
        Scores, highest best.
    p : float, default 0.9
        How likely a reader is to go on to the next rank, above 0 and below 1: the top ten have
        86 % of the weight with .9.

    Returns
    -------
    float
        In [0, 1]; 1 same order. Its least value depends on the number of items, all of which both
        orders share. Tied items all stand on the first of their ranks; the overlap down to a rank
        is then twice the items in common over those in either, as in the form that Corsi and Urbano
        call RBO^w. NaN for fewer than two items.

    Raises
    ------
    BadInput
        p is not between 0 and 1.

    References
    ----------
    Webber, Moffat and Zobel (2010), ACM Transactions on Information Systems 28(4),
    doi:10.1145/1852102.1852106; Corsi and Urbano (2024), SIGIR, arXiv:2406.07121.
    """
    _check(p)
    both = [_ranks(values) for values in (first, second)]
    depth = np.arange(1, len(both[0]) + 1)
    if len(depth) < 2:
        return float("nan")
    shown = [ranks <= depth[:, np.newaxis] for ranks in both]
    overlap = 2 * (shown[0] & shown[1]).sum(axis=1) / (shown[0].sum(axis=1) + shown[1].sum(axis=1))
    return float((1 - p) / p * (overlap @ p**depth) + overlap[-1] * p ** depth[-1])


def rba(first: ArrayLike, second: ArrayLike, p: float = 0.9) -> float:
    """Rank-biased alignment of two orders of the same items, alike beyond the last.

    Rank k weighs (1 − p) p^(k − 1) in either order. An item adds the geometric mean of its two
    weights, and what lies beyond the last item p^n: unlike RBO it sees by how many ranks an item
    has moved.

    Parameters
    ----------
    first, second : array_like, shape (n_items,)
        Scores, highest best.
    p : float, default 0.9
        How likely a reader is to go on to the next rank, above 0 and below 1.

    Returns
    -------
    float
        In [0, 1]; 1 same order. Its least value depends on the number of items. Tied items share
        the mean weight of their ranks. NaN for fewer than two items.

    Raises
    ------
    BadInput
        p is not between 0 and 1.

    References
    ----------
    Moffat, Mackenzie, Mallia and Petri (2024), Rank-Biased Quality Measurement for Sets and
    Rankings, SIGIR-AP.
    """
    _check(p)
    both = [_ranks(values) for values in (first, second)]
    items = len(both[0])
    if items < 2:
        return float("nan")
    weight: Floats = (1 - p) * np.power(p, np.arange(items, dtype=np.float64))
    shared = [_share_ties(weight, ranks) for ranks in both]
    return float(np.sqrt(shared[0] * shared[1]).sum() + p**items)


def _share_ties(weight: Floats, ranks: Integers) -> Floats:
    """Return each item's weight, the mean of those of its ranks where several tie."""
    tied, number = np.unique(ranks, return_counts=True)
    mean = np.add.reduceat(weight, tied - 1) / number
    shared: Floats = mean[np.searchsorted(tied, ranks)]
    return shared


def _check(p: float) -> None:
    if not 0 < p < 1:
        raise BadInput("the probability to read on is between 0 and 1", field="p")


def _ranks(values: ArrayLike) -> Integers:
    """Return each item's rank by falling score, the best of them where several tie."""
    array = tie_close(values)
    ranks: Integers = 1 + (array > array[:, np.newaxis]).sum(axis=1)
    return ranks


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
