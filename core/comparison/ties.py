"""When two scores are equal: what rounding has set apart is a tie."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.agreement.intervals import Floats

CLOSE = 1e-9
"""Scores less than this share of the largest one apart are tied."""


def tie_close(values: ArrayLike) -> Floats:
    """Return scores in which those that rounding alone has set apart are equal.

    The mean of 0.1, 0.2 and 0.3 depends on their order in the last digit. Every ranking and every
    rank correlation takes its ties from here.

    Parameters
    ----------
    values : array_like, shape (n_items,)
        Scores or ranks; NaN is undefined and stays so.

    Returns
    -------
    array, shape (n_items,)
        The lowest of the scores that are tied, for each of them. Two are tied when they, or others
        that lie between them, differ by less than 1e-9 of the largest absolute score.

    Examples
    --------
    >>> tie_close([0.3, 0.1 + 0.2, 0.5]).tolist()
    [0.3, 0.3, 0.5]
    """
    array = np.array(values, dtype=np.float64)
    order = np.argsort(array, kind="stable")
    known = order[: np.count_nonzero(~np.isnan(array))]
    ascending = array[known]
    least = CLOSE * np.abs(ascending[np.isfinite(ascending)]).max(initial=0)
    with np.errstate(invalid="ignore"):  # two that are infinite are equal
        apart = np.diff(ascending)
    steps = (apart > 0) & (apart >= least)
    starts = np.flatnonzero(np.concatenate([[True], steps])[: len(known)])
    array[known] = np.repeat(ascending[starts], np.diff([*starts, len(known)]))
    return array


def order_best(values: ArrayLike, greater_is_better: bool = True) -> NDArray[np.int64]:
    """Return the positions of scores from the best to the worst.

    Parameters
    ----------
    values : array_like, shape (n_items,)
        Scores; undefined ones (NaN) come last.
    greater_is_better : bool, default True
        Whether the greatest score is the best.

    Returns
    -------
    array of int, shape (n_items,)
        Tied scores, as `tie_close` has them, keep their order.

    Examples
    --------
    >>> order_best([0.3, float("nan"), 0.5, 0.1 + 0.2]).tolist()
    [2, 0, 3, 1]
    """
    tied = tie_close(values)
    return np.argsort(-tied if greater_is_better else tied, kind="stable")
