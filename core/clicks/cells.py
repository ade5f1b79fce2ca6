"""Counts of what was shown and clicked, by cell: an item at a rank, say."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from core.clicks.click_log import ClickLog, Floats, Integers, Mask
from core.clicks.likelihood import Evidence, sum_by

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Key: TypeAlias = Callable[[Integers, Mask], Integers]
"""Takes items and clicks of pages; returns the cell of each rank, -1 where none is."""

BLOCK = 2**19
"""Pages at a time: what is sorted stays small beside the log."""


@dataclass(frozen=True, eq=False)
class Cells(Evidence):
    """How often each cell was shown, and how often it was clicked.

    Parameters
    ----------
    cell : array of int, shape (n_cells,)
        Rising; those that occur.
    shown, clicked : array of int, shape (n_cells,)
    items, contexts : int
        A cell is ``item * contexts + context``.
    """

    cell: Integers
    shown: Integers
    clicked: Integers
    items: int
    contexts: int
    _log: ClickLog
    _key: Key

    @cached_property
    def item(self) -> Integers:
        """The item of each cell."""
        return self.cell // self.contexts

    @cached_property
    def context(self) -> Integers:
        """The context of each cell."""
        return self.cell % self.contexts

    def count(self) -> tuple[Floats, Floats]:
        """Return how often each cell was shown and clicked, shape (n_cells, 1)."""
        return self.shown[:, np.newaxis].astype(float), self.clicked[:, np.newaxis].astype(float)

    def weigh(self, weights: Floats) -> tuple[Floats, Floats]:
        """Return the same where sessions have weights of shape (n_sessions, n_draws)."""
        shown, clicked = self._by_session
        return shown @ weights, clicked @ weights

    def pool(self) -> "Cells":
        """Return the evidence as if all items were one."""
        cells, inverse = np.unique(self.context, return_inverse=True)
        shown, clicked = (
            np.bincount(inverse, one).astype(np.int64) for one in (self.shown, self.clicked)
        )
        return replace(self, cell=cells, shown=shown, clicked=clicked, items=1)

    @cached_property
    def by_item(self) -> "csr_array":
        """The matrix that sums over items, shape (n_items, n_cells)."""
        return sum_by(self.item, self.items)

    @cached_property
    def by_context(self) -> "csr_array":
        """The matrix that sums over contexts, shape (n_contexts, n_cells)."""
        return sum_by(self.context, self.contexts)

    @cached_property
    def _by_session(self) -> "tuple[csr_array, csr_array]":
        from scipy.sparse import csr_array

        key = self._key(self._log.item, self._log.clicked)
        page, rank = np.nonzero(key >= 0)
        at = np.searchsorted(self.cell, key[page, rank])
        session = self._log.session[page]
        shape = len(self.cell), self._log.sessions
        clicked = self._log.clicked[page, rank].astype(float)
        shown = csr_array((np.ones(len(at)), (at, session)), shape=shape)
        return shown, csr_array((clicked, (at, session)), shape=shape)


def count_cells(log: ClickLog, key: Key, items: int, contexts: int) -> Cells:
    """Count a log, block by block.

    Parameters
    ----------
    log : ClickLog
    key : callable
        Takes items and clicks of pages, shape (n, depth), and returns cells.
    items, contexts : int
        A cell is ``item * contexts + context``.
    """
    parts: list[tuple[Integers, Integers, Integers]] = []
    for start in range(0, len(log), BLOCK):
        block = slice(start, start + BLOCK)
        cell, clicked = key(log.item[block], log.clicked[block]), log.clicked[block]
        inside = cell >= 0
        parts.append(_sum(cell[inside], np.ones(inside.sum(), np.int64), clicked[inside]))
        while len(parts) > 1 and len(parts[-1][0]) * 2 > len(parts[-2][0]):
            parts[-2:] = [_merge(parts[-2:])]
    cell, shown, clicks = _merge(parts)
    return Cells(cell, shown, clicks, items, contexts, log, key)


def _merge(
    parts: list[tuple[Integers, Integers, Integers]],
) -> tuple[Integers, Integers, Integers]:
    cell, shown, clicked = (np.concatenate(one) for one in zip(*parts, strict=True))
    return _sum(cell, shown, clicked)


def _sum(
    cell: Integers, shown: Integers, clicked: Integers | Mask
) -> tuple[Integers, Integers, Integers]:
    """Return distinct cells, rising, with their counts."""
    cells, inverse = np.unique(cell, return_inverse=True)
    counts = [np.bincount(inverse, one).astype(np.int64) for one in (shown, clicked)]
    return cells, counts[0], counts[1]
