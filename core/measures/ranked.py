"""Judged documents at their ranks: what all measures count and add up."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.signedinteger[Any]]
Numbers: TypeAlias = Integers | NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]
Levels: TypeAlias = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Ranked:
    """Judged documents at their ranks: the filled cells of a level matrix, row by row.

    A run shows far more unjudged than judged documents, so only the judged cells are kept.

    Parameters
    ----------
    rows : int
        Number of rows, empty ones included.
    row, rank : array of int, shape (n_cells,)
        Where each document stands, ascending; ranks count from 1.
    level : array of int or float, shape (n_cells,)
        The document's level, at least 0.
    """

    rows: int
    row: Integers
    rank: Integers
    level: Levels
    _at_least: "dict[float, Ranked]" = field(default_factory=dict, init=False, repr=False)
    _up_to: "dict[int, Ranked]" = field(default_factory=dict, init=False, repr=False)

    def where(self, keep: Mask) -> "Ranked":
        """Return only the cells to keep; the rows stay as they are."""
        kept = np.flatnonzero(keep)
        return Ranked(self.rows, self.row[kept], self.rank[kept], self.level[kept])

    def at_least(self, level: float) -> "Ranked":
        """Return only the documents judged at or above a level; kept for the next measure."""
        if self.level.dtype.kind == "i":
            level = float(np.ceil(level))
        if level not in self._at_least:
            self._at_least[level] = self.where(self.level >= level)
        return self._at_least[level]

    def up_to(self, cutoff: int | None) -> "Ranked":
        """Return only the documents up to a rank, all without one; kept for the next measure."""
        if cutoff is None or cutoff >= self._deepest:
            return self
        if cutoff not in self._up_to:
            self._up_to[cutoff] = self.where(self.rank <= cutoff)
        return self._up_to[cutoff]

    @cached_property
    def _deepest(self) -> int:
        return int(self.rank.max(initial=0))

    def start(self) -> Integers:
        """Return which cell each row begins with, shape (rows,)."""
        return self._start

    @cached_property
    def _start(self) -> Integers:
        return np.searchsorted(self.row, np.arange(self.rows))

    def count(self) -> Integers:
        """Return the number of documents in each row, shape (rows,)."""
        return np.diff(self.start(), append=len(self.row))

    def total(self, values: Floats) -> Floats:
        """Return the sum over each row of one value per cell, shape (rows,)."""
        summed = np.bincount(self.row, weights=values, minlength=self.rows)
        return summed.astype(np.float64, copy=False)

    def ordinal(self) -> Integers:
        """Return each cell's number within its row, from 1, shape (n_cells,)."""
        return np.arange(1, len(self.row) + 1) - np.repeat(self.start(), self.count())

    def before(self, values: Floats, running: np.ufunc) -> Floats:
        """Return the sum or product of one value per cell over the cells before it in its row.

        Parameters
        ----------
        values : array of float, shape (n_cells,)
            What is added or multiplied.
        running : {numpy.add, numpy.multiply}
            Which of the two; every row starts anew, so that no rounding passes from row to row.

        Returns
        -------
        array of float, shape (n_cells,)
        """
        position = self.ordinal()
        laid = np.full((self.rows, position.max(initial=0) + 1), running.identity, dtype=np.float64)
        laid[self.row, position] = values
        running.accumulate(laid, axis=1, out=laid)
        return laid[self.row, position - 1]

    def matrix(self, values: Floats, depth: int) -> Floats:
        """Return one value per cell laid out as (rows, depth), 0 where there is no cell."""
        shown = self.rank <= depth
        laid = np.zeros((self.rows, depth))
        laid[self.row[shown], self.rank[shown] - 1] = values[shown]
        return laid
