"""Measures that ask how often a relevant document stands before one judged not relevant."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, BinaryMeasure, Weights, divide
from core.measures.ranked import Floats
from core.measures.ranking import Rankings


@MEASURES.register
@dataclass(frozen=True)
class Bpref(BinaryMeasure):
    """Bpref: the share of relevant documents preferred to those judged not relevant.

    Σ (1 − min(n, R) / min(N, R)) / R over the relevant documents shown, with n of the N documents
    judged not relevant above each: trec_eval's formula. Unlike elsewhere, a document without a
    judgement is passed over and does not count as level 0.
    """

    name = "bpref"
    normalised = True
    description = "share of judged pairs in the right order; ignores unjudged documents"
    reference = "Buckley & Voorhees (2004), SIGIR, doi:10.1145/1008992.1009000"
    examples = ("bpref", "bpref(rel=2)", "bpref@10")
    suggested = ("bpref",)

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return bpref, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        relevant = rankings.relevant(self.rel)
        pairs = np.minimum(relevant, rankings.ideal.count() - relevant)[rankings.topic]
        relevant = relevant[rankings.topic]
        shown = rankings.retrieved.up_to(self.cutoff)
        found = shown.at_least(self.rel)
        judged = np.flatnonzero(shown.level >= self.rel) - shown.start()[found.row]
        above = judged - found.ordinal() + 1
        missed = np.minimum(above, relevant[found.row]) / np.maximum(pairs, 1)[found.row]
        return divide(found.total(1 - missed), relevant)
