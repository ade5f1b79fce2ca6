"""How two orders of the same systems differ: how alike, who moves, who is best."""

import pandas as pd

from core.comparison.rank_correlation import compare_rankings
from core.comparison.ties import tie_close
from core.errors import BadInput
from core.wording import NAMED, name_some


def rank_systems(
    means: pd.DataFrame, by: str = "version", *, greater_is_better: bool = True
) -> pd.DataFrame:
    """Return the systems in order of their mean score under each condition.

    Systems with equal scores, as `tie_close` has them, share the best of their ranks (1, 2, 2, 4)
    and stand in the order of their names; an undefined score comes last.

    Parameters
    ----------
    means : DataFrame
        ``system, value`` and the column ``by``: one score per system and condition, as
        `mean_scores` gives them for one measure.
    by : str, default 'version'
        The column that tells the conditions apart: a qrels version, a measure, a topic set.
    greater_is_better : bool, default True
        Whether a higher score is better; by E a lower one is.

    Returns
    -------
    DataFrame
        ``by, system, rank, value``; rank 1 is the best value. Conditions keep their order.

    Raises
    ------
    BadInput
        A system has several scores under one condition.
    """
    if means.duplicated([by, "system"]).any():
        raise BadInput(f"several scores for a system under one {by}; choose one measure", field=by)
    tied = means["value"].astype("float64").groupby(means[by]).transform(tie_close)
    rank = tied.groupby(means[by]).rank(
        method="min", ascending=not greater_is_better, na_option="bottom"
    )
    ranked = means[[by, "system"]].assign(rank=rank.astype("int64"), value=means["value"])
    order = {condition: position for position, condition in enumerate(means[by].unique())}
    return ranked.sort_values(
        [by, "rank", "system"],
        key=lambda column: column.map(order) if column.name == by else column,
        ignore_index=True,
    )


def largest_moves(ranked: pd.DataFrame, by: str = "version") -> pd.DataFrame:
    """Return how far each system moves between the conditions.

    Parameters
    ----------
    ranked : DataFrame
        As `rank_systems` returns it.
    by : str, default 'version'
        The column that tells the conditions apart.

    Returns
    -------
    DataFrame
        ``system, highest, highest_in, lowest, lowest_in, move``: its best and worst rank, the
        first condition with each, and their difference; largest move first, then by name.
    """
    best = ranked.loc[ranked.groupby("system")["rank"].idxmin()].set_index("system")
    worst = ranked.loc[ranked.groupby("system")["rank"].idxmax()].set_index("system")
    moves = pd.DataFrame(
        {
            "highest": best["rank"],
            "highest_in": best[by],
            "lowest": worst["rank"],
            "lowest_in": worst[by],
            "move": worst["rank"] - best["rank"],
        }
    ).reset_index()
    return moves.sort_values(["move", "system"], ascending=[False, True], ignore_index=True)


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
