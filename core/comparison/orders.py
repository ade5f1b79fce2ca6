"""How two orders of the same systems differ: how alike, who moves, who is best."""

import pandas as pd

from core.comparison.rank_correlation import compare_rankings
from core.wording import NAMED, name_some

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
        ('' for none); ``best_first, best_second``, the systems at rank 1, of which at most three
        are named; ``tied_first, tied_second``, how many these are; ``same_best``, whether they are
        the same. Moves are of systems that both orders have.
    """
    pairs = compare_rankings(ranked, by)
    ranks = ranked.pivot(index="system", columns=by, values="rank")
    best = {name: [*rank.index[rank == rank.min()]] for name, rank in ranks.items()}
    leaders = [
        (best[one], best[two]) for one, two in zip(pairs["first"], pairs["second"], strict=True)
    ]
    moves = [
        (ranks[first] - ranks[second]).abs().dropna()
        for first, second in zip(pairs["first"], pairs["second"], strict=True)
    ]
    return pairs.assign(
        far=[int((move > FAR).sum()) for move in moves],
        largest=[int(move.max()) for move in moves],
        mover=[str(move.idxmax()) if move.max() else "" for move in moves],
        best_first=pd.array([name_some(first) for first, _ in leaders], dtype="str"),
        best_second=pd.array([name_some(second) for _, second in leaders], dtype="str"),
        tied_first=[len(first) for first, _ in leaders],
        tied_second=[len(second) for _, second in leaders],
        same_best=[first == second for first, second in leaders],
    )


def say_best(names: str, tied: int) -> str:
    """Return who is best, or who shares the first rank.

    Parameters
    ----------
    names : str
        As `name_some` writes them.
    tied : int
        How many systems are at rank 1.
    """
    if tied == 1:
        return f"the best system is {names}"
    if tied <= NAMED:
        return f"{names} share the first rank"
    return f"{tied:,} systems share the first rank ({names})"
