"""Assessors whose judging has moved while they judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.agreement.assessor_null import by_moments
from core.agreement.corrections import correct

if TYPE_CHECKING:
    import pandas as pd

LEVEL = 0.05
LEAST = 0.25
"""What a drift has to amount to, in steps of the scale, from the first tenth to the last."""

_FEWEST_PARTS = 5


def find_drifting(parts: pd.DataFrame) -> pd.DataFrame:
    """Find the assessors whose leniency rises or falls over their labels.

    Two tests agree on each, both corrected for all assessors (Holm), so that among any number of
    assessors who stay as they are one is found in 5 % of all cases at most: see `try_drift`.

    Parameters
    ----------
    parts : DataFrame
        As for `try_drift`.

    Returns
    -------
    DataFrame
        The rows of `try_drift` with p and chance_p < .05 and a change of a quarter of a step or
        more, the largest change first.
    """
    table = try_drift(parts)
    shown = (table["p"] < LEVEL) & (table["chance_p"] < LEVEL) & (table["change"].abs() >= LEAST)
    return table[shown].sort_values("change", key=abs, ascending=False, ignore_index=True)


def try_drift(parts: pd.DataFrame) -> pd.DataFrame:
    """Test of each assessor whether leniency rises or falls over the labels.

    A straight line is fitted to the leniency of each tenth, and its slope is tested by Student's t.
    Its change is set beside that of the person's own labels, each with its item, in any other
    order: what is dealt anew within people is when they gave them.

    Parameters
    ----------
    parts : DataFrame
        assessor_id, part, common, leniency (NaN where nobody else judged), spread; from ``drift``.

    Returns
    -------
    DataFrame
        assessor_id, change (of the line over all ten parts, in steps of the scale), p (of the
        slope), low, high, chance_p (95 % limits of the change in any order, by the moments of all
        orders, and p that it is as large). Both p are corrected for all assessors (Holm). No row of
        assessors with fewer than five tenths of which leniency is known.
    """
    import pandas as pd

    known = parts[parts["leniency"].notna()]
    fits = [
        (assessor, *_fit(*(rows[name].to_numpy(np.float64) for name in _READ)))
        for assessor, rows in known.groupby("assessor_id")
        if len(rows) >= _FEWEST_PARTS
    ]
    table = pd.DataFrame(fits, columns=["assessor_id", "change", "p", "deviation"])
    change, p, deviation = (table[name].to_numpy(np.float64) for name in [*table][1:])
    chance = by_moments(change, deviation)
    return table[["assessor_id", "change"]].assign(
        p=correct(p, "holm"), low=chance.low, high=chance.high, chance_p=chance.p
    )


_READ = ["part", "leniency", "common", "spread"]

Values = NDArray[np.float64]


def _fit(
    part: Values, leniency: Values, common: Values, spread: Values
) -> tuple[float, float, float]:
    """Return the change of a straight line over ten parts, and the p-value of its slope.

    And the standard deviation of the change over all orders of the labels.
    """
    from scipy.special import stdtr

    centred = part - part.mean()
    slope = float((centred * leniency).sum() / (centred**2).sum())
    labels = common.sum()
    squares = (common * (spread**2 + leniency**2)).sum()
    variance = max(squares - (common * leniency).sum() ** 2 / labels, 0) / (labels - 1)
    deviation = 9 * float(np.sqrt(variance * (centred**2 / common).sum()) / (centred**2).sum())
    rest = leniency - leniency.mean() - slope * centred
    freedom = len(part) - 2
    error = float(np.sqrt((rest**2).sum() / freedom / (centred**2).sum()))
    if error < 1e-12:
        return 9 * slope, 1.0 if abs(slope) < 1e-12 else 0.0, deviation
    return 9 * slope, 2 * float(stdtr(freedom, -abs(slope) / error)), deviation
