"""The number of topics by how wide the confidence interval of a difference may be."""

from dataclasses import dataclass

import numpy as np

from core.agreement.intervals import Floats
from core.planning.designs import DESIGNS, Design, Requirement
from core.planning.variance import ScoreVariance, Variance


@DESIGNS.register
@dataclass(frozen=True)
class IntervalWidth(Design):
    """The t-interval of the difference of two systems, as wide on average as is wanted."""

    name = "interval-width"
    title = "width of a confidence interval"
    description = "two systems on the same topics, by the mean width of their difference's interval"
    reference = "Sakai (2016), Inf. Retr. J. 19(3), doi:10.1007/s10791-015-9273-z"
    examples = ("interval-width",)
    suggested = ("interval-width",)
    varies = "differences"
    has_power = False
    is_of_many = False

    def choose(self, variance: ScoreVariance) -> Variance:
        """Return the variance of differences."""
        return variance.differences

    def reach(self, topics: Floats, variance: float, wanted: Requirement) -> Floats:
        """Return the mean width, in units of the measure.

        It is 2 t √(σ²/n) times the mean of s/σ, which is below 1 and exact for normal differences.
        """
        from scipy.special import fdtri, gammaln

        freedom = topics - 1
        shrunk = np.exp(gammaln(topics / 2) - gammaln(freedom / 2)) * np.sqrt(2 / freedom)
        critical = np.sqrt(fdtri(1, freedom, 1 - wanted.alpha))
        width: Floats = 2 * critical * shrunk * np.sqrt(variance / topics)
        return width

    def suffices(self, reached: Floats, wanted: Requirement) -> "np.typing.NDArray[np.bool_]":
        """Tell where the interval is narrow enough."""
        return reached <= wanted.interval_width
