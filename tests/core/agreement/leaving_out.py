"""The jackknife by its definition: one estimate after the other, each without one topic."""

from collections.abc import Sequence

import numpy as np
from scipy.special import expit, logit
from scipy.stats import t


def limits_of(value: float, without: Sequence[float], least: float = -1.0) -> list[float]:
    """Return 95 % limits on the scale of log odds, from the estimates without each topic."""
    count, width = len(without), 1 - least
    error = np.sqrt((count - 1) / count * np.sum((np.array(without) - np.mean(without)) ** 2))
    share = (value - least) / width
    half = t.ppf(0.975, count - 1) * error / width / (share * (1 - share))
    return [float(least + width * expit(logit(share) + side * half)) for side in (-1, 1)]
