"""The coefficients of agreement as values that print, parse and compare."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.agreement.base import (
    COEFFICIENTS,
    CorrectedCoefficient,
    PairCoefficient,
    PanelCoefficient,
    Symmetry,
)
from core.agreement.intervals import Floats, wilson_interval
from core.agreement.multi_rater import (
    METRICS,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    least_with_chance,
    randolph_kappa,
)
from core.agreement.multi_rater_counts import PanelSums
from core.agreement.overlap import set_weights
from core.agreement.pairwise import (
    KAPPA_FORMULAS,
    agreement_weights,
    binary_level,
    chance_agreement,
    kappa_interval,
    pi_chance,
    pi_interval,
    raw_interval,
)
from core.errors import BadInput

ONE_LEVEL = "everybody used one level only"
ONE_ON_SCALE = "the scale has one level only"


@COEFFICIENTS.register
@dataclass(frozen=True)
class Kappa(CorrectedCoefficient):
    """Cohen's κ: unweighted, linear, quadratic or binarised at a level."""

    name = "kappa"
    symbol = "κ"
    bare = ("weighting",)
    formulas = KAPPA_FORMULAS
    undefined = "both assessors used one level only, or one side of the threshold"
    description = "agreement beyond chance, with each assessor's own distribution of levels"
    reference = "Cohen (1968), Psychological Bulletin 70(4), doi:10.1037/h0026256"
    examples = ("kappa", "kappa(linear)", "kappa(quadratic)", "kappa(binary>=1)")
    suggested = ("kappa", "kappa(linear)", "kappa(quadratic)")
    binarised = ("kappa(binary>={level})",)

    weighting: str = "unweighted"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weighting", _tidy(self.weighting))

    @property
    def title(self) -> str:
        """See `Coefficient`."""
        return _title(self.symbol, self.weighting, "unweighted")

    @property
    def symmetry(self) -> Symmetry:
        """See `Coefficient`."""
        return _symmetry_of(self.weighting)

    def counted(self, levels: Sequence[int]) -> tuple[Floats, Floats]:
        """Return the agreement of each two levels, and 1 for every item."""
        return _agreed_of_all(self.weighting, levels)

    def by_chance(self, rows: Floats, columns: Floats, levels: Sequence[int]) -> Floats:
        """Return the items agreed on by chance, each assessor drawing on the own levels."""
        return chance_agreement(rows, columns, agreement_weights(self.weighting, levels))

    def interval(
        self, matrices: Floats, levels: Sequence[int], formula: str = ""
    ) -> tuple[Floats, Floats]:
        """Return Cohen's interval of 1968, or that of Fleiss, Cohen and Everitt (1969)."""
        return kappa_interval(matrices, self.weighting, levels, self.choose_formula(formula))


@COEFFICIENTS.register
@dataclass(frozen=True)
class Pi(CorrectedCoefficient):
    """Scott's π: κ with one distribution of levels for both assessors."""

    name = "pi"
    symbol = "Scott's π"
    bare = ("weighting",)
    formulas = ("gwet2008",)
    undefined = "both assessors used one level only, or one side of the threshold"
    description = "agreement beyond chance, with one distribution of levels for both assessors"
    reference = "Scott (1955), Public Opinion Quarterly 19(3), doi:10.1086/266577"
    examples = ("pi", "pi(linear)", "pi(quadratic)", "pi(binary>=1)")
    suggested = ("pi",)

    weighting: str = "unweighted"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weighting", _tidy(self.weighting))

    @property
    def title(self) -> str:
        """See `Coefficient`."""
        return _title(self.symbol, self.weighting)

    @property
    def symmetry(self) -> Symmetry:
        """See `Coefficient`."""
        return _symmetry_of(self.weighting)

    def counted(self, levels: Sequence[int]) -> tuple[Floats, Floats]:
        """Return the agreement of each two levels, and 1 for every item."""
        return _agreed_of_all(self.weighting, levels)

    def by_chance(self, rows: Floats, columns: Floats, levels: Sequence[int]) -> Floats:
        """Return the items agreed on by chance, both assessors drawing on the levels of both."""
        return pi_chance(rows, columns, agreement_weights(self.weighting, levels))

    def interval(
        self, matrices: Floats, levels: Sequence[int], formula: str = ""
    ) -> tuple[Floats, Floats]:
        """Return Gwet's interval of 2008."""
        return pi_interval(matrices, self.weighting, levels)


