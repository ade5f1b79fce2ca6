"""The number of topics by the paired t-test of two systems."""

from dataclasses import dataclass

from core.agreement.intervals import Floats
from core.planning.designs import DESIGNS, Design, Requirement, power_of_f
from core.planning.variance import ScoreVariance, Variance


@DESIGNS.register
@dataclass(frozen=True)
class PairedT(Design):
    """The paired t-test, two-sided: t is noncentral by √n times the effect over σ_t.

    Exact for normal differences. Nagata's approximation, which Sakai quotes, gives the same number
    or one beside it.
    """

    name = "paired-t"
    title = "paired t-test"
    description = "two systems on the same topics, by the paired t-test"
    reference = "Sakai (2016), Inf. Retr. J. 19(3), doi:10.1007/s10791-015-9273-z"
    examples = ("paired-t",)
    suggested = ("paired-t",)
    varies = "differences"
    is_of_many = False

    def choose(self, variance: ScoreVariance) -> Variance:
        """Return the variance of differences."""
        return variance.differences

    def reach(self, topics: Floats, variance: float, wanted: Requirement) -> Floats:
        """Return the power."""
        return power_of_f(1, topics - 1, topics * wanted.effect**2 / variance, wanted.alpha)
