"""Precision and recall as one number: F, the harmonic mean, and E, its complement."""

from dataclasses import dataclass
from math import isfinite

import numpy as np

from core.measures.base import MEASURES, BinaryMeasure, Weights, divide
from core.measures.ranked import Floats
from core.measures.ranking import Rankings

_TEXTBOOK = "Baeza-Yates & Ribeiro-Neto (2011), Modern Information Retrieval, 2nd ed., ch. 4"


@dataclass(frozen=True)
class SetMeasure(BinaryMeasure):
    """Base of the measures that weigh precision against recall at one cut.

    Parameters
    ----------
    cutoff : int, optional
        Where precision and recall are taken; over the whole ranking when absent.
    rel : float, default 1
        The level from which a document counts as relevant.
    b : float, default 1
        How much more recall matters than precision; 0 leaves precision alone.
    """

    b: float = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.b >= 0 and isfinite(self.b)):
            raise ValueError("b is a finite number of at least 0")
        if self.b == int(self.b):
            object.__setattr__(self, "b", int(self.b))

    def combine(self, rankings: Rankings) -> Floats:
        """Return (1 + b²) / (b²/r + 1/P), shape (n_rankings,); NaN without a relevant document.

        With f relevant documents among n shown and R in all, it is (1 + b²) f / (b² R + n).
        """
        found = rankings.retrieved.at_least(self.rel).up_to(self.cutoff).count()
        relevant = rankings.relevant(self.rel)[rankings.topic]
        shown = self.cutoff or np.maximum(rankings.length, 1)
        total = np.where(relevant > 0, self.b**2 * relevant + shown, 0.0)
        return divide((1 + self.b**2) * found.astype(np.float64), total)


@MEASURES.register
@dataclass(frozen=True)
class F(SetMeasure):
    """F: the harmonic mean of precision and recall, recall counting b² times as much.

    Over the whole ranking it is trec_eval's ``set_F``, whose parameter is b². With a cut-off,
    precision divides by the cut-off, also where fewer documents are retrieved.
    """

    name = "F"
    description = "harmonic mean of precision and recall"
    reference = _TEXTBOOK
    examples = ("F", "F@5", "F(rel=2, b=2)@10")
    suggested = ("F@10",)

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return F, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        return self.combine(rankings)


@MEASURES.register
@dataclass(frozen=True)
class E(SetMeasure):
    """E: 1 − (1 + b²) / (b²/r + 1/P), the complement of F; the lower, the better.

    A ranking that finds nothing, or is empty, scores 1.
    """

    name = "E"
    greater_is_better = False
    description = "complement of F: the lower, the better"
    reference = _TEXTBOOK
    examples = ("E", "E@5", "E(b=0)", "E(rel=2, b=0.5)@10")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return E, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        return 1 - self.combine(rankings)
