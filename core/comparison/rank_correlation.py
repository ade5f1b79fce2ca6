"""How alike two orders of the same systems are.

Kendall's τ-b and Spearman's ρ are scipy's. τ-a, and the interval of τ without a resampling, it does
not have.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Literal, SupportsFloat

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from core.agreement.intervals import Z95, Floats
from core.comparison.ties import tie_close
from core.comparison.top_weighted import rbo, tau_ap

COEFFICIENTS = ("tau", "low", "high", "tau_ap", "spearman", "rbo")
"""The columns of `compare_rankings` that say how alike two orders are; two are τ's limits."""


def kendall_tau(first: ArrayLike, second: ArrayLike, kind: Literal["a", "b"] = "b") -> float:
    """Kendall's rank correlation of two scorings of the same items.

    Parameters
    ----------
    first, second : array_like, shape (n_items,)
        Scores, or ranks in both; only their order matters.
    kind : {'a', 'b'}, default 'b'
        ``a`` divides by all pairs, ``b`` corrects for ties. Without ties they agree.

    Returns
    -------
    float
        In [-1, 1]; 1 same order, -1 reversed. NaN for fewer than two items, and for ``b`` when
        all items are tied in one of the scorings.

    References
    ----------
    Kendall (1945), Biometrika 33(3), doi:10.1093/biomet/33.3.239.

    Examples
    --------
    >>> kendall_tau([1, 2, 3, 4, 5], [2, 3, 1, 5, 4])
    0.4
    """
    if np.size(first) < 2:
        return float("nan")
    if kind == "a":
        return float(np.mean(_pair_signs(first) * _pair_signs(second)))
    from scipy.stats import kendalltau  # costs a second, which a server need not wait for

    return _settle(kendalltau(tie_close(first), tie_close(second)).statistic)


def tau_interval(
    first: ArrayLike, second: ArrayLike, kind: Literal["a", "b"] = "b"
) -> tuple[float, float]:
    """95 % limits of Kendall's τ, by its asymptotic variance.

    Two orders are taken for equivalent when the upper limit reaches 1.

    Parameters
    ----------
    first, second, kind
        See `kendall_tau`.

    Returns
    -------
    low, high : float
        τ ± 1.96 standard errors; they may lie outside [-1, 1]. Both are τ for the same order
        without ties, and NaN where τ is.

    Notes
    -----
    Hollander and Wolfe's variance is based on the excess of agreeing over disagreeing items that
    each item has. Tied pairs are neither; τ-b's standard error is that of τ-a under the same
    correction for ties.

    References
    ----------
    Hollander and Wolfe (1999), Nonparametric Statistical Methods, 2nd edition, section 8.3.
    Fligner and Rust (1983), Communications in Statistics 12(14).
    """
    tau, items = kendall_tau(first, second, kind), np.size(first)
    if np.isnan(tau):
        return tau, tau
    signs = _sign_matrix(first) * _sign_matrix(second)
    pairs = items * (items - 1) / 2
    plain = signs.sum() / 2 / pairs
    by_item = 2 * (items - 2) / (items * (items - 1) ** 2) * np.var(signs.sum(axis=1)) * items
    variance = max(by_item + np.abs(signs).sum() / 2 / pairs - plain**2, 0) / pairs
    half = Z95 * float(np.sqrt(variance)) * _tie_correction(first, second, kind)
    return tau - half, tau + half


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    """Spearman's rank correlation; items that tie share the mean of their ranks.

    Parameters
    ----------
    first, second : array_like, shape (n_items,)
        Scores, or ranks in both; only their order matters.

    Returns
    -------
    float
        In [-1, 1]; 1 same order, -1 reversed. NaN for fewer than two items, and when all are tied
        in one of the scorings.

    References
    ----------
    Spearman (1904), American Journal of Psychology 15(1), doi:10.2307/1412159.
    """
    left, right = tie_close(first), tie_close(second)
    if len(left) < 2 or 0 in (np.ptp(left), np.ptp(right)):
        return float("nan")
    from scipy.stats import spearmanr

    return _settle(spearmanr(left, right).statistic)


def _settle(coefficient: SupportsFloat) -> float:
    """Round away what scipy's division leaves, so that the same order is exactly 1."""
    return round(float(coefficient), 15)


def _sign_matrix(values: ArrayLike) -> Floats:
    """Return the sign of the difference of every two items, shape (n, n)."""
    array = tie_close(values)
    signs: Floats = np.sign(array[:, np.newaxis] - array)
    return signs


def _tie_correction(first: ArrayLike, second: ArrayLike, kind: Literal["a", "b"]) -> float:
    """Return what a coefficient over all pairs is multiplied with."""
    if kind == "a":
        return 1.0
    left, right = np.abs(_pair_signs(first)), np.abs(_pair_signs(second))
    return float(len(left) / np.sqrt(left.sum() * right.sum()))


def _pair_signs(values: ArrayLike) -> Floats:
    """Return the sign of the difference of every pair, shape (n(n - 1)/2,)."""
    array = tie_close(values)
    upper, lower = np.triu_indices(len(array), k=1)
    signs: Floats = np.sign(array[lower] - array[upper])
    return signs


def compare_rankings(
    ranked: pd.DataFrame, by: str = "version", kind: Literal["a", "b"] = "b"
) -> pd.DataFrame:
    """Return how alike the orders of systems are under every two conditions.

    Parameters
    ----------
    ranked : DataFrame
        As `rank_systems` returns it.
    by : str, default 'version'
        The column that tells the conditions apart.
    kind : {'a', 'b'}, default 'b'
        How ties count, see `kendall_tau`.

    Returns
    -------
    DataFrame
        ``first, second, systems, tau, low, high, tau_ap, spearman, rbo`` for every pair of
        conditions, over the systems that both rank; ``systems`` is their number. ``low, high`` are
        τ's limits; `tau_ap` takes the first condition for the truth; `rbo` is with p = .9. All are
        NaN for fewer than two systems.
    """
    ranks = ranked.pivot(index="system", columns=by, values="rank")
    rows = []
    for first, second in combinations(ranked[by].unique(), 2):
        both = ranks[[first, second]].dropna()
        rows.append((first, second, len(both), *_correlate(both[first], both[second], kind)))
    return pd.DataFrame(rows, columns=["first", "second", "systems", *COEFFICIENTS])


def _correlate(
    first: "pd.Series[float]", second: "pd.Series[float]", kind: Literal["a", "b"]
) -> Iterator[float]:
    """Yield the coefficients of two columns of ranks, 1 the best."""
    yield kendall_tau(first, second, kind)
    yield from tau_interval(first, second, kind)
    yield tau_ap(-first, -second)
    yield spearman(first, second)
    yield rbo(-first, -second)
