"""How two orders of systems differ, in numbers and in words."""

import pandas as pd

from core.analysis.wording import count, plain
from core.comparison.rank_correlation import compare_rankings

FAR = 2
"""A system that moves more places than this has moved far."""


def compare_pairs(ranked: pd.DataFrame) -> pd.DataFrame:
    """Return how alike every two orders are.

    Parameters
    ----------
    ranked : DataFrame
        ``version, system, rank, value`` as `rank_systems` returns it.

    Returns
    -------
    DataFrame
        ``first, second, systems, tau`` as `compare_rankings`; ``far``, how many systems move
        more than two places; ``largest``, the largest move; ``best_first, best_second``, the
        systems in the first place.
    """
    pairs = compare_rankings(ranked)
    ranks = ranked.pivot(index="system", columns="version", values="rank")
    moves = [
        (ranks[first] - ranks[second]).abs().dropna()
        for first, second in zip(pairs["first"], pairs["second"], strict=True)
    ]
    best = {version: ", ".join(rank.index[rank == 1]) for version, rank in ranks.items()}
    return pairs.assign(
        far=[int((move > FAR).sum()) for move in moves],
        largest=[int(move.max()) for move in moves],
        best_first=pairs["first"].map(best),
        best_second=pairs["second"].map(best),
    )


def describe_least_alike(pairs: pd.DataFrame) -> str:
    """Return in Markdown how the two least alike orders of `compare_pairs` differ."""
    pair = pairs.sort_values(["tau", "largest"], ascending=[True, False], kind="stable").iloc[0]
    if pair["largest"] == 0:
        return _describe_standstill(pairs)
    first, second = plain(pair["first"]), plain(pair["second"])
    if pair["best_first"] == pair["best_second"]:
        best = f"the best system is the same (**{plain(pair['best_first'])}**)"
    else:
        best = (
            f"the best system changes from **{plain(pair['best_first'])}** to "
            f"**{plain(pair['best_second'])}**"
        )
    lead = "The two orders" if len(pairs) == 1 else "The least alike orders"
    verb = "moves" if pair["far"] == 1 else "move"
    return (
        f"{lead} are those of '{first}' and '{second}' (τ = {pair['tau']:.2f}): {pair['far']} of "
        f"{count(pair['systems'], 'system')} {verb} more than two places between them; {best}."
    )


def _describe_standstill(pairs: pd.DataFrame) -> str:
    versions = len(set(pairs["first"]) | set(pairs["second"]))
    return (
        f"All {versions} versions put the {count(pairs['systems'].max(), 'system')} in the same "
        f"order; the best is **{plain(pairs['best_first'].iloc[0])}**."
    )
