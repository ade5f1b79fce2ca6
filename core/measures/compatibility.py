"""Compatibility: how similar a ranking is to the ideal ranking it is closest to."""

from dataclasses import dataclass

import numpy as np

from core.measures.base import ABOVE_0, MEASURES, Measure, Weights, divide
from core.measures.ranked import Floats, Integers, Ranked
from core.measures.ranking import Rankings

DEPTH = 1000
"""How many ranks are compared where no cut-off says it, as in the authors' program."""


@MEASURES.register
@dataclass(frozen=True)
class Compat(Measure):
    """Compatibility: rank-biased overlap with the most similar ideal ranking.

    An ideal ranking has all documents above level 0, by descending level. Documents of one level
    may be in any order there; the order that is most like the ranking's own is taken. Overlap is
    Σ p^(i − 1) · |common documents up to rank i| / i over the ranks i up to the cut-off. Only the
    order of the levels matters, not how far they are apart.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are compared; when absent 1,000, as in the authors' compatibility.py. Beyond
        its end a list stays as it is. ir_measures stops at the end of the longer list instead,
        which differs by no more than p^length.
    p : float, default 0.95
        The chance to go on to the next rank, between 0 and 1.
    norm : str, default 'ideal'
        ``ideal`` divides by the overlap of the ideal ranking with itself, as the authors do from
        2021 on, so that a topic with few relevant documents can reach 1; ``none`` by Σ p^(i − 1),
        as in their papers of 2020.
    """

    p: float = 0.95
    norm: str = "ideal"

    name = "Compat"
    graded = True
    normalised = True
    description = "rank-biased overlap with the most similar ideal ranking (compatibility)"
    reference = "Clarke, Vtyurina & Smucker (2021), ACM TOIS 39(3), doi:10.1145/3451161"
    examples = ("Compat", "Compat(p=0.8)@10", "Compat(norm='none')")
    suggested = ("Compat",)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 < self.p < 1:
            raise ValueError("p is a probability between 0 and 1")
        if self.norm not in ("ideal", "none"):
            raise ValueError("norm is ideal or none")

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return compatibility, shape (n_rankings,), in [0, 1]; NaN without a relevant document."""
        depth = self.cutoff or DEPTH
        weight = self.p ** np.arange(depth, dtype=np.float64)
        # A document shared from rank i on adds to every overlap from there: the sums from the end.
        from_rank = np.append((weight / np.arange(1, depth + 1))[::-1].cumsum()[::-1], 0.0)
        ideal = rankings.ideal.at_least(ABOVE_0)
        shown = rankings.retrieved.at_least(ABOVE_0)
        shared = np.maximum(shown.rank, _ideal_ranks(shown, ideal, rankings.topic))
        overlap = shown.total(from_rank[np.minimum(shared, depth + 1) - 1])
        best = ideal.total(from_rank[np.minimum(ideal.ordinal(), depth + 1) - 1])
        possible = best if self.norm == "ideal" else np.where(best > 0, weight.sum(), 0.0)
        return divide(overlap, possible[rankings.topic])


def _ideal_ranks(shown: Ranked, ideal: Ranked, topic: Integers) -> Integers:
    """Return each shown document's rank in the ideal ranking most like its own, shape (n_cells,).

    That is after all of higher levels and after those of its own level that are shown before it.
    """
    every = np.union1d(np.unique(ideal.level), np.unique(shown.level))
    judged, level = np.searchsorted(every, ideal.level), np.searchsorted(every, shown.level)
    levels = len(every)
    counts = np.bincount(ideal.row * levels + judged, minlength=ideal.rows * levels)
    higher = counts.reshape(ideal.rows, levels)[:, ::-1].cumsum(axis=1)[:, ::-1]
    above = np.append(higher, np.zeros((ideal.rows, 1), dtype=higher.dtype), axis=1)
    group = shown.row * levels + level
    order = np.argsort(group, kind="stable")
    alike = Ranked(shown.rows * levels, group[order], shown.rank[order], shown.level[order])
    place = np.empty(len(order), dtype=np.int64)
    place[order] = alike.ordinal()
    return above[topic[shown.row], level + 1] + place
