"""What a coefficient of agreement is: of two assessors, or of any number at once."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from core.agreement.intervals import Floats, divide
from core.agreement.multi_rater_counts import PanelSums
from core.agreement.pairwise import flatten, margins
from core.registry import Value


@dataclass(frozen=True)
class Coefficient(Value, ABC):
    """A coefficient of agreement; ``undefined`` says when common items give no value."""

    undefined: ClassVar[str]


@dataclass(frozen=True)
class PairCoefficient(Coefficient):
    """A coefficient of two assessors: agreement reached over agreement possible.

    ``matrices`` have shape (..., L, L) for the L grades in ``levels``; everything returned has
    the leading shape. ``formulas`` names the intervals that need no resampling, the usual one
    first.
    """

    formulas: ClassVar[tuple[str, ...]]

    @abstractmethod
    def counted(self, levels: Sequence[int]) -> tuple[Floats, Floats]:
        """Return what an item in each cell adds to agreement reached and possible, (L, L) each."""

    @abstractmethod
    def interval(
        self, matrices: Floats, levels: Sequence[int], formula: str = ""
    ) -> tuple[Floats, Floats]:
        """Return the limits of an analytic 95 % interval; NaN where the value is."""

    def parts(self, matrices: Floats, levels: Sequence[int]) -> tuple[Floats, Floats]:
        """Return agreement reached and possible; both add up over pairs of assessors."""
        flat = flatten(matrices)
        reached, possible = self.counted(levels)
        return flat @ reached.ravel(), flat @ possible.ravel()

    def value(self, matrices: Floats, levels: Sequence[int]) -> Floats:
        """Return the coefficient; NaN where it is not defined."""
        return divide(*self.parts(matrices, levels))

    def choose_formula(self, wanted: str) -> str:
        """Return the formula that is wanted, or the usual one of a coefficient without it."""
        return wanted if wanted in self.formulas else self.formulas[0]


@dataclass(frozen=True)
class CorrectedCoefficient(PairCoefficient):
    """A coefficient of two assessors whose parts are less what chance would bring."""

    @abstractmethod
    def by_chance(self, rows: Floats, columns: Floats, levels: Sequence[int]) -> Floats:
        """Return the items agreed on by chance, from the margins, shape (..., L) each."""

    def parts(self, matrices: Floats, levels: Sequence[int]) -> tuple[Floats, Floats]:
        """Return agreement beyond chance, reached and possible, in items."""
        reached, possible = super().parts(matrices, levels)
        chance = self.by_chance(*margins(matrices), levels)
        return reached - chance, possible - chance


@dataclass(frozen=True)
class PanelCoefficient(Coefficient):
    """A coefficient of any number of assessors, who need not have judged the same items."""

    @abstractmethod
    def value(self, sums: PanelSums) -> Floats:
        """Return the coefficient, of the leading shape; NaN where it is not defined."""
