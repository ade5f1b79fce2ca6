"""What a coefficient of agreement is: of two assessors, or of any number at once."""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from core.agreement.intervals import Floats, divide
from core.agreement.multi_rater_counts import PanelSums
from core.agreement.pairwise import flatten, margins
from core.registry import Registry, Value

Symmetry = Literal["any", "reversal", "none"]


@dataclass(frozen=True)
class Coefficient(Value, ABC):
    """A coefficient of agreement.

    Notes
    -----
    ``symbol`` is what people call it. From ``least`` to 1 limits are on the scale of log odds.
    ``undefined`` says when common items give no value; ``one_level`` is the value where everybody
    gives one and the same level, of which the scale has more. In ``suggested`` ``{level}`` stands
    for each level above the lowest, and in ``binarised``, which is added when somebody names a
    level, for that one. ``by_rank`` is added where runs tell how items rank.
    """

    undefined: ClassVar[str]
    symbol: ClassVar[str]
    one_level: ClassVar[float] = math.nan
    least: ClassVar[float] = -1.0
    binarised: ClassVar[tuple[str, ...]] = ()
    by_rank: ClassVar[tuple[str, ...]] = ()

    @property
    def title(self) -> str:
        """What people call it, which of its kind included: ``linear weighted κ``."""
        return self.symbol

    @property
    def symmetry(self) -> Symmetry:
        """Which exchange of the levels leaves it as it is: any, turning the scale, or none."""
        return "any"

    def least_on(self, levels: Sequence[int]) -> float:
        """Return what no value on these levels is below: limits end there."""
        return self.least


@dataclass(frozen=True)
class PairCoefficient(Coefficient):
    """A coefficient of two assessors: agreement reached over agreement possible.

    ``matrices`` have shape (..., L, L) for the L levels in ``levels``; everything returned has
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

    def weigh(self, rank: Floats) -> Floats | None:
        """Return how much items count by their rank, shape (n_items,); None where all count alike.

        ``rank`` is NaN where no run shows the item; such an item has to count 0.
        """
        return None


COEFFICIENTS: Registry[Coefficient] = Registry("coefficient", __package__)


def name_coefficient(text: str) -> str:
    """Return what people call the coefficient that a text writes down."""
    return COEFFICIENTS.parse(text).title


def suggest_coefficients(
    levels: Sequence[int], binary_at: int | None = None, *, ranked: bool = False
) -> tuple[list[PairCoefficient], list[PanelCoefficient]]:
    """Return what to compute where nobody has chosen: of two assessors, and of all at once.

    Parameters
    ----------
    levels : sequence of int
        The scale, ascending.
    binary_at : int, optional
        Also from which level on levels count as one.
    ranked : bool, default False
        Whether it is known how items rank.
    """
    cuts = [] if binary_at is None else [binary_at]
    texts = [
        *_write_out((text for entry in COEFFICIENTS for text in entry.suggested), levels[1:]),
        *_write_out((text for entry in COEFFICIENTS for text in entry.binarised), cuts),
        *(text for entry in COEFFICIENTS for text in entry.by_rank if ranked),
    ]
    known = [*map(COEFFICIENTS.parse, texts)]
    return (
        [one for one in known if isinstance(one, PairCoefficient)],
        [one for one in known if isinstance(one, PanelCoefficient)],
    )


def _write_out(texts: Iterable[str], levels: Sequence[int]) -> Iterator[str]:
    """Yield every text, one that holds ``{level}`` once for each of the levels."""
    for text in texts:
        if "{level}" in text:
            yield from (text.format(level=level) for level in levels)
        else:
            yield text