@COEFFICIENTS.register
@dataclass(frozen=True)
class Raw(PairCoefficient):
    """Raw agreement: the share of items with the same level, or on the same side of one."""

    name = "raw"
    symbol = "raw agreement"
    bare = ("weighting",)
    formulas = ("wilson",)
    undefined = "no common items"
    one_level = 1.0
    least = 0.0
    description = "share of items with the same level, or on the same side of one"
    reference = "its interval: Wilson (1927), JASA 22(158), doi:10.1080/01621459.1927.10502953"
    examples = ("raw", "raw(binary>=2)")
    suggested = ("raw",)
    binarised = ("raw(binary>={level})",)

    weighting: str = "unweighted"

    def __post_init__(self) -> None:
        object.__setattr__(self, "weighting", _tidy(self.weighting))
        if self.weighting in ("linear", "quadratic"):
            raise BadInput(f"raw agreement takes unweighted or binary>=LEVEL, not {self.weighting}")

    @property
    def title(self) -> str:
        """See `Coefficient`."""
        return _title(self.symbol, self.weighting)

    @property
    def symmetry(self) -> Symmetry:
        """See `Coefficient`."""
        return _symmetry_of(self.weighting)

    def counted(self, levels: Sequence[int]) -> tuple[Floats, Floats]:
        """Return 1 for every agreement, and for every item."""
        return _agreed_of_all(self.weighting, levels)

    def interval(
        self, matrices: Floats, levels: Sequence[int], formula: str = ""
    ) -> tuple[Floats, Floats]:
        """Return Wilson's interval."""
        return raw_interval(matrices, self.weighting, levels)


@COEFFICIENTS.register
@dataclass(frozen=True)
class Overlap(PairCoefficient):
    """The sets judged at or above a level: size of their intersection over that of their union."""

    name = "overlap"
    symbol = "overlap"
    formulas = ("wilson",)
    undefined = "neither assessor gave a common item that level or a higher one"
    least = 0.0
    description = (
        "share of the items put at a level or above by either assessor that both put there"
    )
    reference = "Voorhees (2000), IP&M 36(5), doi:10.1016/S0306-4573(00)00010-8"
    examples = ("overlap>=1", "overlap>=2")
    suggested = ("overlap>={level}",)

    level: int

    @property
    def title(self) -> str:
        """See `Coefficient`."""
        return f"{self.symbol} from level {self.level}"

    @property
    def symmetry(self) -> Symmetry:
        """See `Coefficient`."""
        return "none"

    def counted(self, levels: Sequence[int]) -> tuple[Floats, Floats]:
        """Return 1 for every item in both sets, and in either."""
        return set_weights(self.level, levels)

    def interval(
        self, matrices: Floats, levels: Sequence[int], formula: str = ""
    ) -> tuple[Floats, Floats]:
        """Return Wilson's interval, among the items of the union."""
        return wilson_interval(*self.parts(matrices, levels))


@COEFFICIENTS.register
@dataclass(frozen=True)
class Alpha(PanelCoefficient):
    """Krippendorff's α; an item with one label is left out.

    Parameters
    ----------
    metric : {'nominal', 'ordinal', 'interval'}
        How far two levels are apart, see `krippendorff_alpha`.
    p : float, optional
        Between 0 and 1: items count p^(rank − 1), by the best rank that a run gives them, and not
        at all where no run shows them. So agreement matters where people look ("rank-biased α").
        No definition of that name is in print that we know of; this is ours: α from labels that
        count so, in proportion, with as many labels in all as the items shown have.
    """

    name = "alpha"
    symbol = "Krippendorff's α"
    bare = ("metric",)
    undefined = ONE_LEVEL
    description = (
        "agreement beyond chance, with the distribution of all labels; allows missing labels"
    )
    reference = (
        "Krippendorff (2004), Human Commun. Res. 30(3), doi:10.1111/j.1468-2958.2004.tb00738.x"
    )
    examples = ("alpha(nominal)", "alpha(ordinal)", "alpha(interval)")
    suggested = ("alpha(nominal)", "alpha(ordinal)", "alpha(interval)")
    by_rank = ("alpha(ordinal, p=0.8)",)

    metric: str
    p: float | None = None

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise BadInput(f"alpha takes {', '.join(METRICS)}, not {self.metric}")
        if self.p is not None and not (isinstance(self.p, float) and 0 < self.p < 1):
            raise BadInput(f"alpha's p is a number between 0 and 1, not {self.p}")

    def weigh(self, rank: Floats) -> Floats | None:
        """Return p^(rank − 1), 0 where no run shows the item; None without p."""
        if self.p is None:
            return None
        weight: Floats = np.nan_to_num(np.power(self.p, rank - 1))
        return weight

    @property
    def title(self) -> str:
        """See `Coefficient`."""
        return (
            f"{self.symbol} ({self.metric})"
            if self.p is None
            else f"rank-biased α ({self.metric}, p = {self.p:g})"
        )

    @property
    def symmetry(self) -> Symmetry:
        """See `Coefficient`."""
        return "any" if self.metric == "nominal" else "reversal"

    def value(self, sums: PanelSums) -> Floats:
        """Return α."""
        return krippendorff_alpha(sums, self.metric)


