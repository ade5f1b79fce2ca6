"""Systems in order of their scores, under one condition or several."""

import pandas as pd

from core.comparison.ties import tie_close
from core.errors import BadInput


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
