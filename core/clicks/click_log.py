"""A click log in numbers: which documents each page of results showed, and which were clicked."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.signedinteger[Any]]
Floats: TypeAlias = NDArray[np.float64]
Mask: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class ClickLog:
    """Pages of results in the order of the log, each one showing of a list for a query.

    Parameters
    ----------
    queries, items : tuple of str
        The queries; and the pairs of query and document, ``items[i]`` being the document's id.
    session : array of int, shape (n_pages,)
        Which session each page belongs to, from 0; a session is the unit of sampling.
    query : array of int, shape (n_pages,)
        Its query.
    item : array of int32, shape (n_pages, depth)
        Which pair of query and document stands at each rank; -1 where the list is shorter.
    clicked : array of bool, shape (n_pages, depth)
        Whether it was clicked at least once; never where there is no item.
    """

    queries: tuple[str, ...]
    items: tuple[str, ...]
    session: Integers
    query: Integers
    item: NDArray[np.int32]
    clicked: Mask

    def __len__(self) -> int:
        return len(self.query)

    @property
    def depth(self) -> int:
        """The length of the longest list."""
        depth: int = self.item.shape[1]
        return depth

    @cached_property
    def shown(self) -> Mask:
        """Whether there is an item, shape (n_pages, depth)."""
        return self.item >= 0

    @cached_property
    def query_of(self) -> Integers:
        """The query of each item, shape (n_items,)."""
        page, rank = np.nonzero(self.shown)
        query = np.zeros(len(self.items), dtype=np.int64)
        query[self.item[page, rank]] = self.query[page]
        return query

    @property
    def sessions(self) -> int:
        """The number of sessions that their numbers allow for: those of a selection are fewer."""
        return int(self.session.max(initial=-1)) + 1

    def select(self, pages: Mask | Integers) -> "ClickLog":
        """Return a log of some of the pages, with the same queries, items and session numbers."""
        return replace(
            self,
            session=self.session[pages],
            query=self.query[pages],
            item=self.item[pages],
            clicked=self.clicked[pages],
        )
