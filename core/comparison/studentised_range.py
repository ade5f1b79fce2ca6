"""The distribution of the studentised range, for many values at once.

scipy has it, too, and is what the tests compare with. But it integrates anew for every value, a
tenth of a second or so each, and a comparison of systems asks for hundreds.
"""

from functools import lru_cache

import numpy as np

from core.agreement.intervals import Floats

_TAIL = 1e-15
_STEP = 0.2
_WIDTHS = np.arange(0, 17, 0.001)


def studentised_range(q: Floats, groups: int, freedom: int) -> Floats:
    """Return the chance that the range of equal means in standard errors is larger.

    Parameters
    ----------
    q : array, shape (n,)
        Ranges in standard errors, at least 0; may be infinite.
    groups : int
        How many means there are, at least 2.
    freedom : int
        Degrees of freedom of the standard error, at least 1.

    Returns
    -------
    array, shape (n,)
        In [0, 1], to about 1e-7.

    Notes
    -----
    The double integral over the standard error and the largest of the means, by the trapezoidal
    rule, which converges fast for functions that vanish smoothly at both ends. The inner one is
    tabulated once.

    References
    ----------
    Lund and Lund (1983), Applied Statistics 32(2), doi:10.2307/2347300.
    """
    errors, shares = _standard_errors(freedom)
    within = _tabulate_range(groups)
    expected: Floats = np.interp(q[:, np.newaxis] * errors, _WIDTHS, within) @ shares
    return np.clip(1 - expected, 0, 1)


@lru_cache(maxsize=4_096)
def find_range(alpha: float, groups: int, freedom: int) -> float:
    """Return the range of equal means in standard errors that is exceeded with chance α.

    Parameters
    ----------
    alpha : float
        Above 0 and below 1.
    groups, freedom
        As for `studentised_range`.

    Returns
    -------
    float
        The critical value of Tukey's test, to about 1e-5 of it.
    """
    low, high = 0.0, 4.0
    while studentised_range(np.array([high]), groups, freedom)[0] > alpha:
        low, high = high, 2 * high
    for _ in range(_ROUNDS):
        tried = np.linspace(low, high, _TRIED)
        last = int(np.flatnonzero(studentised_range(tried, groups, freedom) > alpha)[-1])
        low, high = float(tried[last]), float(tried[last + 1])
    return (low + high) / 2


_ROUNDS, _TRIED = 4, 21


def _standard_errors(freedom: int) -> tuple[Floats, Floats]:
    """Return values of the estimated standard error over the true one, and how much each counts."""
    from scipy.special import chdtri, gammaincinv

    low = np.log(2 * gammaincinv(freedom / 2, _TAIL) / freedom)
    high = np.log(chdtri(freedom, _TAIL) / freedom)
    # The logarithm of the variance has smooth tails on both sides, even at one degree of freedom.
    logs = np.linspace(low, high, max(64, int(3 * (high - low))))
    density = freedom / 2 * (logs - np.exp(logs))
    weights = np.exp(density - density.max())
    return np.exp(logs / 2), weights / weights.sum()


@lru_cache(maxsize=8)
def _tabulate_range(groups: int) -> Floats:
    """Return `_range_within` of every width that is tabulated; it takes the most time."""
    return _range_within(_WIDTHS, groups)


def _range_within(width: Floats, groups: int) -> Floats:
    """Return the chance that normal variables lie within a width of each other, shape (n,)."""
    from scipy.special import ndtr

    top = np.arange(-8.5, 8.5 + _STEP, _STEP)
    density = np.exp(-(top**2) / 2)
    others: Floats = ndtr(top) - ndtr(top - width[:, np.newaxis])
    chance: Floats = others ** (groups - 1) @ (density * groups * _STEP / np.sqrt(2 * np.pi))
    return chance
