"""Any coefficient of every two assessors: also those that are defined for more than two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.agreement.base import Coefficient, PairCoefficient, PanelCoefficient
from core.agreement.choices import ANALYTIC
from core.agreement.confusion import ConfusionMatrices, Matrices
from core.agreement.intervals import Floats, topic_freedom, topic_interval
from core.agreement.multi_rater_counts import PanelSums
from core.agreement.pairs import ONE_DEFINES, ONE_TOPIC, agreement_by_pair, name_pairs
from core.errors import BadInput

if TYPE_CHECKING:
    import pandas as pd


def pair_sums(counts: Matrices, levels: Sequence[int]) -> PanelSums:
    """Return the sums that coefficients of many assessors need, for items with two labels each.

    Parameters
    ----------
    counts : array, shape (..., L, L)
        Items by the level of the first and of the second assessor.
    levels : sequence of int
        The L levels.
    """
    both = counts + np.swapaxes(counts, -1, -2)
    coincidences = both.reshape(*both.shape[:-2], len(levels) ** 2)
    parts = [coincidences, coincidences / 2, both.sum(axis=-1) / 2]
    return PanelSums(tuple(levels), np.concatenate(parts, axis=-1))


def agreement_of_each_pair(
    matrices: ConfusionMatrices, coefficients: Sequence[Coefficient]
) -> pd.DataFrame:
    """Tabulate any coefficients of every two assessors with common items.

    Parameters
    ----------
    matrices : ConfusionMatrices
        From ``confusion_matrices``.
    coefficients : sequence of Coefficient
        Of two assessors or of any number, which then are these two.

    Returns
    -------
    DataFrame
        The columns of `agreement_by_pair`, with its jackknife over topics; the coefficients of a
        pair are in the order given. No row where nobody has common items.

    Raises
    ------
    BadInput
        A coefficient needs to know how items rank.
    """
    import pandas as pd

    two = [one for one in coefficients if isinstance(one, PairCoefficient)]
    panel = [one for one in coefficients if isinstance(one, PanelCoefficient)]
    tables = [agreement_by_pair(matrices, two, every_pair=False)] if two else []
    tables += [_tabulate(matrices, one) for one in panel]
    order = {str(one): place for place, one in enumerate(coefficients)}
    rows = pd.concat(tables)
    rows = rows.assign(place=rows["coefficient"].map(order))
    rows = rows.sort_values(["first", "second", "place"], kind="stable", ignore_index=True)
    return rows.drop(columns="place")


def _tabulate(matrices: ConfusionMatrices, coefficient: PanelCoefficient) -> pd.DataFrame:
    """Return value and limits of one coefficient for each pair."""
    import pandas as pd

    if coefficient.weigh(np.ones(1)) is not None:
        raise BadInput(f"{coefficient} needs to know how items rank; leave it out for single pairs")
    pairs, starts = matrices.by_pair(), matrices.pair_starts()
    left = coefficient.value(pair_sums(matrices.without_topics()[1], matrices.levels))
    value = coefficient.value(pair_sums(pairs.counts, matrices.levels))
    freedom = topic_freedom(matrices.counts.sum(axis=(1, 2)), starts)
    bound = coefficient.least_on(matrices.levels)
    low, high = topic_interval(value, left, starts, coefficient.least, freedom, bound)
    topics = np.diff(starts, append=len(matrices.first))
    without = np.where(topics < 2, ONE_TOPIC, ONE_DEFINES)
    reason = np.where(np.isnan(low), without, "")
    return pd.DataFrame(
        {
            **name_pairs(matrices.assessors, pairs.first, pairs.second),
            "n": pairs.counts.sum(axis=(1, 2)).astype(np.int64),
            "coefficient": str(coefficient),
            "value": value,
            "low": low,
            "high": high,
            "interval": "jackknife",
            "unit": "topic",
            "units": topics,
            "reason": np.where(np.isnan(value), coefficient.undefined, reason),
        }
    )


@dataclass(frozen=True)
class OfTwo(PairCoefficient):
    """A coefficient of any number of assessors where there are two.

    Parameters
    ----------
    of_all : PanelCoefficient
        The coefficient. What it says of an item may not depend on the item's rank.
    """

    of_all: PanelCoefficient
    formulas = ("",)

    def __str__(self) -> str:
        return str(self.of_all)

    @property
    def undefined(self) -> str:  # type: ignore[override]
        """When common items give no value."""
        return self.of_all.undefined

    @property
    def least(self) -> float:  # type: ignore[override]
        """The lowest value there can be."""
        return self.of_all.least

    def least_on(self, levels: Sequence[int]) -> float:
        """See `Coefficient`."""
        return self.of_all.least_on(levels)

    def value(self, matrices: Floats, levels: Sequence[int]) -> Floats:
        """Return the coefficient of matrices, shape (..., L, L); NaN where it is not defined."""
        return self.of_all.value(pair_sums(matrices, levels))

    def counted(self, levels: Sequence[int]) -> tuple[Floats, Floats]:
        """Refuse: its parts do not add up over pairs of assessors."""
        raise BadInput(f"{self} does not add up over pairs of assessors; ask for it over all")

    def interval(
        self, matrices: Floats, levels: Sequence[int], formula: str = ""
    ) -> tuple[Floats, Floats]:
        """Return NaN: only resampling gives limits; refuse a formula."""
        if formula in ANALYTIC:
            raise BadInput(f"there is no formula for limits of {self}; take the jackknife")
        nothing = np.full(matrices.shape[:-2], np.nan)
        return nothing, nothing


def of_two(coefficient: Coefficient) -> PairCoefficient:
    """Return a coefficient as one of two assessors.

    Raises
    ------
    BadInput
        It weighs items by their rank, which is told for all assessors together.
    """
    if isinstance(coefficient, PairCoefficient):
        return coefficient
    if not isinstance(coefficient, PanelCoefficient):
        raise BadInput(f"{coefficient} is of all assessors together", field="coefficient")
    if coefficient.weigh(np.ones(1)) is not None:
        raise BadInput(
            f"{coefficient} weighs items by rank and is of all assessors together; of two, and of "
            "single topics, ask for one without p",
            field="coefficient",
        )
    return OfTwo(coefficient)
