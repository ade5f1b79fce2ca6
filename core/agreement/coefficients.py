"""The coefficients of agreement as values that print, parse and compare."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from core.agreement.confusion import Matrices
from core.agreement.intervals import divide
from core.agreement.pairwise import (
    agreement_weights,
    binary_level,
    kappa_interval,
    kappa_parts,
    raw_interval,
    raw_parts,
)
from core.errors import BadInput
from core.registry import Registry, Value


@dataclass(frozen=True)
class Coefficient(Value, ABC):
    """A coefficient of two assessors: agreement reached over agreement possible.

    ``matrices`` have shape (..., L, L) for the L grades in ``levels``; everything returned has
    the leading shape. ``analytic`` names the interval that needs no resampling; ``undefined``
    says when there are common items and still no value.
    """

    analytic: ClassVar[str]
    undefined: ClassVar[str]

    @abstractmethod
    def parts(self, matrices: Matrices, levels: Sequence[int]) -> tuple[Matrices, Matrices]:
        """Return agreement reached and possible; both add up over pairs of assessors."""

    @abstractmethod
    def interval(self, matrices: Matrices, levels: Sequence[int]) -> tuple[Matrices, Matrices]:
        """Return the limits of the analytic 95 % interval; NaN where the value is."""

    def value(self, matrices: Matrices, levels: Sequence[int]) -> Matrices:
        """Return the coefficient; NaN where it is not defined."""
        return divide(*self.parts(matrices, levels))


COEFFICIENTS: Registry[Coefficient] = Registry("coefficient")


@COEFFICIENTS.register
@dataclass(frozen=True)
class Kappa(Coefficient):
    """Cohen's κ: unweighted, linear, quadratic or binarised at a level."""

    name = "kappa"
    bare = ("weighting",)
    analytic = "cohen1968"
    undefined = "both assessors used one level only, or one side of the threshold"

    weighting: str = "unweighted"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weighting", _tidy(self.weighting))

    def parts(self, matrices: Matrices, levels: Sequence[int]) -> tuple[Matrices, Matrices]:
        """Return agreement beyond chance, reached and possible, in items."""
        return kappa_parts(matrices, agreement_weights(self.weighting, levels))

    def interval(self, matrices: Matrices, levels: Sequence[int]) -> tuple[Matrices, Matrices]:
        """Return Cohen's interval of 1968."""
        return kappa_interval(matrices, self.weighting, levels)


@COEFFICIENTS.register
@dataclass(frozen=True)
class Raw(Coefficient):
    """Raw agreement: the share of items with the same level, or on the same side of one."""

    name = "raw"
    bare = ("weighting",)
    analytic = "wilson"
    undefined = "no common items"

    weighting: str = "unweighted"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weighting", _tidy(self.weighting))
        if self.weighting in ("linear", "quadratic"):
            raise BadInput(f"raw agreement takes unweighted or binary>=LEVEL, not {self.weighting}")

    def parts(self, matrices: Matrices, levels: Sequence[int]) -> tuple[Matrices, Matrices]:
        """Return the number of agreements and of items."""
        return raw_parts(matrices, agreement_weights(self.weighting, levels))

    def interval(self, matrices: Matrices, levels: Sequence[int]) -> tuple[Matrices, Matrices]:
        """Return Wilson's interval."""
        return raw_interval(matrices, self.weighting, levels)


def _tidy(weighting: str) -> str:
    """Return the one spelling of a weighting, so that equal coefficients are equal values."""
    text = str(weighting).strip()
    agreement_weights(text, ())
    level = binary_level(text)
    return text if level is None else f"binary>={level}"
