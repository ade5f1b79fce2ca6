"""Gains of levels: named gains, tables and weights."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.errors import BadInput
from core.measures.base import ABOVE_0, Measure, Weights
from core.measures.ranked import Floats, Levels, Ranked
from core.measures.ranking import Rankings


def _linear(level: Levels) -> Floats:
    return level.astype(np.float64)


STEEPEST = 500
"""The highest level of ``exp``: beyond it squares of the gains, as in intervals, overflow."""


def _exponential(level: Levels) -> Floats:
    if (highest := level.max(initial=0)) > STEEPEST:
        raise BadInput(
            f"gain 'exp' of level {highest:g} is 2^{highest:g}, too large to reckon with; it takes "
            f"levels up to {STEEPEST}: choose gain 'linear' or a table"
        )
    return np.exp2(level.astype(np.float64)) - 1


GREATEST = 2.0**STEEPEST
"""The highest gain of a table."""

GAINS: dict[str, Callable[[Levels], Floats]] = {"linear": _linear, "exp": _exponential}


@dataclass(frozen=True, repr=False)
class GainTable:
    """The gain of each level, written ``{1: 0.5, 2: 1.0}``; level 0 gains 0 unless listed."""

    pairs: tuple[tuple[int, float], ...]

    @classmethod
    def of(cls, table: Mapping[int, float]) -> "GainTable":
        """Return the table with its levels in order and its gains as floats; none may overflow."""
        if any(not 0 <= gain <= GREATEST for gain in table.values()):
            raise ValueError(f"a gain is a number from 0 to {GREATEST:g}")
        return cls(tuple(sorted((int(level), float(gain)) for level, gain in table.items())))

    def __repr__(self) -> str:
        return repr(dict(self.pairs))


def needs_weights(measure: Measure) -> bool:
    """Tell whether a measure's gains are the weights that are handed to the evaluation."""
    return getattr(measure, "gain", "") == "udm"


@dataclass(frozen=True)
class GradedMeasure(Measure):
    """Base of the measures that give every level a gain.

    Parameters
    ----------
    cutoff : int, optional
        How many ranks are looked at; all of them when absent.
    gain : str or table, default 'linear'
        The gain of a level: ``linear`` (the level), ``exp`` (2^level − 1, for levels up to
        500), ``udm`` (the weight handed to the evaluation) or a table of levels. A document
        without a judgement gains nothing, even where a table gives level 0 a gain: so no score
        exceeds its ideal.
    """

    gain: str | GainTable = "linear"

    graded = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "gain", check_gain(self.gain))

    def gains(self, cells: Ranked, weights: Weights | None) -> Floats:
        """Return the gain of every cell, shape (n_cells,)."""
        return gain_levels(cells.level, self.gain, weights)

    def shown(self, cells: Ranked, weights: Weights | None) -> Ranked:
        """Return the cells up to the cut-off, without level 0 unless it has a gain."""
        if not gain_levels(np.zeros(1), self.gain, weights).any():
            cells = cells.at_least(ABOVE_0)
        return cells.up_to(self.cutoff)

    def ideal(self, rankings: Rankings, weights: Weights | None) -> Ranked:
        """Return each topic's judged documents by descending gain."""
        cells = rankings.ideal
        if self.gain in GAINS:  # they rise with the level, by which the cells are in order
            return cells
        order = np.lexsort((-self.gains(cells, weights), cells.row))
        return Ranked(cells.rows, cells.row, cells.rank, cells.level[order])


FEW = 5
"""How many missing levels an error names."""


def check_gain(gain: object) -> str | GainTable:
    """Return a gain as measures keep it, a table in order; refuse an unknown one."""
    if isinstance(gain, Mapping):
        return GainTable.of(gain)
    if isinstance(gain, GainTable) or (isinstance(gain, str) and gain in {*GAINS, "udm"}):
        return gain
    raise ValueError(f"gain is one of {', '.join(GAINS)}, udm or a table like {{1: 0.5}}")


def gain_levels(level: Levels, gain: str | GainTable, weights: Weights | None = None) -> Floats:
    """Return the gain of each level.

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
        ``udm`` without weights, a level the weights or the table do not list, or ``exp`` of a
        level above 500.
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
    import pandas as pd

    code, known = pd.factorize(level)
    if missing := [f"{value:g}" for value in sorted(known.tolist()) if value not in table]:
        more = f" and {len(missing) - FEW} more" if len(missing) > FEW else ""
        listed = ", ".join(missing[:FEW]) + more
        raise BadInput(f"{where} list no level {listed}; add it, or choose another gain")
    return np.array([table[value] for value in known.tolist()], dtype=np.float64)[code]
