"""How much of a ranking the judgements cover."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, Measure, Weights
from core.measures.ranked import Floats
from core.measures.ranking import Rankings


@MEASURES.register
@dataclass(frozen=True)
class JudgedShare(Measure):
    """Share of the documents shown that have a judgement, whatever its level.

    The divisor is the number of documents up to the cut-off; an empty ranking has 0.
    """

    name = "judged"
    normalised = True
    monotone = False
    description = "share of the documents up to the cut-off that are judged"
    reference = "MacAvaney, Macdonald & Ounis (2022), ECIR: ir_measures' Judged@k"
    examples = ("judged", "judged@10")
    suggested = ("judged@10",)

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return judged / shown, shape (n_rankings,), in [0, 1]."""
        length = rankings.length
        shown = length if self.cutoff is None else np.minimum(length, self.cutoff)
        return rankings.retrieved.up_to(self.cutoff).count() / np.maximum(shown, 1)
