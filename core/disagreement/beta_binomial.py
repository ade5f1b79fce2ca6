"""How often so many of several users find an item top, where the chance may vary between items.

References
----------
Skellam (1948), Journal of the Royal Statistical Society B 10(2), 257–261.
"""

import numpy as np

from core.agreement.intervals import Floats, divide

_MOST = 1 - 1e-9
"""The largest spread that is computed with: at 1 all users of an item say the same."""


def reach_probability(p: Floats, spread: Floats, users: int, needed: int) -> Floats:
    """Return the chance that at least so many of some users find an item top.

    Each item has a chance of its own, by a beta distribution; given that, users are independent.

    Parameters
    ----------
    p : array, shape (...)
        The mean chance that a user finds an item top, in [0, 1].
    spread : array, shape (...)
        How much of the largest variance, p (1 − p), the chances of items have, in [0, 1]: also the
        correlation of two users of one item. At 0 this is the binomial distribution.
    users : int
        How many users.
    needed : int
        How many of them are to find it top.

    Returns
    -------
    array, shape (...)
        1 for none needed, 0 for more than there are, NaN where p or the spread is.
    """
    from scipy.special import gammaln

    # Shares of weighted counts may leave [0, 1] by rounding.
    p, spread = np.broadcast_arrays(np.clip(p, 0.0, 1.0), np.clip(spread, 0, _MOST))
    if needed <= 0 or needed > users:
        certain: Floats = np.where(np.isnan(p + spread), np.nan, float(needed <= 0))
        return certain
    step = np.arange(users, dtype=np.float64)
    with np.errstate(divide="ignore"):
        top, other, all_ = (
            _add_logs(share * (1 - spread), spread, step) for share in (p, 1 - p, np.ones_like(p))
        )
    found = np.arange(needed, users + 1)
    ways = gammaln(users + 1) - gammaln(found + 1) - gammaln(users - found + 1)
    logs = ways + top[..., found] + other[..., users - found] - all_[..., users, np.newaxis]
    chance: Floats = np.minimum(np.exp(logs).sum(axis=-1), 1)
    return chance


def _add_logs(start: Floats, spread: Floats, step: Floats) -> Floats:
    """Return the logarithms of products of the first 0, 1 … terms of a row."""
    terms = np.log(start[..., np.newaxis] + spread[..., np.newaxis] * step)
    return np.concatenate([np.zeros((*start.shape, 1)), np.cumsum(terms, axis=-1)], axis=-1)


def estimate_spread(p: Floats, both: Floats) -> Floats:
    """Estimate the spread by moments, from how often two users both find an item top.

    Parameters
    ----------
    p, both : array, shape (...)
        The chance that one user does, and that two do.

    Returns
    -------
    array, shape (...)
        In [0, 1]: (both − p²) / (p (1 − p)), and 0 where two agree less than chance has it; NaN
        where p is 0 or 1.
    """
    return np.clip(divide(both - p**2, p * (1 - p)), 0, 1)
