"""The number of topics by Tukey's test: two systems told apart among all pairs of several."""

from dataclasses import dataclass

import numpy as np

from core.agreement.intervals import Floats
from core.comparison.studentised_range import find_range
from core.planning.designs import DESIGNS, Design, Requirement, exceed_f
from core.planning.variance import ScoreVariance, Variance


@DESIGNS.register
@dataclass(frozen=True)
class TukeyDesign(Design):
    """Tukey's honestly significant difference: all pairs are tested, one is to be found.

    What is planned is the power of one given pair, as large apart as the effect, at the critical
    value that holds α for all pairs at once. With two systems it is the paired t-test.
    """

    name = "tukey"
    title = "Tukey's test of all pairs"
    description = "one given pair among all pairs of several systems on the same topics"
    reference = "Carterette (2012), ACM TOIS 30(1), doi:10.1145/2094072.2094076"
    examples = ("tukey",)
    suggested = ("tukey",)
    varies = "scores of a system, less what the topic does to all"

    def choose(self, variance: ScoreVariance) -> Variance:
        """Return the residual variance."""
        return variance.residual

    def reach(self, topics: Floats, variance: float, wanted: Requirement) -> Floats:
        """Return the power of one pair."""
        freedom = (wanted.systems - 1) * (topics - 1)
        critical = [find_range(wanted.alpha, wanted.systems, int(one)) for one in freedom]
        noncentrality = topics * wanted.effect**2 / (2 * variance)
        return exceed_f(1, freedom, noncentrality, np.array(critical) ** 2 / 2)
