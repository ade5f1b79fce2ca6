"""Which items hang together, and where strengths would grow without bound."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.preference.pair_counts import Codes, Contests


@dataclass(frozen=True)
class Connection:
    """The graph of who was compared with whom.

    Attributes
    ----------
    component : array of int, shape (n_items,)
        Items are in the same component when they were compared, directly or by way of others.
    bounded : array of bool, shape (n_items,)
        Whether the likelihood alone gives the item's component finite strengths.
    """

    component: Codes
    bounded: npt.NDArray[np.bool_]


def connect_items(contests: Contests, ties_bind: bool = True) -> Connection:
    """Find the components, and those of them in which nobody is out of reach.

    Parameters
    ----------
    contests : Contests
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

    size, half = len(contests.items), contests.ties * ties_bind
    over, under = contests.wins + half > 0, contests.losses + half > 0
    winner = np.concatenate([contests.first[over], contests.second[under]])
    loser = np.concatenate([contests.second[over], contests.first[under]])
    wins = coo_array((np.ones(len(winner)), (winner, loser)), shape=(size, size))
    pairs = coo_array((contests.played, (contests.first, contests.second)), shape=(size, size))
    _, component = connected_components(pairs, directed=False)
    _, circle = connected_components(wins, connection="strong")
    circles = np.unique(np.stack([component, circle]), axis=1)[0]
    bounded = np.bincount(circles) == 1
    return Connection(component.astype(np.int64), bounded[component])
