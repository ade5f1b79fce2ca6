"""Measures that ask at which ranks documents of several levels stand."""

from dataclasses import dataclass

import numpy as np

from core.errors import BadInput
from core.measures.base import MEASURES, Weights, divide
from core.measures.gain import GradedMeasure
from core.measures.ranked import Floats
from core.measures.ranking import Rankings


@MEASURES.register
@dataclass(frozen=True)
class GAP(GradedMeasure):
    """Graded average precision: AP averaged over users who differ in what they accept.

    A user accepts the documents from some level on; q_i is the chance that this level is i or a
    lower one. The score is Σ_k (1/k) Σ_{κ≤k} min(q of rank κ, q of rank k) divided by Σ q over
    the topic's judged documents, which with two levels is AP.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    gain : str or table, default 'linear'
        q by level, up to a factor, which plays no part: ``linear`` when each level above 0 is the
        threshold of as many users, ``exp`` (2^level − 1), ``udm`` (the weight handed to the
        evaluation; for M = 1 only, since all users accept the top level) or a table of levels.
        A document without a judgement has q = 0.
    divisor : str, default 'judged'
        What Σ q runs over: ``judged`` documents of the topic, or those of the ``list`` alone, as
        printed by Demeester et al.

    Notes
    -----
    Where q does not rise with the level, the order is that of q.
    """

    divisor: str = "judged"

    name = "GAP"
    normalised = True
    description = "average precision over users with different thresholds of relevance"
    reference = "Robertson, Kanoulas & Yilmaz (2010), SIGIR, doi:10.1145/1835449.1835550"
    examples = (
        "GAP",
        "GAP(gain='udm')@10",
        "GAP(gain='exp')",
        "GAP(gain='udm', divisor='list')",
        "GAP(gain={0: 0.3, 1: 0.9, 2: 0.5, 3: 1.0})",
    )
    suggested = ("GAP",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.divisor not in ("judged", "list"):
            raise ValueError("divisor is judged or list")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return GAP, shape (n_rankings,), in [0, 1]; NaN where nothing judged has a gain."""
        if self.gain == "udm":
            _refuse_several(weights)
        shown = self.shown(rankings.retrieved, weights)
        accepted = self.gains(shown, weights)
        total, below = np.zeros(shown.rows), 0.0
        # min(a, b) adds up, threshold by threshold, to the steps that both a and b reach.
        for threshold in np.unique(accepted[accepted > 0]).tolist():
            found = shown.where(accepted >= threshold)
            total += (threshold - below) * found.total(found.ordinal() / found.rank)
            below = threshold
        best = rankings.ideal
        possible = best.total(self.gains(best, weights))[rankings.topic]
        if self.divisor == "list":
            inside = shown.total(accepted)
            possible = np.where(possible > 0, np.where(inside > 0, inside, 1.0), 0.0)
        return divide(total, possible)


def _refuse_several(weights: Weights | None) -> None:
    """Refuse weights under which not every user accepts the top level."""
    if weights and weights[max(weights)] < 1 - 1e-9:
        raise BadInput(
            "GAP needs a weight of 1 for the top level, which only 'at least 1 of N users' gives; "
            "choose M = 1",
            field="weights",
        )
