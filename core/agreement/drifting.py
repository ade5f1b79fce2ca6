"""Assessors whose judging has moved while they judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from core.agreement.corrections import correct

if TYPE_CHECKING:
    import pandas as pd

LEVEL = 0.05
LEAST = 0.25
"""What a drift has to amount to, in steps of the scale, from the first tenth to the last."""

_FEWEST_PARTS = 5


def find_drifting(parts: pd.DataFrame) -> pd.DataFrame:
    """Find the assessors whose leniency rises or falls over their labels.

    A straight line is fitted to the leniency of each tenth; its slope is tested by Student's t,
    and the p-values of all assessors are corrected together (Holm), so that among any number of
    assessors who stay as they are one is found in 5 % of all cases at most.

    Parameters
    ----------
    parts : DataFrame
        assessor_id, part, leniency (NaN where nobody else judged); from ``drift``.

    Returns
    -------
    DataFrame
        assessor_id, change (of the line over all ten parts, in steps of the scale), p
        (corrected): those with p < .05 and a change of a quarter of a step or more, the largest
        change first.
    """
    import pandas as pd

    known = parts[parts["leniency"].notna()]
    fits = [
        (assessor, *_fit(rows["part"].to_numpy(np.float64), rows["leniency"].to_numpy(np.float64)))
        for assessor, rows in known.groupby("assessor_id")
        if len(rows) >= _FEWEST_PARTS
    ]
    table = pd.DataFrame(fits, columns=["assessor_id", "change", "p"])
    table["p"] = correct(table["p"].to_numpy(np.float64), "holm")
    chosen = table[(table["p"] < LEVEL) & (table["change"].abs() >= LEAST)]
    return chosen.sort_values("change", key=abs, ascending=False, ignore_index=True)


def _fit(part: NDArray[np.float64], leniency: NDArray[np.float64]) -> tuple[float, float]:
    """Return the change of a straight line over ten parts, and the p-value of its slope."""
    from scipy.special import stdtr

    centred = part - part.mean()
    slope = float((centred * leniency).sum() / (centred**2).sum())
    rest = leniency - leniency.mean() - slope * centred
    freedom = len(part) - 2
    error = float(np.sqrt((rest**2).sum() / freedom / (centred**2).sum()))
    if error < 1e-12:
        return 9 * slope, 1.0 if abs(slope) < 1e-12 else 0.0
    return 9 * slope, 2 * float(stdtr(freedom, -abs(slope) / error))
