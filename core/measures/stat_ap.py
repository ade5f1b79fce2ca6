"""statAP: average precision from a sample with known probabilities."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, BinaryMeasure, Weights, divide
from core.measures.estimated import EstimatedMeasure
from core.measures.ranked import Floats, Mask
from core.measures.ranking import Rankings
from core.measures.sample import Sample


@MEASURES.register
@dataclass(frozen=True)
class StatAP(EstimatedMeasure, BinaryMeasure):
    """Average precision by Horvitz and Thompson: each document counts 1 over its probability π.

    The sum of precisions is one over pairs of relevant documents, the deeper of which stands at
    rank k: Σ 1 / (k π_i π_j), and for a document with itself 1 / (k π). Divided by the estimated
    number of relevant documents, Σ 1/π, it is the score.

    Notes
    -----
    Two documents are taken to be drawn together with π_i π_j. So it is within a bucket of the
    sampling that goes with this measure (``stat-sample``); across its buckets, of m draws, the
    pair's probability is lower by 1/m. A ratio of two unbiased estimates is itself unbiased only
    as the sample grows, and may exceed 1.
    """

    name = "statAP"
    upper_bound = np.inf
    description = "average precision estimated from a sample with known probabilities"
    reference = "Aslam & Pavlu (2007), A Practical Sampling Strategy for Efficient Retrieval "
    reference += "Evaluation, Northeastern University"
    examples = ("statAP", "statAP(rel=2)", "statAP@10")
    lack = "the qrels do not say with what probability each judged document was drawn"

    def known_topics(self, sample: Sample) -> Mask:
        """Return of which topics every drawn document has a probability, shape (n_topics,)."""
        unknown = sample.pool.is_sampled & np.isnan(sample.pool.probability)
        known: Mask = sample.pool.cells.total(unknown.astype(np.float64)) == 0
        return known

    def estimate(self, sample: Sample, rankings: Rankings, weights: Weights | None) -> Floats:
        """Return statAP, shape (n_rankings,), at least 0; NaN without a relevant document."""
        pool = sample.pool
        with np.errstate(invalid="ignore"):
            stands_for = np.where(pool.cells.level >= self.rel, 1 / pool.probability, 0.0)
        found = sample.shown.where(sample.shown.level >= self.rel)
        own = stands_for[sample.position[sample.shown.level >= self.rel]]
        total = found.total(own * (1 + found.before(own, np.add)) / found.rank)
        return divide(total, pool.cells.total(stands_for)[rankings.topic])
