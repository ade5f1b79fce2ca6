"""infNDCG: nDCG inferred from a stratified sample of the pool."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import ABOVE_0, MEASURES, Weights, divide
from core.measures.estimated import EstimatedMeasure
from core.measures.gain import GradedMeasure
from core.measures.ranked import Floats
from core.measures.ranking import Rankings
from core.measures.sample import Pool, Sample
from core.measures.xinf_ap import STRATIFIED

DEEPEST = 1000
"""How many ranks of the ideal ranking count without a cut-off, as in sample_eval."""


@MEASURES.register
@dataclass(frozen=True)
class InfNDCG(EstimatedMeasure, GradedMeasure):
    """nDCG from a sample whose strata were drawn at rates of their own.

    DCG is, over the strata, the mean discounted gain of the drawn documents in the ranking times
    how many pooled ones it shows; the discount is log2(rank + 1). The ideal ranking has of every
    gain as many documents as the sample stands for. It is NIST's ``sample_eval``'s infNDCG, which
    lets the ideal go on at broken ranks and down to rank 1,000; below it that program adds one more
    document for each lower gain.
    """

    name = "infNDCG"
    upper_bound = np.inf
    description = "nDCG estimated from a stratified sample of the pool"
    reference = STRATIFIED
    examples = ("infNDCG", "infNDCG(gain='exp')@10", "infNDCG(gain='udm')")

    def estimate(self, sample: Sample, rankings: Rankings, weights: Weights | None) -> Floats:
        """Return infNDCG, shape (n_rankings,), at least 0; NaN where nothing drawn has a gain."""
        shown = sample.shown
        drawn = shown.where(shown.level >= 0)
        stratum = sample.pool.stratum[sample.position]
        # What a ranking shows of a stratum: pooled ones to each drawn one.
        key = shown.row.astype(np.int64) * (sample.pool.strata + 1) + stratum
        _, group = np.unique(key, return_inverse=True)
        size = np.bincount(group)
        stands_for = size[group] / np.maximum(np.bincount(group, shown.level >= 0), 1)[group]
        gain = self.gains(drawn, weights) / np.log2(drawn.rank + 1)
        reached = drawn.total(gain * stands_for[shown.level >= 0])
        possible = [
            self._best(sample.pool, topic, weights) for topic in range(len(rankings.topics))
        ]
        return divide(reached, np.array(possible)[rankings.topic])

    def _best(self, pool: Pool, topic: int, weights: Weights | None) -> float:
        """Return the DCG of a topic's ideal ranking."""
        own = pool.cells.where((pool.cells.row == topic) & (pool.cells.level >= ABOVE_0))
        stands_for = pool.weight[(pool.cells.row == topic) & (pool.cells.level >= ABOVE_0)]
        gain = self.gains(own, weights)
        total, start, deepest = 0.0, 0.0, self.cutoff or DEEPEST
        for one in np.unique(gain[gain > 0])[::-1]:
            number = stands_for[gain == one].sum()
            # Sums of weights are whole but for rounding where they should be whole.
            rank = start + np.arange(1, np.floor(number + 1e-9) + 1)
            total += float(one * (1 / np.log2(rank[rank < deepest + 1] + 1)).sum())
            start += number
        return total
