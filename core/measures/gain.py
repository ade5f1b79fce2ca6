"""Cumulated gain: gains of levels, discounts of ranks, DCG and nDCG."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.errors import BadInput
from core.measures.base import MEASURES, Measure, Weights, divide
from core.measures.ranked import Floats, Integers, Levels, Ranked
from core.measures.ranking import Rankings

_JARVELIN = "Järvelin & Kekäläinen (2002), ACM TOIS 20(4), doi:10.1145/582415.582418"


def _linear(level: Levels) -> Floats:
    return level.astype(np.float64)


def _exponential(level: Levels) -> Floats:
    return np.exp2(level.astype(np.float64)) - 1


GAINS: dict[str, Callable[[Levels], Floats]] = {"linear": _linear, "exp": _exponential}

DISCOUNTS: dict[str, Callable[[Integers], Floats]] = {
    "log": lambda rank: 1 / np.log2(rank + 1),
    "jarvelin": lambda rank: 1 / np.log2(np.maximum(rank, 2)),
    "zipf": lambda rank: 1 / rank,
    "none": lambda rank: np.ones(len(rank)),
}


@dataclass(frozen=True, repr=False)
class GainTable:
    """The gain of each level, written ``{1: 0.5, 2: 1.0}``; level 0 gains 0 unless listed."""

    pairs: tuple[tuple[int, float], ...]

    @classmethod
    def of(cls, table: Mapping[int, float]) -> "GainTable":
        """Return the table with its levels in order and its gains as floats, none below 0."""
        if any(not gain >= 0 for gain in table.values()):
            raise ValueError("a gain is at least 0")
        return cls(tuple(sorted((int(level), float(gain)) for level, gain in table.items())))

    def __repr__(self) -> str:
        return repr(dict(self.pairs))


@dataclass(frozen=True)
class GainMeasure(Measure):
    """Base of the measures that add up discounted gains.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    gain : str or table, default 'linear'
        What a level is worth: ``linear`` (the level), ``exp`` (2^level − 1), ``udm`` (the weight
        handed to the evaluation) or a table of levels. A document without a judgement gains
        nothing, even where a table gives level 0 a gain: so no score exceeds its ideal.
    discount : str, default 'log'
        What rank k divides by: ``log`` log2(k + 1), ``jarvelin`` 1 for k < 2, else log2 k,
        ``zipf`` k, ``none`` 1.
    """

    gain: str | GainTable = "linear"
    discount: str = "log"

    graded = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.gain, Mapping):
            object.__setattr__(self, "gain", GainTable.of(self.gain))
        elif not isinstance(self.gain, GainTable) and self.gain not in {*GAINS, "udm"}:
            raise ValueError(f"gain is one of {', '.join(GAINS)}, udm or a table like {{1: 0.5}}")
        if self.discount not in DISCOUNTS:
            raise ValueError(f"discount is one of {', '.join(DISCOUNTS)}")

    def discounted(self, cells: Ranked, weights: Weights | None) -> Floats:
        """Return the discounted gain of every cell, shape (n_cells,)."""
        return gain_levels(cells.level, self.gain, weights) * DISCOUNTS[self.discount](cells.rank)

    def ideal(self, rankings: Rankings, weights: Weights | None) -> Ranked:
        """Return each topic's judged documents by descending gain."""
        cells = rankings.ideal
        gain = gain_levels(cells.level, self.gain, weights)
        return Ranked(
            cells.rows, cells.row, cells.rank, cells.level[np.lexsort((-gain, cells.row))]
        )


@MEASURES.register
@dataclass(frozen=True)
class DCG(GainMeasure):
    """Discounted cumulated gain; the textbook's is ``DCG(discount='jarvelin')``."""

    name = "DCG"
    highest = np.inf
    description = "sum of the gains, each divided by its rank's discount"
    reference = _JARVELIN

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return DCG, shape (n_rankings,), at least 0."""
        cells = rankings.retrieved.up_to(self.cutoff)
        return cells.total(self.discounted(cells, weights))


@MEASURES.register
@dataclass(frozen=True)
class NDCG(GainMeasure):
    """DCG divided by that of the ideal ranking: all judged documents by gain, cut alike.

    With the defaults it is trec_eval's ``ndcg`` and ``ndcg_cut``.
    """

    name = "nDCG"
    normalised = True
    description = "DCG as a share of the best DCG possible"
    reference = _JARVELIN

    def score(self, rankings: Rankings, weights: Weights | None = None) -> Floats:
        """Return nDCG, shape (n_rankings,), in [0, 1]; NaN where nothing judged has a gain."""
        shown = rankings.retrieved.up_to(self.cutoff)
        best = self.ideal(rankings, weights).up_to(self.cutoff)
        ideal = best.total(self.discounted(best, weights))
        return divide(shown.total(self.discounted(shown, weights)), ideal[rankings.topic])


def gain_levels(level: Levels, gain: str | GainTable, weights: Weights | None = None) -> Floats:
    """Return what each level is worth.

    Parameters
    ----------
    level : array, shape (n,)
        Levels, at least 0.
    gain : str or GainTable
        ``linear``, ``exp``, ``udm`` or a table.
    weights : mapping of level to weight, optional
        The weights ``udm`` stands for.

    Returns
    -------
    array of float, shape (n,)

    Raises
    ------
    BadInput
        ``udm`` without weights, or a level the weights or the table do not list.
    """
    if isinstance(gain, GainTable):
        return _look_up(level, {0: 0.0, **dict(gain.pairs)}, "the gain table")
    if gain != "udm":
        return GAINS[gain](level)
    if weights is None:
        raise BadInput("gain 'udm' needs the weight of each level; estimate or give weights first")
    return _look_up(level, {0: 0.0, **weights}, "the weights")


def _look_up(level: Levels, table: Mapping[int, float], where: str) -> Floats:
    """Return the table's value of each level, all of which it must list."""
    known, code = np.unique(level, return_inverse=True)
    if missing := [f"{value:g}" for value in known.tolist() if value not in table]:
        raise BadInput(f"{where} list no level {', '.join(missing)}; add it, or another gain")
    return np.array([table[value] for value in known.tolist()], dtype=np.float64)[code]
