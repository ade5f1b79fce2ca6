"""A/B tests from logs: the difference of two arms, by the users who were dealt to them.

References
----------
Deng, Xu, Kohavi and Walker (2013), WSDM, doi:10.1145/2433396.2433413: outcomes before the test.
Deng, Knoblich and Lu (2018), KDD, doi:10.1145/3219819.3219919: ratios by the delta method.
Fabijan et al. (2019), KDD, doi:10.1145/3292500.3330722: whether the split is as planned.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from core.agreement.intervals import Floats

Arms = npt.NDArray[np.int64]

POWER = 0.8
"""How often a difference is to be found that there is."""


@dataclass(frozen=True)
class Users:
    """What is known of each user.

    Parameters
    ----------
    arm : array of int, shape (n_users,)
        0 or 1.
    visits, outcome : array, shape (n_users,)
        How many visits, and the sum of what came of them.
    before : array, shape (n_users,)
        The outcome before the test; NaN where it is not known.
    """

    arm: Arms
    visits: Floats
    outcome: Floats
    before: Floats

    def means(self) -> Floats:
        """Return the outcome of a visit in each arm, shape (2,): visits weigh alike."""
        sums = (np.bincount(self.arm, one, minlength=2) for one in (self.outcome, self.visits))
        total, visits = sums
        means: Floats = np.divide(total, visits, out=np.full(2, np.nan), where=visits > 0)
        return means

    def deviations(self) -> Floats:
        """Return by how much each user moves the mean of their arm, times the users of the arm."""
        users = np.bincount(self.arm, minlength=2)
        visits = np.bincount(self.arm, self.visits, minlength=2) / np.maximum(users, 1)
        away: Floats = self.outcome - self.means()[self.arm] * self.visits
        return np.divide(away, visits[self.arm])


class ArmDifference(NamedTuple):
    """A difference of the second arm from the first: 95 % limits, p, standard error; or NaN.

    ``freedom`` are the degrees of freedom of its t, ``skewness`` is that of the difference where
    users of both arms are alike: 0 with as many users in each.
    """

    value: float
    low: float
    high: float
    p: float
    error: float
    freedom: float
    skewness: float


NOTHING = ArmDifference(*[np.nan] * 7)


def compare_arms(users: Users) -> ArmDifference:
    """Compare the outcome of a visit in two arms; users are what is sampled.

    Welch's t of the users' deviations: a user with many visits counts for as much as they weigh in
    the mean (delta method).

    Returns
    -------
    ArmDifference
        All NaN where an arm has fewer than two users; limits and p where nobody deviates.
    """
    if np.bincount(users.arm, minlength=2).min() < 2:
        return NOTHING
    first, second = users.means()
    return _welch(second - first, users.deviations(), users.arm, 0)


def adjust_by_before(users: Users) -> tuple[ArmDifference, float]:
    """Compare arms as `compare_arms` does, less what users' outcomes before the test foretell.

    Both arms were dealt from the same users, so that their outcomes before differ by chance alone;
    the slope on these is that within arms. Who has none counts as the mean.

    Returns
    -------
    ArmDifference, float
        And the share of the variance that is taken away; both NaN where ``before`` tells nothing.
    """
    plain = compare_arms(users)
    known = ~np.isnan(users.before)
    if np.isnan(plain.error) or plain.error == 0 or not known.any():
        return NOTHING, np.nan
    before = np.where(known, users.before, users.before[known].mean())
    counts = np.bincount(users.arm, minlength=2)
    means = np.bincount(users.arm, before, minlength=2) / counts
    apart = before - means[users.arm]
    squares = float(apart @ apart)
    if squares <= 1e-12 * max(1.0, float(before @ before)):
        return NOTHING, np.nan
    away = users.deviations()
    slope = float(away @ apart) / squares
    value = plain.value - slope * float(means[1] - means[0])
    found = _welch(value, away - slope * apart, users.arm, 1)
    return found, 1 - (found.error / plain.error) ** 2


def _welch(value: float, away: Floats, arm: Arms, fitted: int) -> ArmDifference:
    from scipy.special import stdtr, stdtrit

    counts = np.bincount(arm, minlength=2).astype(np.float64)
    squares = np.bincount(arm, away**2, minlength=2)
    parts = squares / (counts - 1) / counts
    error = float(np.sqrt(parts.sum()))
    if error <= 1e-12 * max(abs(value), 1e-300):
        return ArmDifference(float(value), np.nan, np.nan, np.nan, 0.0, np.nan, np.nan)
    freedom = max(float(parts.sum() ** 2 / (parts**2 / (counts - 1)).sum()) - fitted, 1.0)
    half = float(stdtrit(freedom, 0.975)) * error
    p = 2 * float(stdtr(freedom, -abs(value) / error))
    skewness = _find_skewness(away, counts)
    low, high = float(value - half), float(value + half)
    return ArmDifference(float(value), low, high, p, error, freedom, skewness)


def _find_skewness(away: Floats, counts: Floats) -> float:
    """Return the skewness of a difference of means of so many users of one distribution."""
    square, cube = float(np.mean(away**2)), float(np.mean(away**3))
    first, second = counts
    uneven = (second**-2 - first**-2) / (1 / first + 1 / second) ** 1.5
    return float(cube / square**1.5 * uneven)


def check_split(counts: npt.NDArray[np.int64], share: float = 0.5) -> float:
    """Return p of so many users in the arms, where ``share`` go to the second.

    Exact: the binomial distribution of users, its smaller tail doubled. Chi-squared calls a split
    of hundred users of whom one was to be in an arm a fault (p < .001) in 3 of 1,000 tests.
    """
    from scipy.special import bdtr, bdtrc

    first, second = map(int, counts)
    fewer = bdtr(second, first + second, share)
    more = bdtrc(second - 1, first + second, share) if second else 1.0
    return float(min(1.0, 2 * min(fewer, more)))


def users_needed(
    error: float,
    users: int,
    effect: Floats,
    alpha: float = 0.05,
    freedom: float = np.inf,
) -> Floats:
    """Return how many users a test needs to find effects in four of five tests (p < α).

    Parameters
    ----------
    error : float
        The standard error of the difference by this log.
    users : int
        How many users it has, in both arms; they are split alike.
    effect : array
        Differences.
    alpha : float, default 0.05
        Below which p finds one.
    freedom : float
        The degrees of freedom of its t.

    Returns
    -------
    array
        Two in each arm at least; NaN where α is so high that as many tests find what is not there.
    """

    def finds(number: int, one: float) -> bool:
        less = max(1.0, freedom * (number - 2) / max(users - 2, 1))
        return smallest_found(error * np.sqrt(users / number), alpha, less) <= one

    least = np.ceil((smallest_found(error, alpha) / effect) ** 2 * users)
    if np.isnan(least).any() or not np.isfinite(freedom):
        return least
    found = np.maximum(least, 4.0)
    for at in np.flatnonzero(found < _MANY):
        found[at] = next(one for one in range(int(found[at]), 10**9) if finds(one, effect[at]))
    return found


_MANY = 500
"""Of more users t needs no more than the normal distribution does."""


def smallest_found(error: float, alpha: float = 0.05, freedom: float = np.inf) -> float:
    """Return the difference that as many users find in four of five tests (p < α).

    By the power of a two-sided t. NaN where α is so high that as many tests find what is not there.

    Parameters
    ----------
    error : float
        The standard error of the difference.
    alpha : float, default 0.05
    freedom : float
        The degrees of freedom of t; that of the normal distribution, without.
    """
    from scipy.special import ndtr, ndtri, stdtrit

    if alpha >= POWER:
        return float("nan")
    spread = _spread_of_errors(freedom)
    beyond = (stdtrit(freedom, 1 - alpha / 2) if np.isfinite(freedom) else ndtri(1 - alpha / 2)) * (
        spread
    )
    low, high = 0.0, 10 * float(beyond.max()) + 10
    for _ in range(80):
        middle = (low + high) / 2
        found = (ndtr(middle - beyond) + ndtr(-middle - beyond)).mean() >= POWER
        low, high = (low, middle) if found else (middle, high)
    return high * error


def _spread_of_errors(freedom: float) -> Floats:
    """Return evenly probable estimates of a standard error of 1."""
    from scipy.special import chdtri

    if not np.isfinite(freedom):
        return np.ones(1)
    probable = (np.arange(1_000) + 0.5) / 1_000
    spread: Floats = np.sqrt(chdtri(freedom, probable) / freedom)
    return spread
