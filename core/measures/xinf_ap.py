"""xinfAP: average precision inferred from a stratified sample of the pool."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, BinaryMeasure, Weights, divide
from core.measures.estimated import EstimatedMeasure
from core.measures.ranked import Floats
from core.measures.ranking import Rankings
from core.measures.sample import Sample

STRATIFIED = "Yilmaz, Kanoulas & Aslam (2008), SIGIR, doi:10.1145/1390334.1390437"

EPSILON = 0.00001
"""The smoothing of sample_eval, which adds it to the relevant and three times it to the drawn."""


@MEASURES.register
@dataclass(frozen=True)
class XinfAP(EstimatedMeasure, BinaryMeasure):
    """Average precision from a sample whose strata were drawn at rates of their own.

    A relevant document stands for as many as its stratum has pooled ones to each drawn one. The
    precision expected at its rank k is (1 + Σ over strata of pooled above × (r + ε) / (d + 3ε)) /
    k, with d documents of the stratum drawn above and r of them relevant. It is what NIST's
    ``sample_eval`` prints as infAP, but for topics with more than 1,000 relevant documents, whose
    score that program scales up. Without strata, all of a pool is one.
    """

    name = "xinfAP"
    description = "average precision estimated from a stratified sample of the pool"
    reference = STRATIFIED
    examples = ("xinfAP", "xinfAP(rel=2)", "xinfAP@10")

    def estimate(self, sample: Sample, rankings: Rankings, weights: Weights | None) -> Floats:
        """Return xinfAP, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        shown = sample.shown
        above = sample.expect_above(self.rel, EPSILON, 3 * EPSILON)
        stands_for = np.where(shown.level >= self.rel, sample.weight, 0.0)
        total = shown.total(stands_for * (1 + above) / shown.rank)
        return divide(total, sample.relevant(self.rel)[rankings.topic])
