"""Power by the noncentral F distribution."""

import numpy as np

from core.agreement.intervals import Floats


def power_of_f(groups: int, freedom: Floats, noncentrality: Floats, alpha: float) -> Floats:
    """Return how often F is above its critical value at α.

    Parameters
    ----------
    groups : int
        Degrees of freedom of the numerator, from 1.
    freedom : array, shape (n,)
        Degrees of freedom of the denominator, from 1.
    noncentrality : array, shape (n,)
        The noncentrality λ, at least 0.
    alpha : float
        The significance level.

    Returns
    -------
    array, shape (n,)
        From α to 1.

    Notes
    -----
    With one degree of freedom in the numerator F is the square of t, so that this is the power of
    a two-sided t-test.
    """
    from scipy.special import fdtri

    return exceed_f(groups, freedom, noncentrality, fdtri(groups, freedom, 1 - alpha))


def exceed_f(groups: int, freedom: Floats, noncentrality: Floats, critical: Floats) -> Floats:
    """Return how often noncentral F is above a critical value, shape (n,)."""
    from scipy.special import ncfdtr

    power: Floats = 1 - ncfdtr(groups, freedom, noncentrality, critical)
    return np.clip(power, 0, 1)
