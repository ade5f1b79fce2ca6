"""Pages of results that are alike: the same list with the same clicks, and how often."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.clicks.click_log import ClickLog, Floats, Integers, Mask
from core.clicks.likelihood import Evidence, sum_by

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, eq=False)
class DistinctPages(Evidence):
    """Distinct pages.

    Parameters
    ----------
    item : array of int, shape (n_distinct, depth)
        -1 where the list is shorter.
    clicked : array of bool, shape (n_distinct, depth)
    page_of : array of int, shape (n_pages,)
        Which of them each page of the log is.
    session : array of int, shape (n_pages,)
    sessions, items : int
        How many sessions and items there are.
    lost : array of int, shape (n_distinct,)
        Clicks that were left out of each.
    """

    item: Integers
    clicked: Mask
    page_of: Integers
    session: Integers
    sessions: int
    items: int
    lost: Integers

    def count(self) -> tuple[Floats]:
        """Return how often each was seen, shape (n_distinct, 1)."""
        return (np.bincount(self.page_of, minlength=len(self.item))[:, np.newaxis].astype(float),)

    def weigh(self, weights: Floats) -> tuple[Floats]:
        """Return the same where sessions have weights of shape (n_sessions, n_draws)."""
        return (self._by_session @ weights,)

    def pool(self) -> "DistinctPages":
        """Return the evidence as if all items were one."""
        return replace(self, item=np.minimum(self.item, 0), items=1)

    @cached_property
    def shown(self) -> Mask:
        """Whether there is an item, shape (n_distinct, depth)."""
        return self.item >= 0

    @cached_property
    def last(self) -> Integers:
        """The place of the last click, -1 where none is, shape (n_distinct,)."""
        places = np.arange(1, self.clicked.shape[1] + 1)
        last: Integers = (self.clicked * places).max(axis=1, initial=0) - 1
        return last

    @cached_property
    def length(self) -> Integers:
        """How many results are shown, shape (n_distinct,)."""
        length: Integers = self.shown.sum(axis=1)
        return length

    @cached_property
    def by_item(self) -> "list[csr_array]":
        """The matrix that sums over the items of each rank, shape (n_items, n_distinct)."""
        return [sum_by(item, self.items) for item in self.item.T]

    @cached_property
    def _by_session(self) -> "csr_array":
        from scipy.sparse import csr_array

        where = self.page_of, self.session
        shape = len(self.item), self.sessions
        return csr_array((np.ones(len(self.page_of)), where), shape=shape)


def find_distinct(log: ClickLog) -> DistinctPages:
    """Return the distinct pages of a log, in the order in which they first occur."""
    import pandas as pd

    code = np.zeros(len(log), dtype=np.int64)
    for rank in range(log.depth):
        # Two bits would do for what a rank adds beside its item: none, skipped or clicked.
        own = 2 * (log.item[:, rank].astype(np.int64) + 1) + log.clicked[:, rank]
        code = pd.factorize(code * (2 * len(log.items) + 2) + own)[0]
    _, first = np.unique(code, return_index=True)
    item, clicked, lost = log.item[first], log.clicked[first], np.zeros(len(first), dtype=np.int64)
    return DistinctPages(item, clicked, code, log.session, log.sessions, len(log.items), lost)


def cut_after_first(pages: DistinctPages) -> DistinctPages:
    """Return pages as if lists ended with the first click."""
    clicks = pages.clicked.cumsum(axis=1)
    before = clicks - pages.clicked
    item = np.where(before > 0, -1, pages.item)
    lost = np.maximum(clicks.max(axis=1, initial=0) - 1, 0)
    return replace(pages, item=item, clicked=pages.clicked & (before == 0), lost=lost)
