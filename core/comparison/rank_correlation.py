"""How alike two orders of the same systems are.

Kendall's τ-b and Spearman's ρ are scipy's. τ-a, and the intervals of τ where systems are a sample,
it does not have.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Literal, SupportsFloat

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from core.agreement.intervals import Z95, Floats
from core.comparison.ties import tie_close
from core.comparison.top_weighted import rba, rbo, tau_ap

COEFFICIENTS = ("tau", "tau_ap", "spearman", "rbo", "rba")
"""The columns of `compare_rankings` that say how alike two orders are."""


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
    left, right = _pair_signs(first), _pair_signs(second)
    if kind == "a":
        return float(np.mean(left * right))
    untied = np.count_nonzero(left), np.count_nonzero(right)
    if 0 in untied:
        return float("nan")
    return _settle(np.clip(left @ right / np.sqrt(untied[0]) / np.sqrt(untied[1]), -1, 1))


def tau_interval(tau: float, systems: int) -> tuple[float, float]:
    """95 % limits of Kendall's τ where the systems are a sample of many.

    Parameters
    ----------
    tau : float
        Between two orders of the systems, in [-1, 1], or NaN.
    systems : int
        How many were drawn.

    Returns
    -------
    low, high : float
        In [-1, 1]; NaN where τ is, and for fewer than two systems. Two systems tell nothing: of
        two equal orders the limits are [-.9, 1].

    Notes
    -----
    All τ from which the observed one is not too far off at either end. Its distribution is taken
    for that of as many independent pairs as have its variance when scores are bivariate normal;
    what is observed counts half on either side (mid-p).

    References
    ----------
    Esscher (1924), Skandinavisk Aktuarietidskrift 7. Clopper and Pearson (1934).
    """
    if np.isnan(tau) or systems < 2:
        return float("nan"), float("nan")
    from scipy.special import betainc

    true = np.linspace(-1, 1, 402)[1:-1]
    rho = np.sin(np.pi / 2 * true)
    narrow = (2 / np.pi * np.arcsin(rho / 2)) ** 2
    spread = 1 - true**2 + 2 * (systems - 2) * (1 / 9 - narrow)
    variance = 2 / (systems * (systems - 1)) * spread
    pairs = (1 - true**2) / variance
    share, expected = (1 + tau) / 2, (1 + true) / 2
    agree, differ = pairs * share, pairs * (1 - share)
    reached = betainc(np.maximum(agree, _NONE), differ + 1, expected)
    passed = betainc(agree + 1, np.maximum(differ, _NONE), expected)
    above, below = (reached + passed) / 2, 1 - (reached + passed) / 2
    possible = true[(above >= _TAIL) & (below >= _TAIL)]
    step = true[1] - true[0]
    low = -1.0 if share == 0 else max(-1.0, min(tau, float(possible.min()) - step))
    high = 1.0 if share == 1 else min(1.0, max(tau, float(possible.max()) + step))
    return float(low), float(high)


_NONE, _TAIL = 1e-12, 0.025


def hollander_wolfe_interval(
    first: ArrayLike, second: ArrayLike, kind: Literal["a", "b"] = "b"
) -> tuple[float, float]:
    """95 % limits of Kendall's τ by its asymptotic variance, as Sakai (2017) prints them.

    By his rule two orders are equivalent when the upper limit reaches 1. With few systems the
    limits are too narrow: with 5 and a true τ of .87 they hold it in half of all cases.

    Parameters
    ----------
    first, second, kind
        See `kendall_tau`; systems are what is sampled.

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
    if len(left) < 2 or not np.minimum(np.ptp(left), np.ptp(right)) > 0:
        return float("nan")
    ranks = [_mean_ranks(one) for one in (left, right)]
    return _settle(np.asarray(np.corrcoef(np.column_stack(ranks), rowvar=False))[0, 1])


def _mean_ranks(values: Floats) -> Floats:
    """Return the rank of each value, from 1; equal ones share the mean of theirs."""
    _, at, count = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(count) - (count - 1) / 2)[at]
    return ranks


def _settle(coefficient: SupportsFloat) -> float:
    """Round away what division leaves, so that the same order is exactly 1."""
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
        ``first, second, systems, tau, tau_ap, spearman, rbo, rba`` for every pair of conditions,
        over the systems that both rank; ``systems`` is their number. `tau_ap` takes the first
        condition for the truth; `rbo` and `rba` are with p = .9. All are NaN for fewer than two
        systems.
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
    yield tau_ap(-first, -second)
    yield spearman(first, second)
    yield rbo(-first, -second)
    yield rba(-first, -second)


def rank_differences(ranks: pd.DataFrame) -> pd.DataFrame:
    """Return how far apart the two ranks of each item are.

    Parameters
    ----------
    ranks : DataFrame
        ``document, first, second``; the rank of each document in two rankings.

    Returns
    -------
    DataFrame
        The same rows with ``difference`` (first − second) and ``squared``. Spearman's coefficient
        is 1 − 6 Σ squared / (K (K² − 1)) for K documents without ties.
    """
    difference = ranks["first"] - ranks["second"]
    return ranks.assign(difference=difference, squared=difference**2)


def document_pairs(ranks: pd.DataFrame) -> pd.DataFrame:
    """Return for every two documents whether both rankings order them alike.

    Parameters
    ----------
    ranks : DataFrame
        ``document, first, second``, as for `rank_differences`.

    Returns
    -------
    DataFrame
        ``ahead, behind`` (as the first ranking has them), ``first, second`` (how many ranks
        ``ahead`` is before ``behind`` in each ranking; negative where it is after) and
        ``concordant``. The share of concordant pairs minus that of the others is Kendall's τ.
    """
    ordered = ranks.sort_values("first")
    by_document = {row.document: row for row in ordered.itertuples()}
    rows = [
        (ahead, behind, *(getattr(by_document[behind], one) - getattr(by_document[ahead], one)
                          for one in ("first", "second")))
        for ahead, behind in combinations(ordered["document"], 2)
    ]  # fmt: skip
    pairs = pd.DataFrame(rows, columns=["ahead", "behind", "first", "second"])
    return pairs.assign(concordant=np.sign(pairs["first"]) == np.sign(pairs["second"]))
