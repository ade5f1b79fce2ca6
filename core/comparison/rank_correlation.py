"""How alike two orders of the same systems are."""

from itertools import combinations
from typing import Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike


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
    left, right = _pair_signs(first), _pair_signs(second)
    if kind == "a":
        pairs = float(len(left))
    else:
        pairs = float(np.sqrt(np.count_nonzero(left) * np.count_nonzero(right)))
    return float(np.dot(left, right)) / pairs if pairs else float("nan")


def _pair_signs(values: ArrayLike) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return the sign of the difference of every pair, shape (n(n - 1)/2,)."""
    array = np.asarray(values, dtype=np.float64)
    upper, lower = np.triu_indices(len(array), k=1)
    return np.sign(array[lower] - array[upper])


def compare_rankings(
    ranked: pd.DataFrame, by: str = "version", kind: Literal["a", "b"] = "b"
) -> pd.DataFrame:
    """Return Kendall's τ between the orders of systems under every two conditions.

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
        ``first, second, systems, tau`` for every pair of conditions, over the systems that both
        rank; ``systems`` is their number. τ is NaN for fewer than two.
    """
    ranks = ranked.pivot(index="system", columns=by, values="rank")
    rows = []
    for first, second in combinations(ranked[by].unique(), 2):
        both = ranks[[first, second]].dropna()
        tau = kendall_tau(both[first], both[second], kind)
        rows.append((first, second, len(both), tau))
    return pd.DataFrame(rows, columns=["first", "second", "systems", "tau"])
