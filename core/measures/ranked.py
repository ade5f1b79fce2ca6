"""Judged documents at their ranks: what all measures count and add up."""

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = NDArray[np.int64] | NDArray[np.float64]
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

    def where(self, keep: Mask) -> "Ranked":
        """Return only the cells to keep; the rows stay as they are."""
        return Ranked(self.rows, self.row[keep], self.rank[keep], self.level[keep])

    def at_least(self, level: float) -> "Ranked":
        """Return only the documents judged at or above a level."""
        return self.where(self.level >= level)

    def up_to(self, cutoff: int | None) -> "Ranked":
        """Return only the documents up to a rank; all of them without one."""
        return self if cutoff is None else self.where(self.rank <= cutoff)

    def count(self) -> Integers:
        """Return the number of documents in each row, shape (rows,)."""
        return np.bincount(self.row, minlength=self.rows)

    def total(self, values: Floats) -> Floats:
        """Return the sum over each row of one value per cell, shape (rows,)."""
        summed = np.bincount(self.row, weights=values, minlength=self.rows)
        return summed.astype(np.float64, copy=False)

    def place(self) -> Integers:
        """Return each cell's number within its row, from 1, shape (n_cells,)."""
        before = np.cumsum(self.count()) - self.count()
        return np.arange(1, len(self.row) + 1) - before[self.row]

    def matrix(self, values: Floats, depth: int) -> Floats:
        """Return one value per cell laid out as (rows, depth), 0 where there is no cell."""
        shown = self.rank <= depth
        laid = np.zeros((self.rows, depth))
        laid[self.row[shown], self.rank[shown] - 1] = values[shown]
        return laid
