"""Corrections of p for how many tests there are."""

import numpy as np

from core.agreement.intervals import Floats


def correct(p: Floats, correction: str) -> Floats:
    """Return p as it is after a correction for the number of tests, in the same order.

    Parameters
    ----------
    p : array, shape (n_tests,)
        From single tests.
    correction : {'holm', 'bonferroni', 'none'}
        Both corrections bound the chance of any false rejection; Holm's rejects more.

    References
    ----------
    Holm (1979), Scandinavian Journal of Statistics 6(2).
    """
    if correction == "none":
        return p
    if correction == "bonferroni":
        return np.minimum(p * len(p), 1)
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty_like(p)
    corrected[order] = np.minimum(stepped, 1)
    return corrected
