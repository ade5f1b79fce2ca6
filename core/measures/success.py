"""Success: whether anything relevant is found at all."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, BinaryMeasure, CondensedMeasure, Weights
from core.measures.ranked import Floats
from core.measures.ranking import Rankings


@MEASURES.register
@dataclass(frozen=True)
class Success(CondensedMeasure, BinaryMeasure):
    """Success: 1 if a relevant document is among those shown, else 0 (trec_eval's ``success``).

    Its mean is the share of the topics with a relevant document up to the cut-off.
    """

    name = "Success"
    normalised = True
    description = "whether a relevant document is found up to the cut-off"
    reference = "Craswell & Hawking (2004), TREC 2004 Web track overview"
    examples = ("Success@1", "Success(rel=3)@2", "Success(rel=3, judged_only=True)@2")
    suggested = ("Success@5",)

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return 1 or 0, shape (n_rankings,)."""
        found = self.seen(rankings).retrieved.at_least(self.rel).up_to(self.cutoff).count()
        return (found > 0).astype(np.float64)
