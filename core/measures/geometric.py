"""GMAP: average precision of topics, averaged so that the poor ones count most."""

from dataclasses import dataclass

from core.measures.base import MEASURES, BinaryMeasure, Weights
from core.measures.precision import AP
from core.measures.ranked import Floats
from core.measures.ranking import Rankings


@MEASURES.register
@dataclass(frozen=True)
class GMAP(BinaryMeasure):
    """Geometric mean of average precision over topics (trec_eval's ``gm_map``).

    A topic's own score is its AP. The mean is exp(mean of log(max(AP, .00001))), so that doubling
    the AP of a poor topic counts as much as doubling that of a good one. It has no interval here,
    and systems are not tested by it: compare them by AP, topic by topic.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    rel : float, default 1
        The level from which a document counts as relevant.
    """

    name = "GMAP"
    normalised = True
    geometric = True
    description = "AP of topics, with a geometric mean over them"
    reference = "Robertson (2006), CIKM, doi:10.1145/1183614.1183630"
    examples = ("GMAP", "GMAP(rel=2)", "GMAP@10")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return AP, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        return AP(self.cutoff, self.rel).score(rankings)
