"""The number of topics by the analysis of variance of several systems.

The effect is the range of the systems' means, from the worst to the best. Of all patterns of means
with that range the one is taken that is hardest to find: all others lie in the middle.
"""

from dataclasses import dataclass

from core.agreement.intervals import Floats
from core.planning.designs import DESIGNS, Design, Requirement, power_of_f
from core.planning.variance import ScoreVariance, Variance


@DESIGNS.register
@dataclass(frozen=True)
class OneWayAnova(Design):
    """One-way analysis of variance: every system as if on topics of its own."""

    name = "one-way-anova"
    title = "one-way ANOVA"
    description = "several systems, each as if on topics of its own"
    reference = "Sakai (2016), Inf. Retr. J. 19(3), doi:10.1007/s10791-015-9273-z"
    examples = ("one-way-anova",)
    suggested = ("one-way-anova",)
    varies = "scores of a system"

    def choose(self, variance: ScoreVariance) -> Variance:
        """Return the variance of scores within a system."""
        return variance.within

    def reach(self, topics: Floats, variance: float, wanted: Requirement) -> Floats:
        """Return the power: F has m − 1 and m(n − 1) degrees of freedom."""
        freedom = wanted.systems * (topics - 1)
        return _find_power(topics, freedom, variance, wanted)


@DESIGNS.register
@dataclass(frozen=True)
class TwoWayAnova(Design):
    """Two-way analysis of variance without replication: all systems on the same topics."""

    name = "two-way-anova"
    title = "two-way ANOVA"
    description = "several systems on the same topics"
    reference = "Sakai (2018), Laboratory Experiments in Information Retrieval"
    examples = ("two-way-anova",)
    suggested = ("two-way-anova",)
    varies = "scores of a system, less what the topic does to all"

    def choose(self, variance: ScoreVariance) -> Variance:
        """Return the residual variance."""
        return variance.residual

    def reach(self, topics: Floats, variance: float, wanted: Requirement) -> Floats:
        """Return the power: F has m − 1 and (m − 1)(n − 1) degrees of freedom."""
        freedom = (wanted.systems - 1) * (topics - 1)
        return _find_power(topics, freedom, variance, wanted)


def _find_power(topics: Floats, freedom: Floats, variance: float, wanted: Requirement) -> Floats:
    noncentrality = topics * wanted.effect**2 / (2 * variance)
    return power_of_f(wanted.systems - 1, freedom, noncentrality, wanted.alpha)