@COEFFICIENTS.register
@dataclass(frozen=True)
class Fleiss(PanelCoefficient):
    """Fleiss's κ, generalised to unequal numbers of labels."""

    name = "fleiss"
    symbol = "Fleiss's κ"
    undefined = ONE_LEVEL
    description = "agreement beyond chance, with one distribution of levels for all assessors"
    reference = "Fleiss (1971), Psychological Bulletin 76(5), doi:10.1037/h0031619"
    examples = ("fleiss",)
    suggested = ("fleiss",)

    def value(self, sums: PanelSums) -> Floats:
        """Return κ."""
        return fleiss_kappa(sums)


@COEFFICIENTS.register
@dataclass(frozen=True)
class Randolph(PanelCoefficient):
    """Randolph's κ: by chance every level of the scale is as likely."""

    name = "randolph"
    symbol = "Randolph's κ"
    undefined = ONE_ON_SCALE
    one_level = 1.0
    description = "agreement beyond chance as if all levels of the scale were equally likely"
    reference = "Randolph (2005), Free-marginal multirater kappa, ERIC ED490661"
    examples = ("randolph",)
    suggested = ("randolph",)

    def least_on(self, levels: Sequence[int]) -> float:
        """See `Coefficient`."""
        return least_with_chance("unweighted", levels)

    def value(self, sums: PanelSums) -> Floats:
        """Return κ."""
        return randolph_kappa(sums)


@COEFFICIENTS.register
@dataclass(frozen=True)
class AC1(PanelCoefficient):
    """Gwet's AC1, which stays high where one level prevails."""

    name = "AC1"
    symbol = "AC1"
    undefined = ONE_ON_SCALE
    one_level = 1.0
    description = (
        "agreement beyond chance; the more one level dominates, the less agreement counts as chance"
    )
    reference = "Gwet (2008), Br. J. Math. Stat. Psychol. 61(1), doi:10.1348/000711006X126600"
    examples = ("AC1",)
    suggested = ("AC1",)

    def least_on(self, levels: Sequence[int]) -> float:
        """See `Coefficient`."""
        return least_with_chance("unweighted", levels)

    def value(self, sums: PanelSums) -> Floats:
        """Return AC1."""
        return gwet_ac(sums)


@COEFFICIENTS.register
@dataclass(frozen=True)
class AC2(PanelCoefficient):
    """Gwet's AC2: AC1 with near misses counted in part."""

    name = "AC2"
    symbol = "AC2"
    bare = ("weighting",)
    undefined = ONE_ON_SCALE
    one_level = 1.0
    description = "AC1 with near misses counted in part"
    reference = "Gwet (2014), Handbook of Inter-Rater Reliability, 4th ed., ch. 4"
    examples = ("AC2(linear)", "AC2(quadratic)")
    suggested = ("AC2(linear)", "AC2(quadratic)")

    weighting: str

    def __post_init__(self) -> None:
        if self.weighting not in ("linear", "quadratic"):
            raise BadInput(f"AC2 takes linear or quadratic, not {self.weighting}")

    @property
    def title(self) -> str:
        """See `Coefficient`."""
        return _title(self.symbol, self.weighting)

    @property
    def symmetry(self) -> Symmetry:
        """See `Coefficient`."""
        return "reversal"

    def least_on(self, levels: Sequence[int]) -> float:
        """See `Coefficient`."""
        return least_with_chance(self.weighting, levels)

    def value(self, sums: PanelSums) -> Floats:
        """Return AC2."""
        return gwet_ac(sums, self.weighting)


def _agreed_of_all(weighting: str, levels: Sequence[int]) -> tuple[Floats, Floats]:
    return agreement_weights(weighting, levels), np.ones((len(levels), len(levels)))


def _title(symbol: str, weighting: str, unweighted: str = "") -> str:
    """Return a symbol with its weighting in words."""
    level = binary_level(weighting)
    if level is not None:
        return f"{symbol} from level {level}"
    kind = unweighted if weighting == "unweighted" else f"{weighting} weighted"
    return f"{kind} {symbol}".strip()


def _symmetry_of(weighting: str) -> Symmetry:
    """Return the exchanges of levels that a weighting does not see."""
    if weighting == "unweighted":
        return "any"
    return "reversal" if binary_level(weighting) is None else "none"


def _tidy(weighting: str) -> str:
    """Return the one spelling of a weighting, so that equal coefficients are equal values."""
    text = str(weighting).strip()
    agreement_weights(text, ())
    level = binary_level(text)
    return text if level is None else f"binary>={level}"
