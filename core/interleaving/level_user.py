"""A user who is given by a click model: documents of one level are alike to them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from core.interleaving.pairs import NOTHING, Floats, Integers, Mask

Draw = Callable[[Integers, np.random.Generator], Mask]
"""Takes kinds of documents by list and rank, -1 where there is none, and draws clicks."""


@dataclass(frozen=True, eq=False)
class LevelUser:
    """Who clicks as a click model says, on documents of so many levels.

    Parameters
    ----------
    relevance : array, shape (n_levels,)
        The levels as shares of the highest, ascending.
    draw : callable
        The click model; the k-th level is its k-th document.
    """

    relevance: Floats
    draw: Draw

    def click(self, relevance: Floats, rng: np.random.Generator) -> Mask:
        """Draw clicks on lists; each document is taken for one of the nearest level.

        See `core.interleaving.users.Clicks.click`.
        """
        middles = (self.relevance[1:] + self.relevance[:-1]) / 2
        kind = np.searchsorted(middles, relevance, side="right")
        return self.draw(np.where(np.isnan(relevance), NOTHING, kind), rng)


def average_by_level(values: Floats, levels: Floats) -> tuple[Floats, Floats]:
    """Return the levels that occur, ascending, and the mean of what has each of them.

    Parameters
    ----------
    values : array, shape (n_items,)
        What a click model says of each document, attractiveness say.
    levels : array, shape (n_items,)
        The level of each; NaN where it has none, which then does not count.

    Returns
    -------
    levels, means : array, shape (n_levels,)
    """
    known = ~np.isnan(levels)
    found, code = np.unique(levels[known], return_inverse=True)
    return found, np.bincount(code, weights=values[known]) / np.bincount(code)
