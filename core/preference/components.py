"""Which items are connected, and where strengths would grow without bound."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.preference.pair_counts import Codes, PairCounts


@dataclass(frozen=True)
class Components:
    """The graph of who was compared with whom.

    Attributes
    ----------
    component : array of int, shape (n_items,)
        Items are in the same component when they were compared, directly or through others.
    bounded : array of bool, shape (n_items,)
        Whether the likelihood alone gives the item's component finite strengths.
    """

    component: Codes
    bounded: npt.NDArray[np.bool_]


def connect_items(pair_counts: PairCounts, ties_bind: bool = True) -> Components:
    """Find the components, and those of them in which nobody is out of reach.

    Parameters
    ----------
    pair_counts : PairCounts
    ties_bind : bool
        Whether a tie counts as half a win each; with a tie parameter to be found it does not.

    Notes
    -----
    Strengths are finite where any item can be reached from any other along wins: however a
    component is divided in two, each part has won against the other at least once.

    References
    ----------
    Ford (1957), American Mathematical Monthly 64(8), doi:10.2307/2308513.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size, half = len(pair_counts.items), pair_counts.ties * ties_bind
    over, under = pair_counts.wins + half > 0, pair_counts.losses + half > 0
    winner = np.concatenate([pair_counts.first[over], pair_counts.second[under]])
    loser = np.concatenate([pair_counts.second[over], pair_counts.first[under]])
    wins = coo_array((np.ones(len(winner)), (winner, loser)), shape=(size, size))
    pairs = coo_array(
        (pair_counts.played, (pair_counts.first, pair_counts.second)), shape=(size, size)
    )
    _, component = connected_components(pairs, directed=False)
    _, cycle = connected_components(wins, connection="strong")
    cycles = np.unique(np.stack([component, cycle]), axis=1)[0]
    bounded = np.bincount(cycles) == 1
    return Components(component.astype(np.int64), bounded[component])
