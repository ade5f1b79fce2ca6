"""infAP: average precision inferred from a uniform sample of the pool."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, BinaryMeasure, Weights, divide
from core.measures.estimated import EstimatedMeasure
from core.measures.ranked import Floats, Mask
from core.measures.ranking import Rankings
from core.measures.sample import Sample

EPSILON = 0.00001
"""trec_eval's INFAP_EPSILON: where nothing above was drawn, half of it counts as relevant."""


@MEASURES.register
@dataclass(frozen=True)
class InfAP(EstimatedMeasure, BinaryMeasure):
    """Inferred average precision: the mean of the precision expected at each relevant document.

    At rank k it is 1/k + (pooled above / k) (r + ε) / (r + n + 2ε), with r documents above judged
    relevant and n judged not relevant. What was not pooled counts as not relevant. It is
    trec_eval's ``infAP``; the pool is to be sampled uniformly, for strata play no part.

    Notes
    -----
    The precision at a relevant document is estimated without bias only as more is judged above
    it: the ratio is of random numbers, and where nothing was drawn it is ½.
    """

    name = "infAP"
    description = "average precision estimated from a uniform sample of the pool"
    reference = "Yilmaz & Aslam (2006), CIKM, doi:10.1145/1183614.1183633"
    examples = ("infAP", "infAP(rel=2)", "infAP@10")

    def eligible_topics(self, rankings: Rankings) -> Mask:
        """Return in which topics a relevant document was drawn, shape (n_topics,)."""
        return rankings.relevant(self.rel) > 0

    def estimate(self, sample: Sample, rankings: Rankings, weights: Weights | None) -> Floats:
        """Return infAP, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        shown = sample.shown
        above = shown.ordinal() - 1
        drawn, relevant = (sample.count_above(shown.level >= lowest) for lowest in (0, self.rel))
        share = (relevant + EPSILON) / (drawn + 2 * EPSILON)
        precision = (1 + above * share) / shown.rank
        total = shown.total(np.where(shown.level >= self.rel, precision, 0.0))
        return divide(total, rankings.relevant(self.rel)[rankings.topic])
