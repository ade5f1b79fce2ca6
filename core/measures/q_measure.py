"""Q: average precision with cumulated gain blended in."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, CondensedMeasure, Weights, divide
from core.measures.gain import GradedMeasure
from core.measures.ranked import Floats
from core.measures.ranking import Rankings


@MEASURES.register
@dataclass(frozen=True)
class Q(CondensedMeasure, GradedMeasure):
    """Q-measure: mean over the relevant documents of the blended ratio at each one's rank.

    At rank k with C relevant documents so far, cumulated gain cg and that of the ideal ranking
    cg*, the ratio is (C + β cg) / (k + β cg*). With a cut-off the mean divides by min(k, R), as
    NTCIREVAL does (and AP here does not). A document is relevant when it has a gain, so that the
    ideal ranking scores 1; NTCIREVAL counts any level above 0, also one without a gain.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    gain : str or table, default 'linear'
        The gain of a level: ``linear``, ``exp``, ``udm`` or a table of levels.
    beta : float, default 1
        How much cumulated gain matters; 0 leaves precision alone.
    """

    beta: float = 1

    name = "Q"
    normalised = True
    description = "average precision with cumulated gain blended in"
    reference = "Sakai & Song (2011), SIGIR, doi:10.1145/2009916.2010055"
    examples = ("Q", "Q@10", "Q(gain='exp', beta=2)@3", "Q(gain='udm')", "Q(judged_only=True)")
    suggested = ("Q@10", "Q(judged_only=True)@10")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.beta < np.inf:
            raise ValueError("beta is a finite number of at least 0")
        if self.beta == int(self.beta):
            object.__setattr__(self, "beta", int(self.beta))

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return Q, shape (n_rankings,), in [0, 1]; NaN where nothing judged has a gain."""
        shown = self.shown(self.seen(rankings).retrieved, weights)
        gain = self.gains(shown, weights)
        found, gain = shown.where(gain > 0), gain[gain > 0]
        reached = found.before(gain, np.add) + gain
        numerator = found.ordinal() + self.beta * reached
        best, relevant = self._best(rankings, weights)
        topic = rankings.topic
        possible = best[topic[found.row], np.minimum(found.rank, best.shape[1]) - 1]
        counted = relevant if self.cutoff is None else np.minimum(relevant, self.cutoff)
        total = found.total(numerator / (found.rank + self.beta * possible))
        return divide(total, counted[topic])

    def _best(self, rankings: Rankings, weights: Weights | None) -> tuple[Floats, Floats]:
        """Return the ideal cumulated gain, shape (n_topics, depth), and how many have a gain."""
        ideal = self.ideal(rankings, weights)
        gain = self.gains(ideal, weights)
        depth = max(int(ideal.rank[gain > 0].max(initial=0)), 1)
        relevant = ideal.where(gain > 0).count()
        return ideal.matrix(gain, depth).cumsum(axis=1), relevant.astype(np.float64)
