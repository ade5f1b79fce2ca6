"""What more topics judged by people would buy: the width of intervals by their number."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from core.agreement.intervals import Floats
from core.machines.judged_scores import LEAST_HUMAN, JudgedScores
from core.machines.mean_limits import Limits
from core.machines.pooled_power import LEAST_TOPICS
from core.machines.prediction_powered import (
    estimate_means,
    find_error,
    spread_slopes,
)

_POINTS = 20
"""How many numbers of topics a curve has, about."""


def expect_widths(
    scores: JudgedScores,
    limits: Limits,
    numbers: Sequence[int] | None = None,
    *,
    finite: bool = False,
) -> pd.DataFrame:
    """Return the mean width of intervals if people had judged other numbers of the topics.

    Variances, and what the machine's scores tell of people's, are taken as these topics show them.
    Both curves are one up to three topics, which teach no λ; with more than there are now it would
    be known better than is reckoned here.

    Parameters
    ----------
    scores, limits, finite
        As for `core.machines.prediction_powered.estimate_means`.
    numbers : sequence of int, optional
        How many topics people judge, from 2 to all but one; about twenty numbers, and the present
        one, without it.

    Returns
    -------
    DataFrame
        ``n_human, n_machine, classical, powered``: mean widths over the columns; NaN where no
        column has limits.
    """
    present, slopes = estimate_means(scores, limits, finite=finite), spread_slopes(scores)
    topics, spread = scores.n_human + scores.n_machine, scores.human.var(axis=0, ddof=1)
    rows = []
    for judged in choose_numbers(scores) if numbers is None else numbers:
        left = (topics - judged) / topics if finite else 1.0
        error, freedom = np.sqrt(spread / judged * left), np.full(len(spread), judged - 1.0)
        classical = limits(present.classical.value, error, judged, freedom)
        powered = classical
        if judged > LEAST_TOPICS:
            error, freedom = find_error(scores, slopes, judged, finite=finite)
            powered = limits(present.powered.value, error, judged, freedom)
        rows.append((judged, topics - judged, _average(*classical), _average(*powered)))
    return pd.DataFrame(rows, columns=["n_human", "n_machine", "classical", "powered"])


def choose_numbers(scores: JudgedScores) -> list[int]:
    """Return numbers of topics to draw a curve over, the present one among them."""
    most = scores.n_human + scores.n_machine - 1
    spaced = np.geomspace(LEAST_HUMAN, most, _POINTS).round().astype(np.int64)
    return sorted({*spaced.tolist(), scores.n_human})


def _average(low: Floats, high: Floats) -> float:
    known = ~np.isnan(low)
    return float((high - low)[known].mean()) if known.any() else float("nan")
