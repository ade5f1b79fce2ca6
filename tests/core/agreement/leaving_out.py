"""The jackknife by its definition: one estimate after the other, each without one topic."""

from collections.abc import Sequence

import numpy as np
from scipy.special import expit, logit
from scipy.stats import t


def limits_of(value: float, without: Sequence[float], least: float = -1.0) -> list[float]:
    """Return 95 % limits on the scale of log odds, from the estimates without each topic."""
    count = len(without)
    error = np.sqrt((count - 1) / count * np.sum((np.array(without) - np.mean(without)) ** 2))
    low, high = limits_by(value, float(error), count, least)
    return [least if min(without) == least else low, 1.0 if max(without) == 1 else high]


def limits_of_share(
    value: float,
    without: Sequence[float],
    sizes: Sequence[float] | None = None,
    least: float = 0.0,
) -> list[float]:
    """Return the same limits with fewer degrees of freedom where few topics make up the error."""
    count = len(without)
    apart = (np.array(without) - np.mean(without)) ** 2
    error = np.sqrt((count - 1) / count * apart.sum())
    tail = max(1, min(count - 1, 3 * apart.sum() ** 2 / (apart**2).sum()))
    freedom = min(tail, equal_topics(sizes or [1] * count) + (least == 0))
    low, high = limits_by(value, float(error), count, least, float(freedom))
    return [least if min(without) == least else low, 1.0 if max(without) == 1 else high]


def limits_of_coefficient(
    value: float, without: Sequence[float], sizes: Sequence[float], least: float = -1.0
) -> list[float]:
    """Return the limits that hold those of the value and those of the value less its bias."""
    count = len(without)
    error = np.sqrt((count - 1) / count * np.sum((np.array(without) - np.mean(without)) ** 2))
    corrected = count * value - (count - 1) * float(np.mean(without))
    middle = min(max(corrected, (value + least) / 2), (value + 1) / 2)
    freedom = equal_topics(sizes)
    both = [limits_by(one, float(error), count, least, freedom) for one in (value, middle)]
    low, high = min(one[0] for one in both), max(one[1] for one in both)
    return [least if min(without) == least else low, 1.0 if max(without) == 1 else high]


def equal_topics(sizes: Sequence[float]) -> float:
    """Return how many topics of one size would count as much, less one: 2 at least if so many."""
    equal = sum(sizes) ** 2 / sum(one**2 for one in sizes)
    return max(equal - 1, min(2, len(sizes) - 1))


def limits_of_mean(values: Sequence[float], fewer: int = 0) -> list[float]:
    """Return limits of a mean from 0 to 1, each with 0.04 of a topic more at or near its end."""
    count, mean = len(values), float(np.mean(values))
    squares = float(np.sum((np.array(values) - mean) ** 2)) * count / (count - fewer)
    found = []
    for at, side in enumerate((-1, 1)):
        end = min(max(mean + side * np.sqrt(11 * squares), 0), 1)
        shifted = (count * mean + 0.04 * end) / (count + 0.04)
        more = count * (mean - shifted) ** 2 + 0.04 * (end - shifted) ** 2
        error = np.sqrt((squares + more) / (count - 1) / count)
        found.append(limits_by(shifted, float(error), count, 0)[at])
    return [min(found[0], mean), max(found[1], mean)]


def limits_by(
    value: float, error: float, count: int, least: float = -1.0, freedom: float | None = None
) -> list[float]:
    """Return the same limits from a standard error and the number of topics."""
    width = 1 - least
    share, error = (value - least) / width, error / width
    cases = share * (1 - share) / error**2
    share = (share * cases + 0.25) / (cases + 0.5)
    half = t.ppf(0.975, freedom or count - 1) * error / (share * (1 - share))
    return [float(least + width * expit(logit(share) + side * half)) for side in (-1, 1)]
