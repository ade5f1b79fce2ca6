"""How two orders of the same systems differ: how alike, who moves, who is best."""

import pandas as pd

from core.comparison.rank_correlation import compare_rankings

FAR = 2
"""A system that moves more ranks than this has moved far."""


def compare_orders(ranked: pd.DataFrame, by: str = "version") -> pd.DataFrame:
    """Compare every two orders of systems.

    Parameters
    ----------
    ranked : DataFrame
        ``by, system, rank, value`` as `rank_systems` returns it.
    by : str, default 'version'
        The column that tells the orders apart.

    Returns
    -------
    DataFrame
        A row for every two orders: the columns of `compare_rankings`; ``far``, how many systems
        move more than two ranks; ``largest``, the largest move, and the first ``mover`` by name
        ('' for none); ``best_first, best_second``, the systems at rank 1. Moves are of
        systems that both orders have.
    """
    pairs = compare_rankings(ranked, by)
    ranks = ranked.pivot(index="system", columns=by, values="rank")
    best = {name: ", ".join(rank.index[rank == rank.min()]) for name, rank in ranks.items()}
    moves = [
        (ranks[first] - ranks[second]).abs().dropna()
        for first, second in zip(pairs["first"], pairs["second"], strict=True)
    ]
    return pairs.assign(
        far=[int((move > FAR).sum()) for move in moves],
        largest=[int(move.max()) for move in moves],
        mover=[str(move.idxmax()) if move.max() else "" for move in moves],
        best_first=pairs["first"].map(best),
        best_second=pairs["second"].map(best),
    )
