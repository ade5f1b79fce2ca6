"""Cumulated gain: CG and, with ranks discounted, DCG, both also as a share of the best."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.measures.base import MEASURES, CondensedMeasure, Weights, divide
from core.measures.gain import GradedMeasure
from core.measures.ranked import Floats, Integers, Ranked
from core.measures.ranking import Rankings

_JARVELIN = "Järvelin & Kekäläinen (2002), ACM TOIS 20(4), doi:10.1145/582415.582418"


DISCOUNTS: dict[str, Callable[[Integers], Floats]] = {
    "log": lambda rank: 1 / np.log2(rank + 1),
    "jarvelin": lambda rank: 1 / np.log2(np.maximum(rank, 2)),
    "zipf": lambda rank: 1 / rank,
}


@dataclass(frozen=True)
class GainMeasure(GradedMeasure):
    """Base of the measures that add up gains rank by rank."""

    def discounted(self, cells: Ranked, weights: Weights | None) -> Floats:
        """Return what every cell adds, shape (n_cells,)."""
        return self.gains(cells, weights)

    def reach(self, rankings: Rankings, weights: Weights | None) -> Floats:
        """Return the gain that every ranking cumulates, shape (n_rankings,), at least 0."""
        shown = self.shown(rankings.retrieved, weights)
        return shown.total(self.discounted(shown, weights))

    def compare(self, rankings: Rankings, weights: Weights | None) -> Floats:
        """Return it as a share of the topic's best, shape (n_rankings,); NaN where that is 0."""
        best = self.shown(self.ideal(rankings, weights), weights)
        possible = best.total(self.discounted(best, weights))
        return divide(self.reach(rankings, weights), possible[rankings.topic])


@MEASURES.register
@dataclass(frozen=True)
class CG(GainMeasure):
    """Cumulated gain: what the documents up to the cut-off are worth together, wherever they are.

    It is DCG without a discount.
    """

    name = "CG"
    upper_bound = np.inf
    description = "sum of the gains up to the cut-off"
    reference = _JARVELIN
    examples = ("CG", "CG(gain='exp')@10", "CG(gain='udm')@3")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return CG, shape (n_rankings,), at least 0."""
        return self.reach(rankings, weights)


@MEASURES.register
@dataclass(frozen=True)
class NCG(GainMeasure):
    """CG divided by that of the ideal ranking: all judged documents by gain, cut alike.

    The textbook divides the mean CG by the mean ideal instead; `curves.gain_curve` does so, too.
    """

    name = "nCG"
    normalised = True
    description = "CG as a share of the best CG possible"
    reference = _JARVELIN
    examples = ("nCG", "nCG@10", "nCG(gain='udm')@3")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return nCG, shape (n_rankings,), in [0, 1]; NaN where nothing judged has a gain."""
        return self.compare(rankings, weights)


@dataclass(frozen=True)
class DiscountedMeasure(GainMeasure):
    """Base of the measures that add up discounted gains.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    gain : str or table, default 'linear'
        The gain of a level: ``linear``, ``exp``, ``udm`` or a table of levels.
    discount : str, default 'log'
        What rank k divides by: ``log`` log2(k + 1), ``jarvelin`` 1 for k < 2, else log2 k,
        ``zipf`` k. Without a discount the measures are called CG and nCG.
    """

    discount: str = "log"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.discount not in DISCOUNTS:
            known = ", ".join(DISCOUNTS)
            raise ValueError(f"discount is one of {known}; without one, write CG or nCG")

    def discounted(self, cells: Ranked, weights: Weights | None) -> Floats:
        """Return the discounted gain of every cell, shape (n_cells,)."""
        return self.gains(cells, weights) * DISCOUNTS[self.discount](cells.rank)


@MEASURES.register
@dataclass(frozen=True)
class DCG(DiscountedMeasure):
    """Discounted cumulated gain; the textbook's is ``DCG(discount='jarvelin')``."""

    name = "DCG"
    upper_bound = np.inf
    description = "sum of the gains, each divided by its rank's discount"
    reference = _JARVELIN
    examples = ("DCG", "DCG(gain='exp')@10", "DCG(discount='zipf')@3")
    suggested = ("DCG@10",)

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return DCG, shape (n_rankings,), at least 0."""
        return self.reach(rankings, weights)


@MEASURES.register
@dataclass(frozen=True)
class NDCG(CondensedMeasure, DiscountedMeasure):
    """DCG divided by that of the ideal ranking: all judged documents by gain, cut alike.

    With the defaults it is trec_eval's ``ndcg`` and ``ndcg_cut``, and with a table of gains
    NTCIREVAL's MSnDCG: the base of the logarithm cancels out.
    """

    name = "nDCG"
    normalised = True
    description = "DCG as a share of the best DCG possible"
    reference = _JARVELIN
    examples = (
        "nDCG@10",
        "nDCG(gain='exp')@10",
        "nDCG(gain='udm', discount='zipf')@10",
        "nDCG(discount='jarvelin')",
        "nDCG(gain={0: 0.3, 1: 0.9, 2: 0.5, 3: 1.0})@4",
        "nDCG(judged_only=True)@10",
    )
    suggested = ("nDCG@10", "nDCG", "nDCG(judged_only=True)@10")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return nDCG, shape (n_rankings,), in [0, 1]; NaN where nothing judged has a gain."""
        return self.compare(self.seen(rankings), weights)
