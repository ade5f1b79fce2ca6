"""Rank-biased alignment: how alike a ranking and that of the judgements are, top-weighted."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import ABOVE_0, MEASURES, Measure, Weights
from core.measures.ranked import Floats, Ranked
from core.measures.ranking import Rankings


@MEASURES.register
@dataclass(frozen=True)
class RBA(Measure):
    """Rank-biased alignment of a ranking with the judged documents by descending level.

    Rank k weighs (1 − p) p^(k − 1) in either ranking; documents of one level are tied and share
    the mean weight of their ranks. The score is Σ √(weight here · weight there) over the documents
    above level 0 that are retrieved: the lower bound of the authors, who add a residual for what
    either list may go on with.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    p : float, default 0.95
        The chance to go on to the next rank, between 0 and 1.
    """

    p: float = 0.95

    name = "RBA"
    graded = True
    description = "rank-biased alignment with the judged documents, tied by level"
    reference = (
        "Moffat, Mackenzie, Mallia & Petri (2024), Rank-Biased Quality Measurement for Sets and "
        "Rankings, SIGIR-AP"
    )
    examples = ("RBA", "RBA(p=0.8)@10")
    suggested = ("RBA",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.p < 1:
            raise ValueError("p is a probability between 0 and 1")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return the alignment, shape (n_rankings,), in [0, 1]."""
        shown = rankings.retrieved.at_least(ABOVE_0).up_to(self.cutoff)
        every = np.unique(rankings.ideal.at_least(ABOVE_0).level)
        if not every.size:
            return np.zeros(shown.rows)
        tied = self._weigh_levels(rankings.ideal.at_least(ABOVE_0), every)
        there = tied[rankings.topic[shown.row], np.searchsorted(every, shown.level)]
        here = (1 - self.p) * np.power(self.p, shown.rank - 1.0)
        return shown.total(np.sqrt(here * there))

    def _weigh_levels(self, ideal: Ranked, every: Floats) -> Floats:
        """Return the mean weight of a document of each level, shape (n_topics, n_levels)."""
        code = ideal.row * len(every) + np.searchsorted(every, ideal.level)
        size = np.bincount(code, minlength=ideal.rows * len(every)).reshape(ideal.rows, -1)
        last = size[:, ::-1].cumsum(axis=1)[:, ::-1]
        whole = np.power(self.p, last - size) - np.power(self.p, last)
        mean: Floats = whole / np.maximum(size, 1)
        return mean
