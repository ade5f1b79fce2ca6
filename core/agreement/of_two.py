"""Coefficients of any number of assessors, of two of them: on the items that both judged."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.agreement.base import Coefficient, PairCoefficient, PanelCoefficient
from core.agreement.choices import ANALYTIC
from core.agreement.intervals import Floats
from core.agreement.multi_rater_counts import PanelSums
from core.errors import BadInput


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
        both = matrices + np.swapaxes(matrices, -1, -2)
        squares = both.reshape(*both.shape[:-2], -1)
        flat = np.concatenate([squares, squares / 2, both.sum(axis=-1) / 2], axis=-1)
        return self.of_all.value(PanelSums(tuple(levels), flat))

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
