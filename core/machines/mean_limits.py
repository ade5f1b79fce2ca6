"""95 % limits of means over topics and of their differences, within the range of a measure."""

from collections.abc import Callable

import numpy as np

from core.agreement.intervals import Floats, mean_interval

Limits = Callable[[Floats, Floats, int, Floats], tuple[Floats, Floats]]
"""Takes estimates, their standard errors, topics and degrees of freedom; returns low and high."""

_UNSEEN_PART = 0.005
"""The part of a topic at an end of the range that has not been seen."""


def bound_means(highest: float) -> Limits:
    """Return what gives limits of means of scores from 0 to ``highest``.

    Where there is a highest score they are Student's t on the scale of log odds, as
    `core.agreement.intervals.mean_interval` has it, with s/√n and 1/200 of a topic in place of
    s/√(n − 1) and 1/25: the limits of an estimate may be compared with those of another here, and
    are to be no wider than they must. Otherwise they are Student's t, and NaN where topics are all
    alike.
    """
    if not np.isfinite(highest):
        return bound_differences(highest)

    def limit(value: Floats, error: Floats, topics: int, freedom: Floats) -> tuple[Floats, Floats]:
        shares, units = np.clip(value / highest, 0, 1), np.full(value.shape, float(topics))
        low, high = mean_interval(shares, error / highest, units, _UNSEEN_PART, freedom)
        return low * highest, high * highest

    return limit


def bound_differences(highest: float) -> Limits:
    """Return what gives limits of differences of such means: Student's t, cut to the range.

    They are NaN where the differences of all topics are alike: nothing tells how far another
    would be.
    """

    def limit(value: Floats, error: Floats, topics: int, freedom: Floats) -> tuple[Floats, Floats]:
        from scipy.special import stdtrit

        half = stdtrit(freedom, 0.975) * np.where(error > _ROUNDING, error, np.nan)
        return np.clip(value - half, -highest, highest), np.clip(value + half, -highest, highest)

    return limit


_ROUNDING = 1e-12
