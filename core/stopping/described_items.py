"""What ranks alone tell about each item of a pool: the columns of the model of relevance."""

from dataclasses import dataclass

import numpy as np

from core.orders.candidates import Candidates, Floats

_HELD, _BY_LOGARITHM, _BY_RANK = 0.4, 0.9, 0.6
"""What a run says for an item that it holds at all, and how much more where that is at the top: by
the logarithm of the rank, and by the rank itself."""

_SHARED = 0.3
"""An item of n runs has the sum of their parts divided by n to this power: between sum and mean."""

SLOPES = 2
"""The first columns, the constant and the fused rank, mean something else in each topic."""


@dataclass(frozen=True, eq=False)
class DescribedItems:
    """The columns that describe each item of a pool.

    Parameters
    ----------
    ranks : array, shape (n_items, 5)
        1; the logarithm of the fused rank, that of how many runs hold the item, the square of the
        first, and the logarithm of the best rank; all but the first with mean 0 and deviation 1.
    runs : array, shape (n_items, n_systems)
        How much each run says for the item: 0 where it does not hold it, else more the higher.
    """

    ranks: Floats
    runs: Floats


def describe_items(candidates: Candidates) -> DescribedItems:
    """Return the columns that describe each item of a pool by its ranks."""
    rank = candidates.rank.astype(np.float64)
    is_held, systems = rank > 0, rank.shape[1]
    deepest = np.log(rank.max(initial=1) + 1)
    height = np.where(is_held, 1 - np.log(np.maximum(rank, 1)) / deepest, 0.0)
    holders = np.maximum(is_held.sum(axis=1), 1)
    fused = np.log(height.mean(axis=1) + 0.5 / systems)
    columns = np.column_stack(
        [fused, np.log(holders / systems), fused**2, np.log(candidates.best_rank) / deepest]
    )
    columns = columns - columns.mean(axis=0)
    columns /= columns.std(axis=0) + 1e-9  # a column that is the same everywhere stays 0
    down = rank / max(rank.max(initial=1), 1.0)
    said = np.where(is_held, _HELD + _BY_LOGARITHM * height + _BY_RANK * (1 - down), 0.0)
    return DescribedItems(
        np.column_stack([np.ones(len(rank)), columns]),
        said / holders[:, np.newaxis] ** _SHARED,
    )
