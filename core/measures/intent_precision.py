"""Precision, average precision and recall by intent."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, Weights, divide
from core.measures.intent_measure import IntentMeasure
from core.measures.ranked import Floats
from core.measures.ranking import Rankings

_AGRAWAL = "Agrawal et al. (2009), WSDM, doi:10.1145/1498759.1498766"


@MEASURES.register
@dataclass(frozen=True)
class PIA(IntentMeasure):
    """Precision by intent: the mean over the intents of the share of relevant documents.

    With a cut-off the divisor is the cut-off, also where fewer documents are retrieved: ndeval's
    ``P-IA@k``.
    """

    name = "P-IA"
    description = "mean over the intents of precision"
    reference = _AGRAWAL
    examples = ("P-IA", "P-IA@5", "P-IA(rel=2, intents='any')@10")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return P-IA, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        found = self.separate_intents(rankings).retrieved.at_least(self.rel).up_to(self.cutoff)
        shown = self.cutoff or np.maximum(rankings.length, 1)
        return self.average(rankings, found.count()) / shown


@MEASURES.register
@dataclass(frozen=True)
class APIA(IntentMeasure):
    """Average precision by intent: the mean over the intents of AP, ndeval's ``MAP-IA``."""

    name = "AP-IA"
    description = "mean over the intents of average precision"
    reference = _AGRAWAL
    examples = ("AP-IA", "AP-IA(rel=2)@10")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return AP-IA, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        intents = self.separate_intents(rankings)
        found = intents.retrieved.at_least(self.rel).up_to(self.cutoff)
        total = found.total(found.ordinal() / found.rank)
        relevant = intents.relevant(self.rel)[rankings.topic].ravel()
        return self.average(rankings, np.nan_to_num(divide(total, relevant)))


@MEASURES.register
@dataclass(frozen=True)
class SubtopicRecall(IntentMeasure):
    """Subtopic recall: the share of the topic's intents with a relevant document shown."""

    name = "strec"
    normalised = True
    description = "share of the topic's intents with a relevant document up to the cut-off"
    reference = "Zhai, Cohen & Lafferty (2003), SIGIR, doi:10.1145/860435.860440"
    examples = ("strec@1", "strec(rel=3)@5")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return covered / intents, shape (n_rankings,), in [0, 1]; NaN without an intent."""
        found = self.separate_intents(rankings).retrieved.at_least(self.rel).up_to(self.cutoff)
        return self.average(rankings, np.minimum(found.count(), 1))
