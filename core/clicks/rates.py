"""Models in which a click depends on nothing but where, or what, the result is."""

from dataclasses import dataclass, field

import numpy as np

from core.clicks.cells import Cells, count_cells
from core.clicks.click_log import ClickLog, Floats, Integers, Mask
from core.clicks.likelihood import (
    ITEM,
    LEVEL,
    RANK,
    RATE,
    Expected,
    Likelihood,
    Parameters,
    Walk,
)
from core.errors import BadInput


@dataclass(frozen=True, eq=False)
class Rates(Likelihood[Cells]):
    """A rate of clicks for each group of results; the estimate is the share that was clicked.

    Parameters
    ----------
    by : tuple of {'item', 'level', 'rank'}
        What groups results, 'rank' last.
    levels : array of float, shape (n_items,), optional
        The level of each item, NaN where it has none: those are a group of their own, the last.
    """

    by: tuple[str, ...] = ()
    levels: Floats | None = None
    known: Floats = field(init=False)
    _group: Integers = field(init=False)

    is_closed = True

    def __post_init__(self) -> None:
        known, group = np.empty(0), np.zeros(self.items, dtype=np.int64)
        if ITEM in self.by:
            group = np.arange(self.items)
        elif LEVEL in self.by:
            if self.levels is None:
                raise BadInput("a rate by level needs judgements: give the level of each item")
            known, group = np.unique(self.levels, return_inverse=True, equal_nan=True)
        object.__setattr__(self, "known", known)
        object.__setattr__(self, "_group", group)

    @property
    def of_items(self) -> tuple[str, ...]:  # type: ignore[override]
        """Which parameters differ by item."""
        return (RATE,) if ITEM in self.by else ()

    @property
    def axes(self) -> dict[str, tuple[str, ...]]:
        """By what each parameter differs."""
        return {RATE: self.by}

    @property
    def sizes(self) -> dict[str, int]:
        """The length of each axis."""
        return super().sizes | {LEVEL: len(self.known)}

    def read(self, log: ClickLog) -> Cells:
        """Return the counts of each group."""
        return count_cells(log, self._find, int(np.prod(self.shape(RATE))), 1)

    def _find(self, item: Integers, clicked: Mask | None = None) -> Integers:
        """Return the group of each result, -1 where there is none."""
        group = self._group[np.maximum(item, 0)]
        if RANK in self.by:
            group = group * self.depth + np.arange(item.shape[1])
        return np.where(item >= 0, group, -1)

    def expect(
        self,
        evidence: Cells,
        rows: tuple[Floats, ...],
        parameters: Parameters,
        *,
        tells: bool = True,
    ) -> Expected:
        """Return the counts: nothing is hidden."""
        from scipy.special import xlog1py, xlogy

        shown, clicked = rows
        rate = parameters[RATE][evidence.item]
        groups = evidence.by_item
        found = xlogy(clicked, rate) + xlog1py(shown - clicked, -rate)
        return Expected({RATE: groups @ clicked}, {RATE: groups @ shown}, found.sum(axis=0))

    def walk(self, parameters: Parameters, item: Integers) -> Walk:
        """Return users whose clicks have nothing to do with each other."""
        return _Unmoved(self.marginal(parameters, item))

    def marginal(self, parameters: Parameters, item: Integers) -> Floats:
        """Return the rate of each result; 0 where there is none."""
        group = self._find(item)
        return np.where(group >= 0, parameters[RATE][np.maximum(group, 0), 0], 0.0)


class _Unmoved(Walk):
    def __init__(self, rate: Floats) -> None:
        self._rate = rate

    def chance(self, rank: int) -> Floats:
        return self._rate[:, rank]

    def see(self, rank: int, clicked: Mask) -> None:
        """Nothing follows from a click."""
