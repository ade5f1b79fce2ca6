"""Measures that ask at which ranks the relevant documents stand."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, BinaryMeasure, CondensedMeasure, Weights, divide
from core.measures.ranked import Floats
from core.measures.ranking import Rankings

_TEXTBOOK = "Baeza-Yates & Ribeiro-Neto (2011), Modern Information Retrieval, 2nd ed., ch. 4"


@MEASURES.register
@dataclass(frozen=True)
class P(CondensedMeasure, BinaryMeasure):
    """Precision: the share of relevant documents among those shown.

    With a cut-off the divisor is the cut-off, also where fewer documents are retrieved.
    """

    name = "P"
    description = "share of relevant documents up to the cut-off"
    reference = _TEXTBOOK
    examples = ("P", "P@5", "P(rel=2)@10", "P(judged_only=True)@10")
    suggested = ("P@5", "P@10")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return relevant / shown, shape (n_rankings,), in [0, 1]."""
        found = self.seen(rankings).retrieved.at_least(self.rel).up_to(self.cutoff).count()
        return found / (self.cutoff or np.maximum(self.seen(rankings).length, 1))


@MEASURES.register
@dataclass(frozen=True)
class R(CondensedMeasure, BinaryMeasure):
    """Recall: the share of the relevant documents that is shown."""

    name = "R"
    normalised = True
    description = "share of the topic's relevant documents found up to the cut-off"
    reference = _TEXTBOOK
    examples = ("R", "R(rel=2)@3", "R(judged_only=True)@3")
    suggested = ("R@10",)

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return shown / relevant, shape (n_rankings,), in [0, 1]; NaN without a relevant one."""
        found = self.seen(rankings).retrieved.at_least(self.rel).up_to(self.cutoff).count()
        return divide(found, rankings.relevant(self.rel)[rankings.topic])


@MEASURES.register
@dataclass(frozen=True)
class AP(CondensedMeasure, BinaryMeasure):
    """Average precision: mean over the relevant documents of the precision at each one's rank.

    A relevant document that is not shown contributes 0; the divisor is the number of relevant
    documents also with a cut-off (trec_eval's ``map_cut``).
    """

    name = "AP"
    normalised = True
    description = "mean of the precision at each relevant document"
    reference = _TEXTBOOK
    examples = ("AP", "AP(rel=2)", "AP@7", "AP(judged_only=True)")
    suggested = ("AP", "AP(judged_only=True)")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return AP, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        found = self.seen(rankings).retrieved.at_least(self.rel).up_to(self.cutoff)
        total = found.total(found.ordinal() / found.rank)
        return divide(total, rankings.relevant(self.rel)[rankings.topic])


@MEASURES.register
@dataclass(frozen=True)
class Rprec(CondensedMeasure, BinaryMeasure):
    """R-precision: precision at the rank that equals the number of relevant documents."""

    name = "Rprec"
    normalised = True
    description = "precision at as many ranks as the topic has relevant documents"
    reference = _TEXTBOOK
    examples = ("Rprec", "Rprec(rel=3)", "Rprec(judged_only=True)")
    suggested = ("Rprec",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cutoff is not None:
            raise ValueError("Rprec sets its own cut-off")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return R-precision, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        relevant = rankings.relevant(self.rel)[rankings.topic]
        found = self.seen(rankings).retrieved.at_least(self.rel)
        early = found.where(found.rank <= relevant[found.row])
        return divide(early.count(), relevant)


@MEASURES.register
@dataclass(frozen=True)
class RR(CondensedMeasure, BinaryMeasure):
    """Reciprocal rank of the first relevant document; 0 when there is none up to the cut-off."""

    name = "RR"
    normalised = True
    description = "one over the rank of the first relevant document"
    reference = _TEXTBOOK
    examples = ("RR", "RR@10", "RR(rel=3, judged_only=True)")
    suggested = ("RR",)

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return 1 / rank or 0, shape (n_rankings,), in [0, 1]."""
        found = self.seen(rankings).retrieved.at_least(self.rel).up_to(self.cutoff)
        first = found.where(found.ordinal() == 1)
        return first.total(1 / first.rank)


def interpolate_precision(rankings: Rankings, rel: float = 1) -> Floats:
    """Return precision at the recall levels 0, .1 … 1 of every ranking.

    At recall j/10 with R relevant documents it is the highest precision at or after the
    ⌈jR/10⌉-th relevant one, found in whole numbers, and 0 when that one is not retrieved.
    trec_eval 9 computes the threshold in floating point and is one document off at, for instance,
    recall .7 with R = 3; that difference is deliberate.

    Parameters
    ----------
    rankings : Rankings
        The runs and judgements.
    rel : float, default 1
        The level from which a document counts as relevant.

    Returns
    -------
    array of float, shape (n_rankings, 11)
        In [0, 1]; NaN where the topic has no relevant document.

    References
    ----------
    Baeza-Yates & Ribeiro-Neto, Modern Information Retrieval, 2nd ed., ch. 4.
    """
    relevant = rankings.relevant(rel)[rankings.topic]
    found = rankings.retrieved.at_least(rel)
    position = found.ordinal()
    precision, curve = position / found.rank, np.zeros((len(relevant), 11))
    for j in range(11):
        late = position >= -(-j * relevant // 10)[found.row]
        np.maximum.at(curve[:, j], found.row[late], precision[late])
    curve[relevant == 0] = np.nan
    return curve
